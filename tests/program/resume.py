#!/usr/bin/env python3
"""Tests of checkpoints: stopped, killed and failed runs go on as if nothing had happened.

usage: resume.py PROGRAM SCENES_DIR [TEST...]

FRESHET_TEST_FULL=1 asks for the long forms.  resume_files.py has what may have happened to the files.
"""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from cli_support import (FULL, PROGRAM, SECONDS_WAIT, check, freshet, is_whole, is_within, read, refused, rows,
                         run_tests, tree, wait_for, write)
from resume_support import (FLAT, SOLID, accounts, checkpoints, hashes, latest, run, same_results,
                            stopped, whole)


def kill_and_resume(work, scene, transfer, cycles):
    """kill -9 at random moments, then --resume, until the run is done, `cycles` times."""
    name = f"{'2d' if scene is FLAT else '3d'}_{transfer}"
    generator = random.Random(name)
    write(f"{work}/{name}.yaml", scene.replace("TRANSFER", transfer))
    reference = whole(work, f"whole_{name}", f"{name}.yaml")
    expected = set(hashes(work, reference).splitlines())
    out = os.path.join(work, name)
    # checkpoints come much more often than kills, within frames too
    env = {**os.environ, "FRESHET_CHECKPOINT_SECONDS": "0.02"}
    kills = finished = 0
    resumed = []
    while kills < cycles:
        shutil.rmtree(out, ignore_errors=True)
        code = None
        while code != 0:
            process = subprocess.Popen([PROGRAM, "run", f"{name}.yaml", "-o", out, "-q",
                                        "--resume"], cwd=work, env=env, stderr=subprocess.PIPE,
                                       text=True)
            # a kill comes at any moment after there is something more to go on from
            if kills < cycles:
                before = latest(out)
                frames = generator.randrange(4)
                wait_for(lambda: latest(out) != before and
                         latest(out)[0] >= before[0] + frames or process.poll() is not None)
                time.sleep(generator.uniform(0, 0.05))
                process.kill()
            _, errors = process.communicate()
            code = process.returncode
            if not check(code in (0, -signal.SIGKILL), f"{name}: a resumed run", code, errors):
                return
            kills += code != 0
            if code != 0:
                told = hashes(work, out)
                check(set(told.splitlines()) <= expected and
                      told.count("\n") == sum(bool(row["hash"]) for row in
                                              rows(f"{out}/stats.csv")),
                      f"{name}: hashes of a killed run", told)
            check("not used" not in errors, f"{name}: no checkpoint is refused", errors)
            bad = [text for text in is_whole(out) if "csv" not in text]
            check(not bad, f"{name}: whole files after kill -9", bad)
        finished += 1
        with open(f"{out}/run.json", encoding="utf-8") as file:
            resumed += json.load(file)["resumed_at"]
        same_results(reference, out, f"{name}, run {finished}")
    check(len(resumed) >= cycles, f"{name}: it was resumed", resumed)
    print(f"    {name}: {kills} kills in {finished} runs, resumed at {sorted(resumed)}")


def test_cycles(work):
    kinds = [(FLAT, "flip"), (FLAT, "apic"), (SOLID, "flip"), (SOLID, "apic")]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda kind: kill_and_resume(work, *kind, 25 if FULL else 5), kinds))


