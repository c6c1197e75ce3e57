"""What tests of resumed runs share: scenes, runs, and the comparison of two directories of results."""
import json
import os

from cli_support import check, freshet, is_whole, read, rows, tree

# Through an open wall particles leave all the time.  The 3D scene is in a box that moves, and writes
# all there is to write.
FLAT = """version: 1
name: splash
domain: {size: [2.0, 1.0], cells: 24, walls: {y+: open, x+: open}}
time: {frames: 20, fps: 24}
gravity: [0, -9.81]
liquid: {transfer: TRANSFER, particles_per_cell: 4}
liquids:
  - {name: column, box: {min: [0, 0], max: [0.7, 0.8]}, velocity: [3, 0]}
solids:
  - {name: ball, sphere: {center: [1.2, 0.2], radius: 0.15}}
drains:
  - {name: sink, box: {min: [0, 0], max: [0.4, 0.2]}, rate: 0.05}
  - {name: far, box: {min: [1.6, 0], max: [2, 0.3]}}
forces:
  - {name: gust, wind: {velocity: [6, 1]}, time: [{time: 0.1, factor: 0}, {time: 0.3, factor: 1}]}
  - {vorticity: {strength: 2}}
  - {custom: [{time: 0, acceleration: [0, 0]}, {time: 0.5, acceleration: [2, 1]}], box: {min: [0, 0], max: [1, 0.5]}, falloff: 0.2}
inflows:
  - {name: jet, wall: x-, box: {min: [0, 0.7], max: [0, 1]}, velocity: [2, 0.5], start: 0.05, ramp: 0.1}
outflows:
  - {name: sea, wall: x-, box: {min: [0, 0], max: [0, 0.5]}, hydrostatic: 0.9}
  - {name: hole, wall: y-, box: {min: [1.5, 0], max: [1.8, 0]}, velocity: 0.5}
emitters:
  - {name: spring, sphere: {center: [1.5, 0.8], radius: 0.15}, velocity: [-1, 0], fill: true}
  - {name: drop, sphere: {center: [1.0, 0.8], radius: 0.15}, at: 0.4}
output:
  png: {size: [64, 32]}
  forces: true
  probes: [{name: gate, point: [0.25, 0.1], quantity: pressure}]
  checkpoint: {every: 3, keep: 2}
"""
SOLID = """version: 1
name: splash
domain: {size: [1.0, 1.0, 1.0], cells: 8, walls: {y+: open, x+: open}}
time: {frames: 12, fps: 24}
liquid: {transfer: TRANSFER}
frame:
  axis: [1, 0.3, 0.2]
  roll: {amplitude: 0.3, frequency: 2, ramp: 0.3}
  motion: [{time: 0, velocity: [0, 0, 0]}, {time: 0.2, velocity: [0.3, 0, 0.2]}]
liquids:
  - {name: column, box: {min: [0, 0, 0], max: [0.6, 0.8, 0.7]}, velocity: [2, 0, 1]}
output:
  png: {size: [48, 32], view: surface}
  probes: [{name: gate, point: [0.25, 0.1, 0.3], quantity: pressure}]
  particles: {}
  fields: {every: 3}
  mesh: {every: 2}
  checkpoint: {every: 2, keep: 3}
"""


def run(work, *arguments, scene="s.yaml", **more):
    return freshet("run", scene, *arguments, cwd=work, **more)


def whole(work, name="whole", scene="s.yaml"):
    result = run(work, "-o", name, "-q", scene=scene)
    check(result.returncode == 0, "the uninterrupted run", result)
    return os.path.join(work, name)


def stopped(work, name, frames=8, scene="s.yaml"):
    """A run that was stopped by its number of frames: resuming asks for more."""
    result = run(work, "-o", name, "-q", "--frames", str(frames), scene=scene)
    check(result.returncode == 0, "the first part", result)
    return os.path.join(work, name)


def latest(folder):
    """The frame of the latest checkpoint, and what tells it from others of that frame."""
    for name in reversed(checkpoints(folder)):
        try:
            status = os.stat(f"{folder}/checkpoints/{name}")
        except FileNotFoundError:
            continue  # it was an old one
        if name.endswith(".h5") and not name.startswith("."):
            return int(name[11:17]), status.st_ino, status.st_mtime_ns
    return -1, 0, 0


def accounts(folder):
    with open(f"{folder}/run.json", encoding="utf-8") as file:
        return json.load(file)


def hashes(work, path):
    return freshet("hash", path, cwd=work).stdout


def checkpoints(folder):
    path = os.path.join(folder, "checkpoints")
    return sorted(os.listdir(path)) if os.path.isdir(path) else []


def table(path):
    """Without the times on the clock."""
    return [{key: value for key, value in row.items() if not key.startswith("ms_")}
            for row in rows(path)]


def same_results(one, two, what):
    """All that two directories hold of a run is equal, but for times on the clock."""
    hash_lists = [freshet("hash", folder).stdout for folder in (one, two)]
    ok = check(hash_lists[0] == hash_lists[1] and hash_lists[0], f"{what}: hashes", *hash_lists)
    for name in ("stats.csv", "probes.csv", "forces.csv"):
        if not os.path.exists(f"{one}/{name}"):
            continue
        ok = check(table(f"{one}/{name}") == table(f"{two}/{name}"), f"{what}: {name}") and ok
    # pictures, particles, fields, meshes
    files = [[name for name in tree(folder) if "/" in name and "checkpoints/" not in name]
             for folder in (one, two)]
    ok = check(files[0] == files[1], f"{what}: the same files", *files) and ok
    other = [name for name in files[0] if read(f"{one}/{name}") != read(f"{two}/{name}")]
    ok = check(not other, f"{what}: the same bytes", other) and ok
    totals = []
    for folder in (one, two):
        with open(f"{folder}/run.json", encoding="utf-8") as file:
            totals.append(json.load(file))
    ok = check(totals[0]["totals"] == totals[1]["totals"], f"{what}: totals", totals[0]["totals"],
               totals[1]["totals"]) and ok
    check(totals[1]["status"] == "finished", f"{what}: status", totals[1]["status"])
    ends = [[line for line in read(f"{folder}/log.txt").decode().splitlines()[-3:-1] if not line.startswith(("finished", "frame "))]
            for folder in (one, two)]
    ok = check(ends[0] == ends[1], f"{what}: the end report", *ends) and ok
    return check(not is_whole(two), f"{what}: whole files", is_whole(two)) and ok


def crc64(data):
    """CRC-64/XZ, bit by bit."""
    crc = 2**64 - 1
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xC96C5795D7870F42 if crc & 1 else 0)
    return crc ^ 2**64 - 1


def seal(path, data, newer=0):
    """Writes a checkpoint with what it says about itself."""
    data = bytearray(data)
    lines = data[:512].rstrip(b"\0").decode().splitlines()
    lines[1] = f"format {int(lines[1].split()[1]) + newer}"
    for crc in (0, None):
        lines[3] = f"crc64 {crc64(data) if crc is None else crc:016x}"
        data[:512] = ("\n".join(lines) + "\n").encode().ljust(512, b"\0")
    with open(path, "wb") as file:
        file.write(data)
