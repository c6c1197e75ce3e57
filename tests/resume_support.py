"""What tests of resumed runs compare with: two directories of results."""
import json
import os

from cli_support import check, freshet, is_whole, read, rows, tree


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
    for name in ("stats.csv", "probes.csv"):
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
    ends = [read(f"{folder}/log.txt").decode().splitlines()[-3:-1] for folder in (one, two)]
    ok = check(ends[0] == ends[1], f"{what}: the end report", *ends) and ok
    return check(not is_whole(two), f"{what}: whole files", is_whole(two)) and ok
