#!/usr/bin/env python3
"""Tests of `freshet mesh` and `freshet render`: from a run's files what the run would have written.

usage: passes.py PROGRAM SCENES_DIR [TEST...]

FRESHET_TEST_FULL=1: every view with every format.
"""
import fcntl
import json
import os
import shutil
import signal
import struct
import subprocess
import sys

from cli_support import (FULL, PROGRAM, SECONDS_WAIT, check, freshet, is_whole, png_is_whole, read, refused,
                         run_tests, tree, wait_for, write)
from files_readers import READERS, numbered as file_name
from mesh_files_check import faults, read_obj, read_ply

# Particles leave through open walls and meet a solid; two liquids of different colours.
FLAT = """version: 1
name: flat
domain: {size: [2.0, 1.0], cells: 16, walls: {y+: open, x+: open}}
time: {frames: 3, fps: 12}
liquid: {transfer: TRANSFER}
liquids:
  - {name: 'a "quoted" name', box: {min: [0, 0], max: [0.7, 0.8]}, velocity: [4, 0]}
  - {name: drop, sphere: {center: [1.6, 0.6], radius: 0.3}, velocity: [4, 0], color: "#ff6020"}
solids:
  - {name: ball, sphere: {center: [1.2, 0.2], radius: 0.15}}
output:
  png: {size: [96, 48], view: VIEW}
  particles: {format: FORMAT}
  checkpoint: {every: 1, keep: 9}
"""
SOLID = """version: 1
name: solid
domain: {size: [1.0, 1.0, 1.0], cells: 8, walls: {y+: open, x+: open}}
time: {frames: 3, fps: 12}
liquid: {transfer: TRANSFER}
liquids:
  - {name: column, box: {min: [0, 0, 0], max: [0.6, 0.8, 0.7]}, velocity: [3, 0, 1]}
  - {name: drop, sphere: {center: [0.8, 0.7, 0.5], radius: 0.2}, velocity: [4, 0, 0],
     color: "#ff6020"}
output:
  png: {size: [48, 32], view: VIEW}
  particles: {format: FORMAT}
  mesh: {}
  checkpoint: {every: 1, keep: 9}
"""
FIELD_VIEWS = ("pressure", "levelset", "cells")
CAMERA = "camera={eye: [2.5, 1.5, 2.5], target: [0.5, 0.4, 0.5]}"


def scene(text, view="particles", form="ply", transfer="flip"):
    text = text.replace("VIEW", view).replace("FORMAT", form).replace("TRANSFER", transfer)
    return text + ("  fields: {every: 1}\n" if view in FIELD_VIEWS else "")


def simulate(work, name, text, *arguments):
    write(os.path.join(work, name + ".yaml"), text)
    result = freshet("run", name + ".yaml", "-o", name, "-q", *arguments, cwd=work)
    check(result.returncode == 0, f"run {name}", result)
    return os.path.join(work, name)


def done(command, folder, *arguments, **more):
    result = freshet(command, folder, *arguments, **more)
    return check(result.returncode == 0 and "error" not in result.stderr,
                 f"{command} {arguments}", result) and result


def same_files(one, two, names, what):
    """The named files are there in both folders and have the same bytes."""
    other = [name for name in names if not os.path.exists(f"{two}/{name}") or
             read(f"{one}/{name}") != read(f"{two}/{name}")]
    check(names and not other, f"{what}: the same bytes", other, tree(two))


def numbered(folder, kind):
    return [f"{kind}/{name}" for name in sorted(os.listdir(f"{folder}/{kind}"))]


