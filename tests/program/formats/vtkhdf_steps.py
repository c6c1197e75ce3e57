#!/usr/bin/env python3
"""particles.vtkhdf, which joins the frames of a run as steps in time: by h5py, and by VTK where it is one that
reads steps (9.3).

usage: vtkhdf_steps.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from files_support import run
from cli_support import PROGRAM, SECONDS_WAIT, check, freshet, run_tests, skip, tree, write
from files_readers import h5py, vtk_to_numpy, vtkHDFReader

# Particles leave through the floor and the side, so that each frame has another number of them.
SCENE = """version: 1
name: leaving
domain: {size: [1.0, 1.0], cells: 16, walls: {y-: open, x+: open}}
time: {frames: %d, fps: 40}
liquid: {transfer: apic}
liquids:
  - {name: a, box: {min: [0, 0.1], max: [1, 0.5]}}
  - {name: b, sphere: {center: [0.5, 0.75], radius: 0.15}, velocity: [3, -1]}
output: {particles: {every: %d}}
"""


class Steps:
    """The data of each step, taken apart as VTK's description of the format says."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            root = file["VTKHDF"]
            assert root.attrs["Type"] == b"UnstructuredGrid" and list(root.attrs["Version"]) == [2, 0]
            steps = root["Steps"]
            assert root["Points"].is_virtual
            self.count = int(steps.attrs["NSteps"])
            self.times = list(steps["Values"][:])
            self.data = []
            for i in range(self.count):
                part = int(steps["PartOffsets"][i])
                assert steps["NumberOfParts"][i] == 1
                n, cells = int(root["NumberOfPoints"][part]), int(root["NumberOfCells"][part])
                at, cell = int(steps["PointOffsets"][i]), int(steps["CellOffsets"][i, 0])
                connection = int(steps["ConnectivityIdOffsets"][i, 0])
                assert n == cells == root["NumberOfConnectivityIds"][part]
                row = {"Points": root["Points"][at:at + n],
                       "Types": root["Types"][cell:cell + n],
                       "Connectivity": root["Connectivity"][connection:connection + n],
                       # a part's offsets are one more than its cells
                       "Offsets": root["Offsets"][cell + part:cell + part + n + 1]}
                for name, array in root["PointData"].items():
                    first = int(steps["PointDataOffsets"][name][i])
                    row["PointData/" + name] = array[first:first + n]
                self.data.append(row)


def check_steps(folder, frames):
    """Each step is the file of its frame."""
    steps = Steps(f"{folder}/particles.vtkhdf")
    check(steps.times == [frame / 40 for frame in frames], "times", steps.times, frames)
    for frame, row in zip(frames, steps.data):
        with h5py.File(f"{folder}/particles_{frame:06d}.vtkhdf", "r") as file:
            wrong = [name for name, array in row.items() if array.tolist() != file["VTKHDF"][name][:].tolist()]
            names = set(file["VTKHDF/PointData"])
        check(not wrong and names == {n[10:] for n in row if n.startswith("PointData/")}, f"step of frame {frame}", wrong)
    if not hasattr(vtkHDFReader, "GetNumberOfSteps"):
        return
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
    reader = vtkHDFReader()
    reader.SetFileName(f"{folder}/particles.vtkhdf")
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS())
    check(list(times) == steps.times, "VTK's times", times)
    for time_of, row in zip(times, steps.data):
        reader.UpdateTimeStep(time_of)
        grid = reader.GetOutputDataObject(0)
        n = len(row["Points"])
        check(grid.GetNumberOfPoints() == grid.GetNumberOfCells() == n, f"VTK's points at {time_of}")
        check(n == 0 or vtk_to_numpy(grid.GetPoints().GetData()).tolist() == row["Points"].tolist(), "VTK's places")


def test_steps(work):
    if not hasattr(vtkHDFReader, "GetNumberOfSteps"):
        skip("no VTK that reads steps (9.3)")
    out = run(work, "all", SCENE % (12, 1))
    check_steps(f"{out}/particles", list(range(13)))
    counts = [len(row["Points"]) for row in Steps(f"{out}/particles/particles.vtkhdf").data]
    check(counts[-1] < counts[0] and len(set(counts)) > 3, "particles leave", counts)
    out = run(work, "third", SCENE % (7, 3))
    check_steps(f"{out}/particles", [0, 3, 6])
    # moved elsewhere it finds its files
    os.rename(out, out + "_moved")
    check_steps(out + "_moved/particles", [0, 3, 6])
    result = freshet("run", "third.yaml", "-o", "third_moved", "--overwrite", "-q", "--set", "output={stats: true}", cwd=work)
    check(result.returncode == 0 and tree(out + "_moved") == ["log.txt", "run.json", "stats.csv"], "--overwrite", result)


def test_many(work):
    """More than are written at once: all are there at the end."""
    scene = SCENE.replace("fps: 40", "fps: 1000").replace("cells: 16", "cells: 6") % (230, 1)
    out = run(work, "many", scene)
    steps = Steps(f"{out}/particles/particles.vtkhdf")
    check(steps.count == 231 and steps.times[-1] == 0.23, "all steps", steps.count)


def test_goes_on(work):
    """Gone on with, also without the file: the same as in one go."""
    run(work, "part", SCENE % (5, 1), "--set", "output.checkpoint={every: 1}")
    for remove in (False, True):
        if remove:
            os.remove(f"{work}/part/particles/particles.vtkhdf")
        result = freshet("run", "part.yaml", "-o", "part", "--resume", "-q", "--set", "output.checkpoint={every: 1}",
                         "--set", f"time.frames={9 if remove else 7}", cwd=work)
        check(result.returncode == 0, "it goes on", result)
        check_steps(f"{work}/part/particles", list(range(10 if remove else 8)))
    whole = run(work, "whole", SCENE % (9, 1))
    with open(f"{whole}/particles/particles.vtkhdf", "rb") as one, open(f"{work}/part/particles/particles.vtkhdf",
                                                                         "rb") as two:
        check(one.read() == two.read(), "the same bytes")


def test_while_it_grows(work):
    """Read again and again while the run goes on, and after it is killed: whole every time."""
    write(f"{work}/s.yaml", SCENE.replace("cells: 16", "cells: 48") % (4000, 1))
    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", "-q"], cwd=work, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    path, seen, end = f"{work}/out/particles/particles.vtkhdf", [], time.monotonic() + SECONDS_WAIT
    while len(set(seen)) < 8 and time.monotonic() < end and process.poll() is None:
        if os.path.exists(path):
            steps = Steps(path)
            check(len(steps.data[0]["Points"]) > 1000 and len(steps.data[0]["Offsets"]) > 1000, "the first step")
            seen.append(steps.count)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    check(len(set(seen)) >= 8 and seen == sorted(seen), "it grows", seen)
    check_steps(f"{work}/out/particles", list(range(Steps(path).count)))


if __name__ == "__main__":
    if not h5py:
        print("1 skipped: no h5py here")
        sys.exit(77)
    sys.exit(run_tests(globals()))
