#!/usr/bin/env python3
"""Tests of the built program when things go wrong around it, or the scene holds next to nothing.

usage: cli_mishaps.py PROGRAM SCENES_DIR
"""
import json
import os
import resource
import signal
import subprocess
import sys

from cli_support import (PROGRAM, SCENE, SECONDS_WAIT, check, expected_files, freshet, is_whole, read, refused,
                         rows, run_tests, tree, wait_for, write)


def test_disk_full(work):
    """A file size limit stands for a full disk: reported, and nothing is half-written."""
    write(os.path.join(work, "s.yaml"), SCENE)
    out = os.path.join(work, "out")
    freshet("run", "s.yaml", "-o", "warm", "--frames", "1", cwd=work)
    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", "--frames", "100000"],
                               cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    # by then the driver has written its own files; of the run's, stats.csv grows fastest
    wait_for(lambda: os.path.exists(f"{out}/frames/frame_000001.png") or
             process.poll() is not None)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
    _, errors = process.communicate(timeout=SECONDS_WAIT)
    result = subprocess.CompletedProcess(process.args, process.returncode, "", errors)
    check(result.returncode == 1 and "stats.csv" in result.stderr and
          "File too large" in result.stderr, "path and reason", result)
    check(not is_whole(out), "what is there is whole", tree(work))
    check(errors.count("freshet: ") == 1, "one cause, one error", errors)
    check(not [name for name in tree(out) if "tmp" in name], "no temporary files", tree(out))
    with open(f"{out}/run.json", encoding="utf-8") as file:
        run = json.load(file)
    check(run["status"] == "failed" and "stats.csv" in run["error"], "run.json says so", run)


def test_directory_removed(work):
    """Noticed within a frame, told once, and nothing is written into what took its place."""
    write(os.path.join(work, "s.yaml"), SCENE)
    for again in (False, True):
        out = os.path.join(work, "out")
        process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", "--frames", "100000"],
                                   cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        wait_for(lambda: os.path.exists(f"{out}/frames/frame_000003.png") or
                 process.poll() is not None)
        os.rename(out, os.path.join(work, f"moved{again}"))
        if again:
            os.mkdir(out)
        shown, errors = process.communicate(timeout=SECONDS_WAIT)
        what = "replaced" if again else "removed"
        check(process.returncode == 1 and "'out'" in errors or "out/" in errors,
              f"{what}: exit code and path", process.returncode, errors)
        check(errors.count("freshet: ") == 1, f"{what}: one error", errors)
        check(not tree(out), f"{what}: nothing is written", tree(out))


def test_nothing_left(work):
    """When the first files cannot be opened, those that could be are removed again."""
    write(os.path.join(work, "s.yaml"), SCENE)
    out = os.path.join(work, "out")
    os.mkdir(out)
    write(f"{out}/frames", "mine")
    refused(freshet("run", "s.yaml", "-o", "out", cwd=work), "out/frames", code=1)
    check(tree(out) == ["frames"] and read(f"{out}/frames") == b"mine", "only what was there",
          tree(out))


def test_record_as_scene(work):
    """run.json is no scene; one error says so, and where its scene is."""
    write(os.path.join(work, "s.yaml"), SCENE)
    result = freshet("run", "s.yaml", "-o", "out", "--frames", "0", cwd=work)
    check(result.returncode == 0, "a run", result)
    result = freshet("run", "out/run.json", cwd=work)
    refused(result, "out/run.json:1:1", "record of a run", "'scene'")
    check(len(result.stderr.splitlines()) == 1, "one error", result)