def again_from_files(work, name, text):
    """Pictures and meshes made again in the place of lost ones, and elsewhere from checkpoints."""
    out = simulate(work, name, text)
    kept, other = out + "_kept", out + "_other"
    shutil.copytree(out, kept)
    pictures = numbered(out, "frames")
    meshes = numbered(out, "mesh") if os.path.isdir(f"{out}/mesh") else []
    check(len(pictures) == 4, f"{name}: pictures of the run", pictures)
    shutil.rmtree(f"{out}/frames")
    shutil.rmtree(f"{out}/mesh", ignore_errors=True)
    done("render", out, "-q")
    if meshes:
        done("mesh", out, "-q")
    same_files(kept, out, pictures + meshes, name)
    check(tree(kept) == tree(out), f"{name}: no other files", tree(out))
    if "fields" not in text:
        done("render", out, "-q", "--from", "checkpoints", "-o", other)
        # there is no checkpoint of frame 0
        same_files(kept, other, pictures[1:], f"{name}, checkpoints")
        check(tree(other) == pictures[1:], f"{name}: files from checkpoints", tree(other))
        if meshes:
            done("mesh", out, "-q", "--from", "checkpoints", "-o", other)
            same_files(kept, other, meshes[1:], f"{name}, checkpoints")


def test_same_bytes_2d(work):
    cases = [("particles", "ply", "apic"), ("surface", "geo", "flip"),
             ("pressure", "vtkhdf", "flip")]
    if FULL:
        cases += [(view, form, transfer) for view in ("particles", "speed", "surface")
                  for form in READERS for transfer in ("flip", "apic")]
        cases += [(view, "ply", "flip") for view in FIELD_VIEWS]
    for view, form, transfer in sorted(set(cases)):
        again_from_files(work, f"{view}_{form}_{transfer}", scene(FLAT, view, form, transfer))


def test_same_bytes_3d(work):
    cases = [("speed", "vtkhdf", "flip"), ("surface", "geo", "apic"), ("levelset", "ply", "flip")]
    if FULL:
        cases += [(view, form, transfer) for view in ("particles", "speed", "surface")
                  for form in READERS for transfer in ("flip", "apic")]
        cases += [(view, "ply", "flip") for view in FIELD_VIEWS]
    for view, form, transfer in sorted(set(cases)):
        again_from_files(work, f"{view}_{form}_{transfer}", scene(SOLID, view, form, transfer))


def picture_size(path):
    return struct.unpack(">II", read(path)[16:24])


def test_other_settings(work):
    """What --set, --frames, --every and -o change, of a run without pictures and meshes."""
    text = scene(SOLID).split("output:")[0] + "output: {particles: {}}\n"
    out = simulate(work, "run", text)
    before = {name: read(f"{out}/{name}") for name in tree(out)}
    for name, more in (("plain", []), ("camera", ["--set", CAMERA])):
        done("render", out, "-q", "-o", f"{work}/{name}", "--set", "output.png.view=surface",
             "--set", "output.png.size=[40,30]", "--frames", "1:2", *more)
        check(tree(f"{work}/{name}") == ["frames/frame_000001.png", "frames/frame_000002.png"],
              f"{name}: the range", tree(f"{work}/{name}"))
        path = f"{work}/{name}/frames/frame_000002.png"
        check(png_is_whole(path) and picture_size(path) == (40, 30), f"{name}: a picture")
    check(read(f"{work}/plain/frames/frame_000002.png") !=
          read(f"{work}/camera/frames/frame_000002.png"), "another camera, another picture")
    meshes = []
    for name, more in (("coarse", []), ("fine", ["--set", "output.surface.resolution=2"]),
                       ("obj", ["--set", "output.mesh.format=obj"])):
        done("mesh", out, "-q", "-o", f"{work}/{name}", "--every", "2", *more)
        ending = "obj" if name == "obj" else "ply"
        check(tree(f"{work}/{name}") == [f"mesh/mesh_000000.{ending}", f"mesh/mesh_000002.{ending}"],
              f"{name}: every second", tree(f"{work}/{name}"))
        path = f"{work}/{name}/mesh/mesh_000002.{ending}"
        meshes.append(read_obj(path) if ending == "obj" else read_ply(path))
        found, _ = faults(meshes[-1], 1e-12 / 256)
        check(not found, f"{name}: closed and two-manifold", found)
    coarse, fine, obj = meshes
    check(len(fine.places) > 2 * len(coarse.places) and len(obj.places) == len(coarse.places) and
          obj.triangles == coarse.triangles, "their sizes", [len(m.places) for m in meshes])
    check({name: read(f"{out}/{name}") for name in tree(out)} == before, "the run is as it was")
    # the run wrote none: next to it there is room for them, once
    done("render", out, "--frames", "1")
    done("mesh", out, "-q", "--frames", ":1")
    check(sorted(set(tree(out)) - set(before)) ==
          ["frames/frame_000001.png", "mesh/mesh_000000.ply", "mesh/mesh_000001.ply"],
          "next to the run", tree(out))