def test_signals(work):
    """BL-088: a checkpoint of the very substep is left, also without `checkpoint` in the scene."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "apic")
          .replace("  checkpoint: {every: 3, keep: 2}\n", "").replace("frames: 20", "frames: 60"))
    reference = whole(work)
    check(checkpoints(reference) == [], "a short run leaves no checkpoint", tree(reference))
    for number in (signal.SIGINT, signal.SIGTERM):
        out = os.path.join(work, number.name)
        for _ in range(3):
            process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", out, "--resume"], cwd=work,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            shown = []
            for line in process.stdout:  # the first frame of this part
                shown.append(line)
                if line.startswith("frame ") and "frame 0/" not in line:
                    break
            process.send_signal(number)
            rest, errors = process.communicate()
            shown = "".join(shown) + rest
            if not check(process.returncode == 128 + number, f"{number.name}: exit code",
                         process.returncode, shown, errors):
                break
            check("checkpoint at frame " in shown and "--resume" in shown,
                  f"{number.name}: where it goes on", shown)
            stem = checkpoints(out)[-1]
            hash_line = hashes(work, f"{out}/checkpoints/{stem}")
            check(hash_line.startswith(f"{int(stem[11:17])} ") and
                  hash_line in hashes(work, out), f"{number.name}: hash of the checkpoint",
                  hash_line)
        result = run(work, "-o", out, "--resume")
        check(result.returncode == 0 and "resumed at frame " in result.stdout,
              f"{number.name}: goes on", result)
        same_results(reference, out, number.name)
        with open(f"{out}/run.json", encoding="utf-8") as file:
            check(len(json.load(file)["resumed_at"]) == 3, f"{number.name}: resumed_at")
        check(len(checkpoints(out)) <= 2, "two are kept", checkpoints(out))


def test_schedule(work):
    """Which are written, and that writing them changes nothing."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    reference = whole(work)
    check(checkpoints(reference) == ["checkpoint_000015.h5", "checkpoint_000018.h5"],
          "every 3, the latest 2", checkpoints(reference))
    for frame in (15, 18):
        line = hashes(work, f"whole/checkpoints/checkpoint_{frame:06d}.h5")
        check(line in hashes(work, "whole") and line.startswith(f"{frame} "), "their hashes", line)
    result = run(work, "-o", "often", "-q", "--set", "output.checkpoint={every: 1, keep: 100}",
                 env={"FRESHET_CHECKPOINT_SECONDS": "0"})
    check(result.returncode == 0 and len(checkpoints(f"{work}/often")) == 21,
          "after every substep, of every frame the last", result, checkpoints(f"{work}/often"))
    same_results(reference, f"{work}/often", "with many checkpoints")
    result = run(work, "-o", "whole")
    refused(result, "--resume", "--overwrite", seconds=2)
    result = run(work, "-o", "whole", "--resume")
    check(result.returncode == 0 and "resumed at frame 18" in result.stdout,
          "a finished run: the rest again", result)
    same_results(f"{work}/often", reference, "resumed after its end")


def test_device_at_fault(work):
    """BL-088: a device that gives a sound checkpoint another hash is named, and no file is blamed."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "apic").replace(
        "png: {size: [64, 32]}", "particles: {}"))
    base = stopped(work, "base")
    device = accounts(base)["device"]["name"]
    files = {name: read(f"{base}/{name}") for name in tree(base)}

    def blamed(result, what):
        check(result.returncode == 1 and device in result.stderr and
              "freshet doctor" in result.stderr and "sound" in result.stderr and
              "not used" not in result.stderr and "damaged" not in result.stderr, what, result)
        check({name: read(f"{base}/{name}") for name in tree(base)} == files,
              f"{what}: nothing is changed", tree(base))

    blamed(run(work, "-o", "base", "--resume", env={"FRESHET_FAULT": "hash:1"}), "--resume")
    for file in "particles", "checkpoints":
        blamed(freshet("render", "base", "-q", "-o", "pictures", "--from", file, "--frames", "6", "-d", device,
                       cwd=work, env={"FRESHET_FAULT": "hash:1"}), f"pictures from {file}")
    result = run(work, "-o", "base", "--resume", "-q")
    check(result.returncode == 0, "another device goes on", result)


def test_warnings_once(work):
    """A run that goes on does not warn of what it warned of before."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip").replace(
        "fps: 24", "fps: 0.1, dt: 9e-5").replace("frames: 20", "frames: 1").replace(
            "gravity", "solver: {max_iterations: 1, drift: none}\ngravity").replace("cells: 24", "cells: 8").replace(
                "radius: 0.15", "radius: 0.02"))
    words = ["cells thick", "stopped above the tolerance", "substeps (greatest speed"]

    def part(number, *arguments, hang_up=signal.SIG_DFL):
        """Until it has written some checkpoints, of which each holds some substeps more."""
        before = latest(f"{work}/out")
        process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", *arguments], cwd=work,
                                   env={**os.environ, "FRESHET_CHECKPOINT_SECONDS": "0.02"},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, hang_up))
        wait_for(lambda: latest(f"{work}/out") != before or process.poll() is not None)
        if hang_up == signal.SIG_IGN:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.1)
        process.send_signal(number)
        _, errors = process.communicate()
        check(process.returncode == 128 + number, "stopped", process.returncode, errors)
        return errors

    errors = part(signal.SIGHUP)
    check(all(errors.count(word) == 1 for word in words), "warnings", errors)
    # nohup(1) has SIGHUP ignored
    errors = part(signal.SIGTERM, "--resume", hang_up=signal.SIG_IGN)
    check(not any(word in errors for word in words[1:]), "no warnings", errors)
    warnings = accounts(f"{work}/out")["warnings"]
    log = read(f"{work}/out/log.txt").decode()
    check(len(warnings) == len(words) and all(log.count(word) == 1 for word in words),
          "told once", warnings, log)