def test_next_to_nothing(work):
    """BL-059: without liquid a run says so, and all its files are whole."""
    head = "version: 1\nname: x\ndomain: {size: [1, 1], cells: 32%s}\n" \
           "time: {frames: 6, fps: 24}\noutput: {png: {size: [64, 64]}}\n"
    held = "solids: [{sphere: {center: [0.5, 0.5], radius: 0.3}}]\n" \
           "liquids: [{sphere: {center: [0.5, 0.5], radius: 0.1}}]\n"
    # falls out of the open floor within 6 frames
    falls = "liquids: [{box: {min: [0.4, 0], max: [0.6, 0.1]}, velocity: [0, -2]}]\n"
    for name, text in {"none": head % "", "held": head % "" + held,
                       "drained": head % ", walls: {y-: open}" + falls}.items():
        write(os.path.join(work, name + ".yaml"), text)
        result = freshet("run", name + ".yaml", "-o", name, cwd=work)
        out = os.path.join(work, name)
        check(result.returncode == 0, name, result)
        check(name == "drained" or "0 particles" in result.stdout + result.stderr,
              f"{name}: says so", result)
        expected = [file for file in expected_files(range(7)) if file != "probes.csv"]
        check(tree(out) == expected and not is_whole(out), f"{name}: whole files", tree(out))
        check("nan" not in read(f"{out}/stats.csv").decode().lower() and
              "inf" not in read(f"{out}/stats.csv").decode().replace("_interior", ""),
              f"{name}: finite statistics")
        last = rows(f"{out}/stats.csv")[-1]
        check(last["particles"] == "0", f"{name}: nothing is left", last)
    check(int(last["removed"]) > 0, "drained: what left is counted", last)


def test_seeds_in_solids(work):
    """BL-017: the log tells how many seeds a solid took."""
    write(os.path.join(work, "s.yaml"),
          "version: 1\nname: x\ndomain: {size: [1, 1], cells: 64}\ntime: {frames: 0}\n"
          "liquid: {jitter: 0}\n"
          "solids: [{name: ball, sphere: {center: [0.5, 0.25], radius: 0.1}}]\n"
          "liquids: [{box: {min: [0, 0], max: [1, 0.5]}}]\n")
    result = freshet("run", "s.yaml", "-o", "out", cwd=work)
    log = read(os.path.join(work, "out", "log.txt")).decode()
    with open(os.path.join(work, "out", "run.json"), encoding="utf-8") as file:
        dropped = json.load(file)["totals"]["seeds_in_solids"]
    # 4 per cell over the disc's area of 0.01 pi, on a grid of 1/64
    check(abs(dropped / 514.7 - 1) < 0.1, "their number", dropped)
    check(str(dropped) in log, "in the log", log, result)


def test_tolerance_out_of_reach(work):
    """BL-032: one warning with the residual reached, and the run goes on."""
    write(os.path.join(work, "s.yaml"), SCENE)
    for sets in (["solver.tolerance=1e-14"], ["solver.max_iterations=1"]):
        result = freshet("run", "s.yaml", "-o", "out", "--overwrite", "--frames", "8", "--set",
                         *sets, cwd=work)
        warnings = [line for line in result.stderr.splitlines() if "warning: " in line]
        check(result.returncode == 0 and len(warnings) == 1 and "residual" in warnings[0],
              f"{sets}: one warning", result)


def test_absurd_step(work):
    """BL-040: a time step beyond all reason is refused by name."""
    write(os.path.join(work, "s.yaml"), SCENE.replace("fps: 24", "fps: 24, dt: 1e6"))
    refused(freshet("run", "s.yaml", cwd=work), ":4:", "'time.dt'", "1e6", seconds=1)


def test_not_a_file(work):
    """What is no regular file is refused at once: a pipe nobody writes to would be waited for."""
    write(os.path.join(work, "s.yaml"), SCENE)
    pipe = os.path.join(work, "pipe.h5")
    os.mkfifo(pipe)
    for arguments in [("run",), ("check",), ("hash",), ("verify",)]:
        refused(freshet(*arguments, pipe, cwd=work), "pipe.h5", "not a file", seconds=2)
    result = freshet("run", "s.yaml", "-o", "out", "--frames", "1", "-q", cwd=work)
    check(result.returncode == 0, "a run", result)
    os.mkdir(f"{work}/out/checkpoints")
    os.rename(pipe, f"{work}/out/checkpoints/checkpoint_000001.h5")
    result = freshet("run", "s.yaml", "-o", "out", "--resume", cwd=work)
    check(result.returncode == 0 and "checkpoint_000001.h5" in result.stderr and
          "not a file" in result.stderr and "starting at frame 0" in result.stderr,
          "a pipe in the place of a checkpoint", result)
    refused(freshet("run", "/dev/null", cwd=work), "/dev/null", "not a file", seconds=2)