def test_overwrite(work):
    out = simulate(work, "run", scene(FLAT))
    before = {name: read(f"{out}/{name}") for name in tree(out)}
    refused(freshet("render", out, "--set", "output.png.size=[20,10]"), "frame_000000.png",
            "--overwrite", "-o")
    check({name: read(f"{out}/{name}") for name in tree(out)} == before, "nothing has changed")
    done("render", out, "-q", "--overwrite", "--set", "output.png.size=[20,10]", "--frames", "2:")
    sizes = [picture_size(f"{out}/frames/frame_00000{n}.png") for n in range(4)]
    check(sizes == [(96, 48), (96, 48), (20, 10), (20, 10)], "those of the range", sizes)
    check(tree(out) == sorted(before), "no other files", tree(out))


def test_progress(work):
    out = simulate(work, "run", scene(FLAT))
    result = freshet("render", out, "-o", f"{work}/a")
    lines = result.stdout.splitlines()
    frames = [line for line in lines if line.startswith("frame ")]
    check([line.split("  ")[0] for line in frames] ==
          [f"frame {n} ({n + 1}/4)" for n in range(4)], "a line per frame", result)
    check(lines[-1].startswith("finished: 4 of 4 pictures"), "the end", lines)
    result = freshet("render", out, "-o", f"{work}/b", "--quiet")
    check(result.stdout == result.stderr == "", "--quiet", result)
    for name in ("mesh", "render"):
        result = freshet(name, "--help")
        check(result.returncode == 0 and all(option in result.stdout for option in
              ("--frames", "--every", "--from", "--set", "--overwrite")), f"{name} --help", result)


def flip(path, at, mask=1):
    data = bytearray(read(path))
    data[at] ^= mask
    with open(path, "wb") as file:
        file.write(data)