def test_two_at_once(work):
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    stopped(work, "out")
    slow = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", "--resume", "--frames",
                             "100000"], cwd=work, stdout=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists(f"{work}/out/.lock"))
    refused(run(work, "-o", "out", "--resume"), "another run", seconds=2)
    wait_for(lambda: os.path.exists(f"{work}/out/frames/frame_000012.png"))
    slow.send_signal(signal.SIGINT)
    check(slow.wait() == 130, "the first goes on", slow.returncode)


def test_step_faults(work):
    """FRESHET_FAULT in a substep: once, the run goes on; always, it ends with a report and goes on
    when the fault is gone, as if nothing had been."""
    for scene, name, transfer in [(FLAT, "2d", "flip"), (SOLID, "3d", "apic")]:
        write(f"{work}/{name}.yaml", scene.replace("TRANSFER", transfer))
        reference = whole(work, f"whole_{name}", f"{name}.yaml")
        attempts = sum(int(row["substep"]) > 0 for row in rows(f"{reference}/stats.csv"))
        halved = set()
        for number, (kind, cause) in enumerate([("nan", "particle_not_finite"),
                                                ("speed", "too_far"),
                                                ("solver", "pressure_diverged")]):
            fault = f"{kind}:{attempts // 2}"
            out = os.path.join(work, f"{name}_{kind}")
            result = run(work, "-o", out, scene=f"{name}.yaml", env={"FRESHET_FAULT": fault})
            if not check(result.returncode == 0, f"{name} {fault}: goes on", result):
                continue
            json_of = accounts(out)
            check(json_of["interventions"] == {**dict.fromkeys(json_of["interventions"], 0),
                                               cause: 1} and json_of["totals"]["retries"] == 1,
                  f"{name} {fault}: counted", json_of["interventions"], json_of["totals"])
            warnings = [text for text in json_of["warnings"] if "trying half the step" in text]
            check(len(warnings) == 1 and ", stage " in warnings[0] and ", t = " in warnings[0],
                  f"{name} {fault}: told with stage and time", json_of["warnings"])
            check("substeps repeated with half the step: 1 (" + cause in result.stdout and
                  rows(f"{out}/stats.csv")[-1]["retries"] == "1", f"{name} {fault}: reported",
                  result)
            check(json_of["failure"] is None and
                  json_of["ledger"]["particles"]["imbalances"] == 0, f"{name} {fault}: ledger",
                  json_of["ledger"])
            halved.add(hashes(work, out))

            fault += "+"
            result = run(work, "-o", out, "--overwrite", scene=f"{name}.yaml",
                         env={"FRESHET_FAULT": fault})
            failure = accounts(out)["failure"]
            check(result.returncode == 1 and "5 times over" in result.stderr and
                  "checkpoint at frame" in result.stdout, f"{name} {fault}: the end", result)
            if check(failure is not None, f"{name} {fault}: failure in run.json"):
                places = failure["particles"] if kind == "nan" else failure["cells"]
                check(failure["cause"] == cause and failure["attempts"] == 5 and
                      failure["stage"] in result.stderr and
                      0 < failure["dt"] < 1 / 24 and places and "position" in places[0],
                      f"{name} {fault}: its report", failure)
                if kind == "nan":
                    check("nan" in places[0]["velocity"] and places[0]["id"] >= 0 and
                          failure["values_after_stage"] == "g2p", "the particle", places)
            result = run(work, "-o", out, "--resume", "-q", scene=f"{name}.yaml")
            check(result.returncode == 0, f"{name} {fault}: resumed", result)
            same_results(reference, out, f"{name} {fault}")
            check(accounts(out)["ledger"] == accounts(reference)["ledger"],
                  f"{name} {fault}: ledger as of the uninterrupted run",
                  accounts(out)["ledger"], accounts(reference)["ledger"])
        check(len(halved) == 1 and hashes(work, reference) not in halved,
              f"{name}: the halved step is the same, whatever failed", halved)
    for wrong in ("nan", "nan:", "nan:0", "nan:-1", "nan: 1", "nan:1.5", "nan:1++", "nan:+1",
                  "nan:99999999999999999999", "write:2147483648", "oops:1", "NAN:1", ":1"):
        refused(run(work, "-o", "never", scene="2d.yaml", env={"FRESHET_FAULT": wrong}),
                "FRESHET_FAULT", wrong, "opencl, kernel, write, alloc, parser, nan, speed, solver, hash", seconds=5)
    check(not os.path.exists(f"{work}/never"), "nothing is left")