def test_environment(work):
    """What is not understood is refused, not taken for something else."""
    write(os.path.join(work, "s.yaml"), SCENE)
    for value in ["soon", "-1", "nan", "inf", "1e999", "5 ", "0x"]:
        refused(freshet("run", "s.yaml", cwd=work, env={"FRESHET_CHECKPOINT_SECONDS": value}),
                "FRESHET_CHECKPOINT_SECONDS", value, seconds=2)
    check(tree(work) == ["s.yaml"], "nothing is written", tree(work))
    result = freshet("run", "s.yaml", "--frames", "0", "-o", "out", cwd=work,
                     env={"FRESHET_CHECKPOINT_SECONDS": ""})
    check(result.returncode == 0, "empty is as if it were not there", result)
    result = freshet("run", "s.yaml", "--frames", "0", "-o", "late", cwd=work,
                     env={"FRESHET_FAULT": "write:99999"})
    check(result.returncode == 0 and "did not come" in result.stderr, "a fault that never comes",
          result)
    refused(freshet("run", "s.yaml", "--frames", "0", "-o", "none", cwd=work,
                    env={"FRESHET_BRICKS": "none"}), "FRESHET_BRICKS", "listed or all")
    for name, value, words in [
            ("WORK_GROUP", "3", "a power of two"), ("WORK_GROUP", " 4", "a power of two"),
            ("SPLAT", "atomic", "block or brick"), ("WRITES", "part", "parts or whole"),
            ("LAUNCHES", "wait", "queued or waited"), ("BRICKS", "none", "listed or all"),
            ("FAULT", "open", "KIND:N"), ("CHECKPOINT_SECONDS", "-1", "from 0"),
            ("DEVICE", "no such device", "no such device")]:
        for command in (["run", "s.yaml", "-o", "none"], ["bench", "--dim", "2"], ["doctor"]):
            refused(freshet(*command, cwd=work, env={f"FRESHET_{name}": value}),
                    value, words, seconds=10)
    for bricks in ("listed", "all"):
        result = freshet("run", "s.yaml", "--frames", "3", "-o", bricks, cwd=work,
                         env={"FRESHET_BRICKS": bricks})
        check(result.returncode == 0, f"FRESHET_BRICKS={bricks}", result)
    one, two = (freshet("hash", name, cwd=work).stdout for name in ("listed", "all"))
    check(one == two and one.count("\n") == 4, "lists of bricks change no bit", one, two)


def start_and_wait(work, *arguments):
    """A long run, and what it has shown, when frame 2 is reached."""
    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "--frames", "100000", *arguments],
                               cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith("frame 2/"):
            break
    return process


def test_file_removed(work):
    """A file that is deleted or replaced while it is written: noticed, and the run goes on later."""
    write(os.path.join(work, "s.yaml"), SCENE + "  checkpoint: {every: 1}\n")
    for name in ["stats.csv", "probes.csv", "log.txt"]:
        for replaced in (False, True):
            what = f"{name} {'replaced' if replaced else 'deleted'}"
            out = os.path.join(work, what)
            process = start_and_wait(work, "-o", out)
            os.remove(f"{out}/{name}")
            if replaced:
                write(f"{out}/{name}", "mine\n")
            _, errors = process.communicate(timeout=SECONDS_WAIT)
            check(process.returncode == 1 and f"{name}', which was removed or replaced" in errors
                  and errors.count("freshet: ") == 1, what, process.returncode, errors)
            check(os.path.exists(f"{out}/{name}") == replaced and
                  (not replaced or read(f"{out}/{name}") == b"mine\n"), f"{what}: left alone")
            with open(f"{out}/run.json", encoding="utf-8") as file:
                frames = json.load(file)["frames"]
            if replaced:
                continue
            last = frames[-1]["frame"] + 2
            result = freshet("run", "s.yaml", "-o", out, "--resume", "--frames", str(last),
                             cwd=work)
            check(result.returncode == 0 and f"{name}' is no longer there" in result.stderr and
                  not is_whole(out) and b"\0" not in read(f"{out}/{name}"),
                  f"{what}: goes on with a new one", result, is_whole(out))