def test_damaged_files(work):
    """A file that is not the state of its frame is refused, whatever is wrong with it."""
    frame = "particles/particles_000002."
    for form in READERS:
        out = simulate(work, form, scene(FLAT, form=form))
        name = "particles/" + file_name("particles", 2, form)
        whole = read(f"{out}/{name}")
        cases = {"truncated": whole[:-40], "empty": b"", "foreign": b"nothing of the kind\n",
                 "of frame 1": read(f"{out}/particles/{file_name('particles', 1, form)}")}
        if form == "ply":
            # the lowest bit of a position, in the last row but one
            changed = bytearray(whole)
            changed[-58] ^= 1
            cases["changed"] = bytes(changed)
        if form == "geo":
            place = whole.index(b" 1 (") - 1
            cases["changed"] = whole[:place] + b"z" + whole[place + 1:]
        if form == "usda":
            changed = bytearray(whole)
            changed[whole.index(b"velocities.timeSamples") - 20] ^= 1
            cases["changed"] = bytes(changed)
            cases["one particle less"] = whole[:60].replace(b": ", b": 1") + whole[60:]
        if form == "vtkhdf":
            # in the superblock, in what describes it, in its values, in its seal
            for at in (12, 300, len(whole) // 2, len(whole) - 45):
                changed = bytearray(whole)
                changed[at] ^= 1
                cases[f"changed at {at}"] = bytes(changed)
            cases["without its seal"] = whole[:-64]
        for what, data in cases.items():
            with open(f"{out}/{name}", "wb") as file:
                file.write(data)
            words = ("checksum",) if "seal" in what or "changed at" in what else ()
            refused(freshet("render", out, "-o", f"{work}/new", "--frames", "2"), name, *words,
                    code=1)
            check(not os.path.exists(f"{work}/new"), f"{form} {what}: nothing is left",
                  os.listdir(work))
    # a run that was killed has its hashes in stats.csv alone
    out = f"{work}/ply"
    record = json.loads(read(f"{out}/run.json"))
    record.update(status="running", frames=[])
    write(f"{out}/run.json", json.dumps(record))
    refused(freshet("render", out, "-o", f"{work}/new", "--frames", "2"), frame + "ply", "hash",
            code=1)
    done("render", out, "-q", "-o", f"{work}/new", "--frames", "2", "--from", "checkpoints")
    flip(f"{out}/checkpoints/checkpoint_000002.h5", -1000)
    result = freshet("render", out, "-o", f"{work}/other", "--frames", "2", "--from", "checkpoints")
    refused(result, "frame 2")
    check("checkpoint_000002.h5" in result.stderr and "damaged" in result.stderr,
          "the damaged checkpoint", result)


def test_missing_frames(work):
    out = simulate(work, "run", scene(FLAT), "--set", "output.checkpoint={every: 2, keep: 9}")
    refused(freshet("render", out, "-o", f"{work}/x", "--frames", "2:9"), "frames 4, 5, 6, 7, 8",
            "1 more", "0 to 3")
    refused(freshet("render", out, "-o", f"{work}/x", "--frames", "2:999999999"),
            "frames 4, 5, 6, 7, 8", "999999991 more", seconds=2)
    os.remove(f"{out}/particles/particles_000001.ply")
    refused(freshet("render", out, "-o", f"{work}/x"), "frame 1;")
    # of frame 2 there is a checkpoint too
    os.remove(f"{out}/particles/particles_000002.ply")
    done("render", out, "-q", "-o", f"{work}/two", "--every", "2")
    check(tree(f"{work}/two") == ["frames/frame_000000.png", "frames/frame_000002.png"],
          "from both", tree(f"{work}/two"))
    same_files(out, f"{work}/two", tree(f"{work}/two"), "from both")
    refused(freshet("render", out, "-o", f"{work}/x", "--frames", "1", "--every", "2"),
            "multiples of 2")
    shutil.rmtree(f"{out}/particles")
    refused(freshet("render", out, "-o", f"{work}/x", "--from", "particles"), "particle files")
    check(not os.path.exists(f"{work}/x"), "nothing is left")


def test_fields(work):
    """Views of the grid come from field files that have what they show, and from nothing else."""
    out = simulate(work, "run", scene(FLAT), "--set", "output.fields={every: 2, names: [cells]}")
    for view, words in (("pressure", ("pressure", "output.fields.names")), ("speed", None),
                        ("cells", None)):
        result = freshet("render", out, "-o", f"{work}/{view}", "--set", f"output.png.view={view}")
        if words:
            refused(result, "fields_000000.vtkhdf", *words, code=1)
        else:
            check(result.returncode == 0, view, result)
    check(len(tree(f"{work}/cells")) == 2, "one frame in two", tree(f"{work}/cells"))
    refused(freshet("render", out, "-o", f"{work}/x", "--from", "fields"), "no particles")
    refused(freshet("render", out, "-o", f"{work}/x", "--from", "checkpoints", "--set",
                    "output.png.view=cells"), "field files")
    path = f"{out}/fields/fields_000002.vtkhdf"
    whole = read(path)
    place = whole.rindex(b"\1\1\1\1")
    for what, data in (("truncated", whole[:5000]),
                       ("a cell less", whole[:place] + b"\0" + whole[place + 1:])):
        with open(path, "wb") as file:
            file.write(data)
        refused(freshet("render", out, "-o", f"{work}/x", "--set", "output.png.view=cells",
                        "--frames", "2"), "fields_000002.vtkhdf", "checksum", code=1)
        check(not os.path.exists(f"{work}/x"), f"{what}: nothing is left")
    shutil.rmtree(f"{out}/fields")
    refused(freshet("render", out, "-o", f"{work}/x", "--set", "output.png.view=levelset"),
            "levelset", "field files")


def test_refusals(work):
    out = simulate(work, "run", scene(FLAT))
    refused(freshet("render", f"{work}/none"), "run.json")
    refused(freshet("render"), "directory of a run")
    refused(freshet("render", out, out), "one directory")
    for value in ("", ":", "a", "3:1", "1:2:3", "-1", "1.5", "99999999999"):
        refused(freshet("render", out, "--frames", value), "--frames")
    for value in ("0", "x", ""):
        refused(freshet("render", out, "--every", value), "--every")
    refused(freshet("render", out, "--from", "memory"), "--from", "checkpoints")
    refused(freshet("render", out, "-o", f"{work}/x", "-d", "no such device"), "no such device")
    refused(freshet("render", out, "-o", f"{work}/x", "--set", "domain.cells=8"), "domain.cells")
    refused(freshet("render", out, "-o", f"{work}/x", "--set", "output.png.view=speeed"),
            "did you mean 'speed'")
    refused(freshet("render", out, "-o", f"{work}/run.yaml/x"), "run.yaml", code=1)
    check(not os.path.exists(f"{work}/x"), "nothing is left")
    # while the run goes on its directory is its own
    with open(f"{out}/.lock", "w", encoding="utf-8") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        refused(freshet("render", out, "--overwrite"), "another run", "-o")
        done("render", out, "-q", "-o", f"{work}/beside")
    os.remove(f"{out}/.lock")
    same_files(out, f"{work}/beside", numbered(out, "frames"), "beside the run")
    record = json.loads(read(f"{out}/run.json"))
    record["version"] = "9.9.9"
    write(f"{out}/run.json", json.dumps(record))
    result = freshet("render", out, "-o", f"{work}/newer")
    check(result.returncode == 0 and "9.9.9" in result.stderr, "of another version", result)
    write(f"{out}/run.json", "{}")
    refused(freshet("render", out, "-o", f"{work}/x"), "not a run.json")


def test_full_disk(work):
    """Writing fails at some place: what has its name is whole, and its bytes are the run's."""
    out = simulate(work, "run", scene(SOLID))
    for command, kind in (("render", "frames"), ("mesh", "mesh")):
        for nth in (1, 3):
            new = f"{work}/{command}_{nth}"
            result = freshet(command, out, "-o", new, "-q", env={"FRESHET_FAULT": f"write:{nth}"})
            refused(result, f"{new}/{kind}/", "No space left", code=1)
            names = tree(new) if os.path.exists(new) else []
            check(len(names) < 4 and all(read(f"{new}/{name}") == read(f"{out}/{name}")
                                         for name in names), f"{kind} {nth}: no part of a file",
                  names)


def test_interrupt(work):
    """Ctrl-C: the frame is finished, its file is whole."""
    out = simulate(work, "run", scene(SOLID, "surface"))
    new = f"{work}/new"
    process = subprocess.Popen([PROGRAM, "render", out, "-o", new, "--set",
                                "output.png.size=[1100,1000]"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    wait_for(lambda: os.path.isdir(f"{new}/frames") and os.listdir(f"{new}/frames"))
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=SECONDS_WAIT)
    check(process.returncode == 130 and "interrupted" in stdout, "exit code 130",
          process.returncode, stdout, stderr)
    names = tree(new)
    check(1 <= len(names) < 4 and names == [f"frames/frame_00000{n}.png" for n in range(len(names))]
          and not is_whole(new), "whole files", names)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