def test_disk(work):
    """A file size limit stands for a full disk; a folder that cannot be written; one that
    vanishes."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    reference = whole(work)
    out = stopped(work, "full", 7)
    good = read(f"{out}/checkpoints/checkpoint_000006.h5")
    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "full", "--resume"], cwd=work,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:  # by then the driver has written its own files
        if line.startswith("frame 8/"):
            break
    limit = os.path.getsize(f"{out}/stats.csv") + 1000
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
    _, errors = process.communicate(timeout=SECONDS_WAIT)
    check(process.returncode == 1 and "File too large" in errors, "a full disk", errors)
    check(read(f"{out}/checkpoints/checkpoint_000006.h5") == good and not is_whole(out),
          "what was there is whole", is_whole(out))
    result = run(work, "-o", "full", "--resume", "-q")
    check(result.returncode == 0, "goes on", result)
    same_results(reference, out, "a full disk")

    os.mkdir(f"{work}/file")
    write(f"{work}/file/checkpoints", "mine")
    refused(run(work, "-o", "file", "-q"), "file/checkpoints", code=1)
    check(read(f"{work}/file/checkpoints") == b"mine", "a file in the way is left alone")

    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "gone", "--frames", "100000",
                                "--set", "output.checkpoint.every=100000"],
                               cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith("frame 2/"):
            break
    os.rename(f"{work}/gone", f"{work}/elsewhere")
    start = time.monotonic()
    _, errors = process.communicate(timeout=SECONDS_WAIT)
    check(process.returncode == 1 and "'gone" in errors and "which was removed" in errors,
          "a folder that vanishes", errors)
    check(is_within(time.monotonic() - start, 10), "it is noticed soon")
    check(not os.path.exists(f"{work}/gone"), "nothing is made in its place", os.listdir(work))


def test_verify(work):
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "apic").replace("splash", "splash ü 日本"))
    reference = whole(work)
    before = tree(work)
    result = freshet("verify", "whole/run.json", cwd=work)
    check(tree(work) == before, "verify writes nothing")
    check(result.returncode == 0 and "frames 0 to 20 are equal" in result.stdout, "equal", result)
    stopped(work, "part")
    run(work, "-o", "part", "--resume", "-q")
    result = freshet("verify", "part", "-q", cwd=work,
                     env={"FRESHET_SPLAT": "brick"})
    check(result.returncode == 0 and result.stdout == result.stderr == "",
          "a resumed run, in another way", result)
    result = freshet("verify", "whole", "-q", "--write-stages", "stages.csv", cwd=work)
    lines = read(f"{work}/stages.csv").decode().splitlines()
    with open(f"{reference}/run.json", encoding="utf-8") as file:
        published = json.load(file)
    check(result.returncode == 0 and lines[0] == "frame,substep,attempt,stage,hash" and
          len(lines) > 10 * published["totals"]["substeps"], "hashes of stages", result, lines[:3])
    result = freshet("verify", "whole", "-q", "--stages", "stages.csv", cwd=work,
                     env={"FRESHET_SPLAT": "brick"})
    check(result.returncode == 0, "equal stages", result)
    at = next(i for i, line in enumerate(lines) if line.startswith("3,2,1,pressure,"))
    write(f"{work}/wrong.csv", "\n".join(lines[:at] + ["3,2,1,pressure," + "0" * 16] +
                                         lines[at + 1:]) + "\n")
    result = freshet("verify", "whole", "--stages", "wrong.csv", cwd=work)
    check(result.returncode == 1 and "frame 3, substep 2, stage pressure is the first" in
          result.stderr and "frame 2 " in result.stdout, "a stage that differs", result)
    refused(freshet("verify", "whole", "--stages", "s.yaml", cwd=work), "s.yaml", "--write-stages")
    wrong = published["frames"][7]
    wrong["hash"] = f"{int(wrong['hash'], 16) ^ 1:016x}"
    write(f"{work}/wrong.json", json.dumps(published))
    result = freshet("verify", "wrong.json", cwd=work)
    check(result.returncode == 1 and "frame 7 is the first that differs" in result.stderr and
          wrong["hash"] in result.stderr and "frame 6 " in result.stdout, "a wrong hash", result)
    published["scene"]["gravity"] = [0, -9.8100001]
    write(f"{work}/other.json", json.dumps(published))
    result = freshet("verify", "other.json", cwd=work)
    check(result.returncode == 1 and "is the first that differs" in result.stderr,
          "another scene", result)
    refused(freshet("verify", "whole/run.json", "-d", "none such", cwd=work), "none such")
    refused(freshet("verify", "s.yaml", cwd=work), "s.yaml", "not a run.json")
    refused(freshet("verify", "none.json", cwd=work), "none.json")
    refused(freshet("verify"), "run.json")


def test_format_of_0_1(work):
    """A checkpoint that 0.1 wrote is taken, goes on with the bits that its state has now, and is written anew as the
    present format."""
    data = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "checkpoint_0.1")
    os.makedirs(f"{work}/old/checkpoints")
    shutil.copy(f"{data}/checkpoint_000003.h5", f"{work}/old/checkpoints/")
    shutil.copy(f"{data}/scene.yaml", work)
    expected = read(f"{data}/hashes.txt").decode()
    result = freshet("run", "scene.yaml", "-o", "old", "--resume", cwd=work)
    check(result.returncode == 0 and "resumed at frame 3" in result.stdout, "a checkpoint of 0.1 is taken", result)
    check(hashes(work, "old") == expected, "the published hashes", hashes(work, "old"), expected)
    newer = read(f"{work}/old/checkpoints/checkpoint_000006.h5")
    check(newer.startswith(b"freshet checkpoint\nformat 8\n"), "the present format", newer[:40])
    os.remove(f"{work}/old/checkpoints/checkpoint_000003.h5")
    result = freshet("run", "scene.yaml", "-o", "old", "--resume", cwd=work)
    check(result.returncode == 0 and hashes(work, "old") == expected, "and from the present format", result)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