def test_file_shortened(work):
    """A file that is cut while it is written is not filled with zeros."""
    write(os.path.join(work, "s.yaml"), SCENE)
    for name in ["stats.csv", "probes.csv", "log.txt"]:
        process = start_and_wait(work, "-o", name)
        os.truncate(f"{work}/{name}/{name}", 0)
        _, errors = process.communicate(timeout=SECONDS_WAIT)
        check(process.returncode == 1 and f"{name}', which was shortened during the run" in errors
              and b"\0" not in read(f"{work}/{name}/{name}"), name, process.returncode, errors)


def test_liquid_without_particles(work):
    """The likeliest mistake in a scene is a number."""
    write(os.path.join(work, "s.yaml"), SCENE)
    far = '{"name": "far", "box": {"min": [7, 7], "max": [8, 8]}}'
    result = freshet("run", "s.yaml", "--frames", "0", "-o", "out", "--set", f"liquids.1={far}",
                     cwd=work)
    check(result.returncode == 0 and "liquid 'far' has no particles" in result.stderr and
          result.stderr.count("warning") == 1, "it is named", result)


def test_run_json_in_the_end(work):
    """A disk so full that run.json cannot be written again: it does not go on to say "running"."""
    write(os.path.join(work, "s.yaml"), SCENE)
    out = os.path.join(work, "out")
    process = start_and_wait(work, "-o", "out")
    for thread in os.listdir(f"/proc/{process.pid}/task"):
        status = read(f"/proc/{process.pid}/task/{thread}/status").decode()
        mask = int(status.split("SigBlk:")[1].split()[0], 16)
        check(mask >> signal.SIGXFSZ - 1 & 1 and mask >> signal.SIGPIPE - 1 & 1,
              "no thread gets SIGXFSZ or SIGPIPE, whose handlers drivers change", status)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (512, 512))
    _, errors = process.communicate(timeout=SECONDS_WAIT)
    check(process.returncode == 1 and "File too large" in errors, "exit code",
          process.returncode, errors)
    with open(f"{out}/run.json", encoding="utf-8") as file:
        check(json.load(file)["status"] == "failed", "the status")
    result = freshet("hash", "out", cwd=work)
    check(result.returncode == 0 and result.stdout.count("\n") >= 3, "the frames of stats.csv",
          result)


def test_closed_streams(work):
    """A stream that the caller closed is no place for files: messages would end up in them."""
    write(os.path.join(work, "s.yaml"), SCENE)
    for name, closed in [("none", ""), ("out", ">&-"), ("all", "<&- >&- 2>&-")]:
        result = freshet("-c", f'exec "$0" run s.yaml -o {name} {closed}', PROGRAM, cwd=work,
                         program="/bin/sh")
        check(result.returncode == (1 if closed else 0) and not is_whole(f"{work}/{name}"),
              f"closed: {name}", result)
        # the log has every line once, as it has when all streams are open
        log = read(f"{work}/{name}/log.txt").decode()
        check(log.count("frame 3/3") == log.count("finished: ") == 1, f"{name}: log.txt", log)
        if name == "out":
            refused(result, "standard output", "Bad file descriptor", code=1)
    result = freshet("-c", 'exec "$0" hash all >&-', PROGRAM, cwd=work, program="/bin/sh")
    refused(result, "standard output", "Bad file descriptor", code=1)


def test_quiet_verify(work):
    """--quiet means nothing but errors, also where the versions differ."""
    write(os.path.join(work, "s.yaml"), SCENE)
    freshet("run", "s.yaml", "-o", "out", "--frames", "1", "-q", cwd=work)
    with open(f"{work}/out/run.json", encoding="utf-8") as file:
        run = json.load(file)
    run["git"] = "another"
    write(f"{work}/other.json", json.dumps(run))
    result = freshet("verify", "other.json", cwd=work)
    check(result.returncode == 0 and "another" in result.stderr, "a warning", result)
    result = freshet("verify", "other.json", "-q", cwd=work)
    check(result.returncode == 0 and result.stdout == result.stderr == "", "none", result)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
