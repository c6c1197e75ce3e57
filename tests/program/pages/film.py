#!/usr/bin/env python3
"""`freshet film`: what ffmpeg is told and given, by a stand-in that writes it down; and real films, read back by
ffprobe, where ffmpeg is installed.

usage: film.py PROGRAM SCENES_DIR [TEST...]
"""
import json
import os
import shutil
import subprocess
import sys

from pages_support import files, make_run

from cli_support import check, freshet, read, refused, run_tests, skip, write

# Writes its words and its input where STAND_IN says, and a file where a film is wanted.
STAND_IN = """#!/bin/sh
printf '%s\\n' "$@" >"$STAND_IN/words"
cat >"$STAND_IN/input"
for word; do last=$word; done
printf film >"${last#file:}"
exit "${STAND_IN_CODE:-0}"
"""


def stand_in(work, code=0):
    """An environment whose ffmpeg is the stand-in."""
    folder = os.path.join(work, "bin")
    os.makedirs(folder, exist_ok=True)
    write(f"{folder}/ffmpeg", STAND_IN)
    os.chmod(f"{folder}/ffmpeg", 0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "STAND_IN": work, "STAND_IN_CODE": str(code)}


def given(work):
    return read(f"{work}/words").decode().splitlines(), read(f"{work}/input")


def after(words, name):
    return words[words.index(name) + 1]


def test_what_ffmpeg_gets(work):
    folder = make_run(work, "out")
    before = files(folder)
    result = freshet("film", folder, env=stand_in(work))
    check(result.returncode == 0 and f"{folder}/film.mp4: 4 pictures, 24 a second" in result.stdout, "told", result)
    words, data = given(work)
    check(after(words, "-framerate") == "24" and after(words, "-pix_fmt") == "yuv420p", "rate and pixels", words)
    check("pad=ceil(iw/2)*2:ceil(ih/2)*2" in words, "even sizes", words)
    check(data == b"".join(before[f"frames/frame_{i:06d}.png"] for i in range(4)), "all pictures, in their order")
    now = files(folder)
    check(now.pop("film.mp4") == b"film" and now == before, "a film, and the run as it was", sorted(now))


def test_rates(work):
    """A second of the film is one of the run, however many pictures it has, and wherever some are missing."""
    folder = make_run(work, "out", "--frames", "12", "--set", "output.png.every=3", "--set", "time.fps=30")
    freshet("film", folder, env=stand_in(work))
    words, data = given(work)
    pictures = [read(f"{folder}/frames/frame_{i:06d}.png") for i in (0, 3, 6, 9, 12)]
    check(float(after(words, "-framerate")) == 10 and data == b"".join(pictures), "one in three", words)
    os.remove(f"{folder}/frames/frame_000006.png")
    freshet("film", folder, "--overwrite", env=stand_in(work))
    words, data = given(work)
    check(float(after(words, "-framerate")) == 10 and
          data == b"".join(pictures[i] for i in (0, 1, 1, 3, 4)), "a missing one: the one before lasts longer", words)
    freshet("film", folder, "--overwrite", "--fps", "5.5", env=stand_in(work))
    check(after(given(work)[0], "-framerate") == "5.5", "--fps")


def test_names_are_names(work):
    """No shell reads them, and none is taken for an option or a protocol."""
    folder = make_run(work, "out")
    for name in ("$(touch owned).mp4", "; touch owned;.mp4", "-y.mp4", "http:x.mp4", "a b'\".mp4", "%d.mp4"):
        result = freshet("film", folder, "-o", name, cwd=work, env=stand_in(work))
        check(result.returncode == 0 and read(f"{work}/{name}") == b"film", name, result)
        check(after(given(work)[0], "mp4") == f"file:{name}.tmp", "one word", given(work)[0])
    check(not os.path.exists(f"{work}/owned"), "nothing was run")


def test_failures(work):
    folder = make_run(work, "out")
    refused(freshet("film", folder, env=stand_in(work, 3)), "ffmpeg failed", "exit code 3", code=1)
    check(sorted(os.listdir(folder)) == ["frames", "log.txt", "probes.csv", "run.json", "stats.csv"], "nothing is left over")
    # One that ends before it has read all.
    write(f"{work}/bin/ffmpeg", "#!/bin/sh\nexit 4\n")
    refused(freshet("film", folder, env=stand_in(work) | {"STAND_IN_CODE": "4"}), "ffmpeg failed", code=1)
    refused(freshet("film", folder, env={"PATH": "/nowhere"}), "ffmpeg", "missing", "apt-get install ffmpeg", code=1)
    result = freshet("film", folder, "-o", f"{work}/none/film.mp4", env=stand_in(work))
    check(result.returncode == 1 and "freshet: cannot write" in result.stderr and "none/film.mp4" in result.stderr, "no folder", result)



def test_refused(work):
    folder = make_run(work, "out")
    refused(freshet("film"), "needs the directory")
    refused(freshet("film", work), "run.json")
    refused(freshet("film", folder, "-o", "film.gif"), ".mp4, .mov or .mkv")
    refused(freshet("film", folder, "--fps", "0"), "--fps")
    refused(freshet("film", folder, "--fps", "fast"), "--fps")
    refused(freshet("film", folder, "more"), "one directory")
    write(f"{folder}/film.mp4", "mine")
    refused(freshet("film", folder, env=stand_in(work)), "there already", "--overwrite")
    check(read(f"{folder}/film.mp4") == b"mine", "left alone")
    os.symlink(f"{work}/scene.yaml", f"{work}/link.mp4")
    refused(freshet("film", folder, "-o", f"{work}/link.mp4", "--overwrite", env=stand_in(work)), "no file")
    shutil.rmtree(f"{folder}/frames")
    refused(freshet("film", folder, env=stand_in(work)), "no pictures", "freshet render")


def test_real_film(work):
    if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
        skip("ffmpeg is not installed")
        return
    folder = make_run(work, "out", "--set", "output.png.size=[65,33]", "--set", "time.fps=12", "--frames", "6")
    for ending in ("mp4", "mov", "mkv"):
        path = f"{work}/film.{ending}"
        result = freshet("film", folder, "-o", path)
        if not check(result.returncode == 0, "made", result):
            continue
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", path],
                               stdout=subprocess.PIPE, text=True, check=False)
        stream = json.loads(probe.stdout)["streams"][0]
        check((stream["width"], stream["height"]) == (66, 34), "even sizes", stream)
        check(stream["r_frame_rate"] == "12/1" and stream["nb_read_frames"] == "7", "rate and pictures", stream)
        check(stream["codec_name"] == "h264" and stream["pix_fmt"] == "yuv420p", "codec", stream)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
