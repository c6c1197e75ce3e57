#!/usr/bin/env python3
"""`freshet report`: what is in the page, by a parser of HTML and by decoding it; what it refuses; and, where
there is Chromium with its driver and Selenium, what it does.

usage: report.py PROGRAM SCENES_DIR [TEST...]
"""
import base64
import csv
import html.parser
import json
import math
import os
import shutil
import struct
import sys
import time

from pages_support import browser, files, make_run

from cli_support import check, freshet, is_within, read, refused, rows, run_tests, skip, wait_for, write

LIBRARY = "/usr/share/javascript/dygraphs/dygraph.min.js"
TABLES = ("stats", "probes")


class Page(html.parser.HTMLParser):
    """The script elements of a page, with their attributes; and what asks for anything from outside."""

    def __init__(self, path):
        super().__init__()
        self.scripts, self.outside, self.policy, self.title, self.open = [], [], "", "", None
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.open = tag
        if tag == "script":
            self.scripts.append((values, []))
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        self.outside += [f"{tag} {name}={value}" for name, value in attributes
                         if name in ("src", "srcset", "data", "action", "background") or
                         name == "href" and not value.startswith("#") or name.startswith("on")]

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open == "script":
            self.scripts[-1][1].append(data)
        if self.open == "title":
            self.title += data

    def texts(self, **wanted):
        """Of the script elements with these attributes; `data_run` stands for data-run."""
        return ["".join(text) for values, text in self.scripts
                if all(values.get(key.replace("_", "-")) == value for key, value in wanted.items())]


def numbers(text, kind):
    data = base64.b64decode(text, validate=True)
    return [value[0] for value in struct.iter_unpack("<d" if kind == "f8" else "<f", data)]


def is_near(a, text, kind):
    if text == "":
        return math.isnan(a)
    b = float(text)
    return a == b if kind == "f8" else abs(a - b) <= 2 ** -23 * abs(b)


def has_library():
    if os.path.exists(LIBRARY):
        return True
    skip("dygraphs is not installed (libjs-dygraphs)")
    return False


def check_data(page, folder, index):
    """All that the run's files say is in the page."""
    contents = json.loads(page.texts(id="contents")[0])
    check(json.loads(page.texts(id=f"run-{index}")[0]) == json.loads(read(f"{folder}/run.json")), "run.json")
    for table in TABLES:
        with open(f"{folder}/{table}.csv", newline="", encoding="utf-8") as file:
            head, *body = list(csv.reader(file))
        found = [values for values, _ in page.scripts
                 if values.get("data-table") == table and values.get("data-run") == str(index)]
        check([values["data-name"] for values in found] == head, f"columns of {table}")
        for values in found:
            column = [row[head.index(values["data-name"])] for row in body]
            text = page.texts(data_table=table, data_run=str(index), data_name=values["data-name"])[0]
            if values["data-type"] == "hash":
                check(text.split(",")[:-1] == column, "hashes")
                continue
            got = numbers(text, values["data-type"])
            check(len(got) == len(column) and all(is_near(a, b, values["data-type"]) for a, b in zip(got, column)),
                  f"{table}: {values['data-name']}", got[:3], column[:3])
    names = sorted(os.listdir(f"{folder}/frames"))
    check(contents["runs"][index]["frames"] == [int(name[6:-4]) for name in names], "list of pictures")
    for name in names:
        text = page.texts(id=f"frame-{index}-{int(name[6:-4])}")
        check(len(text) == 1 and base64.b64decode(text[0]) == read(f"{folder}/frames/{name}"), name)


def check_alone(page):
    """Nothing is asked for from anywhere."""
    check(page.outside == [], "nothing from outside", page.outside)
    check("default-src 'none'" in page.policy and "connect-src" not in page.policy and "http" not in page.policy,
          "the page may reach nothing", page.policy)


def test_one(work):
    if not has_library():
        return
    folder = make_run(work, "out")
    before = files(folder)
    result = freshet("report", folder)
    check(result.returncode == 0 and result.stdout == f"{folder}/report.html\n", "its name is printed", result)
    page = Page(f"{folder}/report.html")
    check(page.title == "out", "title", page.title)
    check_data(page, folder, 0)
    check_alone(page)
    after = files(folder)
    check({name: data for name, data in after.items() if name != "report.html"} == before, "the run is as it was")
    # Again: a report may be replaced, and is the same.
    check(freshet("report", folder, "-q").returncode == 0, "again")
    check(read(f"{folder}/report.html") == after["report.html"], "the same bytes")


def test_several(work):
    if not has_library():
        return
    folders = [make_run(work, "a"), make_run(work, "b", "--set", "liquid.flip_ratio=0.5", "--set", "time.fps=12"),
               make_run(work, "c", "--set", "output.png.every=2")]
    result = freshet("report", *folders, cwd=work)
    check(result.returncode == 0 and result.stdout == "report.html\n", "beside each other", result)
    page = Page(f"{work}/report.html")
    for index, folder in enumerate(folders):
        check_data(page, folder, index)
    check_alone(page)
    check(freshet("report", folders[0], "--every", "3", "-o", f"{work}/few.html").returncode == 0, "--every")
    few = json.loads(Page(f"{work}/few.html").texts(id="contents")[0])
    check(few["runs"][0]["frames"] == [0, 3], "every third picture", few)


HOSTILE = "</script><script>document.title='broken'</script><!--<script>"


def test_hostile_names(work):
    """Names of files and of the scene are texts, whatever they hold."""
    if not has_library():
        return
    probes = json.dumps([{"name": HOSTILE, "point": [0.25, 0.1], "quantity": "pressure"}])
    folder = make_run(work, "<b onclick=x>&'\"", "--set", f"name={json.dumps(HOSTILE)}", "--set", f"output.probes={probes}")
    check(freshet("report", folder, "-o", f"{work}/page.html").returncode == 0, "written")
    page = Page(f"{work}/page.html")
    check(page.title == "<b onclick=x>&'\"", "title", page.title)
    check_data(page, folder, 0)
    check_alone(page)


def test_killed(work):
    """A run without an end: run.json as at its start, the last line unfinished."""
    if not has_library():
        return
    folder = make_run(work, "out")
    run = json.loads(read(f"{folder}/run.json"))
    run["status"], run["frames"] = "running", []
    write(f"{folder}/run.json", json.dumps(run))
    with open(f"{folder}/stats.csv", "a", encoding="utf-8") as file:
        file.write("3,99,0.1")
    os.remove(f"{folder}/probes.csv")
    shutil.rmtree(f"{folder}/frames")
    count = len(rows(f"{folder}/stats.csv")) - 1
    check(freshet("report", folder).returncode == 0, "written")
    page = Page(f"{folder}/report.html")
    check(len(numbers(page.texts(data_table="stats", data_name="time")[0], "f8")) == count, "whole lines only")
    check(page.texts(data_table="probes") == [], "no probes")


def test_refused(work):
    folder = make_run(work, "out")
    refused(freshet("report"), "needs the directory")
    refused(freshet("report", f"{work}/none"), "none")
    refused(freshet("report", work), "run.json")
    refused(freshet("report", folder, "--every", "0"), "--every", "whole number")
    refused(freshet("report", *[folder] * 9), "more than 8")
    refused(freshet("report", folder, env={"FRESHET_JAVASCRIPT": work}), "dygraphs", "apt-get install libjs-dygraphs", code=1)
    check(not os.path.exists(f"{folder}/report.html"), "no page without curves")
    os.makedirs(f"{work}/other/dygraphs")
    write(f"{work}/other/dygraphs/dygraph.min.js", "</script>")
    refused(freshet("report", folder, env={"FRESHET_JAVASCRIPT": f"{work}/other"}), "not a file of dygraphs", code=1)
    write(f"{folder}/run.json", "{}")
    refused(freshet("report", folder), "run.json")


def test_files_in_the_way(work):
    if not has_library():
        return
    folder = make_run(work, "out")
    write(f"{work}/letter.html", "<!DOCTYPE html>\n<p>mine")
    refused(freshet("report", folder, "-o", f"{work}/letter.html"), "no report", "--overwrite")
    check(read(f"{work}/letter.html") == b"<!DOCTYPE html>\n<p>mine", "left alone")
    check(freshet("report", folder, "-o", f"{work}/letter.html", "--overwrite").returncode == 0, "--overwrite")
    refused(freshet("report", folder, "-o", folder), "no file")
    refused(freshet("report", folder, "-o", f"{work}/none/page.html"), "none/page.html", code=1)
    write(f"{folder}/stats.csv", "")
    refused(freshet("report", folder), "stats.csv", "no table")
    check(sorted(os.listdir(work)) == ["letter.html", "out", "scene.yaml"], "nothing is left over", os.listdir(work))


# ---- in a browser ----------------------------------------------------------------------------------------

class Browser:
    """A page in Chromium; None of it where there is none."""

    def __init__(self, driver):
        self.driver = driver

    def ask(self, script):
        return self.driver.execute_script(script)

    def open(self, url):
        self.driver.get("about:blank")
        wait_for(lambda: self.ask("return location.href") == "about:blank")
        start = time.monotonic()
        self.driver.get(url)
        self.wait("return location.href !== 'about:blank' && document.documentElement.dataset.ready === 'true'")
        return start

    def wait(self, script):
        wait_for(lambda: self.ask(script))
        return check(bool(self.ask(script)), script)

    def equals(self, script, expected):
        value = self.ask(script)
        return check(value == expected, script, value, expected)

    def key(self, name, shift=False):
        self.ask("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', shiftKey: %s, bubbles: true, "
                 "cancelable: true}))" % (name, "true" if shift else "false"))

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]


def in_browser(work, test):
    if not has_library():
        return
    driver = browser()
    if not driver:
        skip("no Chromium with its driver and Selenium (chromium, chromium-driver, python3-selenium)")
        return
    try:
        page = Browser(driver)
        test(work, page)
        check(page.errors() == [], "no errors in the browser", page.errors())
    finally:
        driver.quit()


def try_player(work, page):
    folder = make_run(work, "out")
    freshet("report", folder)
    page.open(f"file://{folder}/report.html")
    shown = "document.getElementById('left').dataset.frame"
    page.wait(f"return {shown} === '0'")
    page.key("ArrowRight")
    page.wait(f"return {shown} === '1'")
    page.key("End")
    page.wait(f"return {shown} === '3'")
    page.key("ArrowLeft")
    page.wait(f"return {shown} === '2'")
    page.key("Home")
    page.wait(f"return {shown} === '0'")
    page.ask("const s = document.getElementById('scrub'); s.value = 2; s.dispatchEvent(new Event('input'))")
    page.wait(f"return {shown} === '2'")
    # The picture is that of the file: its pixels, from another decoder of the browser.
    page.ask("""window.same = null; const c = document.getElementById('left'), i = new Image();
        i.onload = () => { const o = document.createElement('canvas'); o.width = i.width; o.height = i.height;
          const p = o.getContext('2d'); p.drawImage(i, 0, 0); window.same = i.width === 64 && i.height === 32 &&
          p.getImageData(0, 0, 64, 32).data.join() === c.getContext('2d').getImageData(0, 0, 64, 32).data.join(); };
        i.src = 'data:image/png;base64,' + document.getElementById('frame-0-2').textContent""")
    page.wait("return window.same === true")
    # Played at the run's rate: three distances of 1/24 s, then from the start again.
    page.ask("window.seen = new Set(); player.listeners.push(() => window.seen.add(player.at))")
    page.key(" ")
    page.wait("return window.seen.size === 4")
    page.equals("return player.playing", True)
    page.key(" ")
    page.equals("return player.playing", False)
    page.key("+")
    page.equals("return player.speed", 2)
    page.equals("return document.getElementById('pair').hidden", True)
    # Zoom by a double click, and back.
    page.ask("split.toggleZoom(0.5, 0.5)")
    page.equals("return document.getElementById('left').style.transform", "scale(3) translate(-33.3333%, -33.3333%)")
    page.key("z")
    page.equals("return split.scale", 1)


def test_player(work):
    in_browser(work, try_player)


def try_curves(work, page):
    folder = make_run(work, "out")
    freshet("report", folder)
    table = rows(f"{folder}/stats.csv")
    page.open(f"file://{folder}/report.html")
    page.ask("shownPlots.forEach(plot => plot.draw())")
    for plot in ("volume_error", "energy", "iterations", "residual", "divergence", "stages-0", "probe-pressure", "probe-height"):
        page.equals(f"return Boolean(shownPlots.get('{plot}')?.graph)", True)
    # What is told under the pointer is what the table has, at each of its times.
    for row in table[1::3]:
        page.ask(f"shownPlots.get('energy').tell({row['time']})")
        told = page.ask("return shownPlots.get('energy').values.map(one => Number(one.textContent))")
        expected = [float(row["kinetic_energy"]), float(row["potential_energy"])]
        expected.append(sum(expected))
        check(all(abs(a - b) <= 1e-4 * abs(b) for a, b in zip(told, expected)), "values under the pointer", told, expected)
    # Times of stages add up to those of the substeps of a frame.
    page.ask(f"shownPlots.get('stages-0').tell({table[-1]['time']})")
    stages = [name for name in table[0] if name.startswith("ms_") and name != "ms_total"]
    total = sum(float(row[name]) for row in table if row["frame"] == "3" for name in stages)
    told = float(page.ask("return shownPlots.get('stages-0').sum.textContent"))
    check(abs(told - total) <= 1e-3 * total, "sum of the stages", told, total)
    # All plots zoom together, logarithms are by a button, curves can be hidden.
    page.ask("shownPlots.get('energy').graph.updateOptions({dateWindow: [0.02, 0.06]})")
    page.wait("return String(shownPlots.get('iterations').graph.xAxisRange()) === '0.02,0.06'")
    page.key("z")
    page.wait("return !shownPlots.get('energy').graph.isZoomed('x')")
    page.equals("return shownPlots.get('residual').graph.getOption('logscale')", True)
    page.ask("document.querySelector('#plot-residual h3 button').click()")
    page.equals("return shownPlots.get('residual').graph.getOption('logscale')", False)
    page.ask("document.querySelector('#plot-energy .legend button').click()")
    page.equals("return shownPlots.get('energy').graph.visibility()", [False, True, True])
    # A click goes to that moment.
    page.ask("shownPlots.get('energy').graph.getOption('clickCallback')(null, 0.09)")
    page.equals("return player.at", 2)
    before = page.ask("return getComputedStyle(document.body).backgroundColor")
    page.key("d")
    check(page.ask("return getComputedStyle(document.body).backgroundColor") != before, "dark and light")
    words = page.ask("return document.getElementById('word-list').textContent")
    check("finished: 3 frames" in words and "Every particle is accounted for" in words, "in words", words)
    text = page.ask("return document.getElementById('facts').textContent")
    run = json.loads(read(f"{folder}/run.json"))
    for word in (run["device"]["name"], run["version"], run["git"], run["frames"][-1]["hash"], "small dam"):
        check(word in text, f"what was run: {word}")


def test_curves(work):
    in_browser(work, try_curves)


def try_several(work, page):
    a, b = make_run(work, "a"), make_run(work, "b", "--set", "liquid.flip_ratio=0.5", "--set", "time.fps=12")
    freshet("report", a, b, "-o", f"{work}/page.html")
    page.open(f"file://{work}/page.html")
    page.ask("shownPlots.forEach(plot => plot.draw())")
    frames = "return ['left', 'right'].map(side => document.getElementById(side).dataset.frame).join()"
    page.wait(f"{frames} === '0,0'")
    # Run b has half the frames a second: what is shown of both is of one time.
    page.ask("player.seek(2 / 24)")
    page.wait(f"return (() => {{ {frames} }})() === '2,1'")
    page.ask("split.setPart(50)")
    page.key("]")
    page.equals("return split.part", 52)
    page.equals("return getComputedStyle(document.getElementById('figure-right')).clipPath", "inset(0px 0px 0px 52%)")
    page.ask("const w = document.getElementById('pick-way'); w.value = 'difference'; w.dispatchEvent(new Event('change'))")
    page.equals("return getComputedStyle(document.getElementById('figure-right')).mixBlendMode", "difference")
    page.equals("return shownPlots.get('volume_error').graph.getLabels().length", 3)
    text = page.ask("return document.getElementById('differences').textContent")
    check("liquid.flip_ratio" in text and "0.5" in text and "time.fps" in text, "what differs", text)
    words = page.ask("return document.getElementById('word-list').textContent")
    check("a and b differ from frame 1 on" in words, "hashes in words", words)


def test_several_in_a_browser(work):
    in_browser(work, try_several)


def try_hostile(work, page):
    probes = json.dumps([{"name": HOSTILE, "point": [0.25, 0.1], "quantity": "pressure"}])
    folder = make_run(work, "<b>x", "--set", f"name={json.dumps(HOSTILE)}", "--set", f"output.probes={probes}")
    freshet("report", folder, "-o", f"{work}/page.html")
    page.open(f"file://{work}/page.html")
    page.ask("shownPlots.forEach(plot => plot.draw())")
    page.equals("return document.title", "<b>x")
    page.equals("return document.querySelector('#plot-probe-pressure .legend span').textContent", HOSTILE)
    page.equals("return document.querySelectorAll('b').length", page.ask("return document.querySelectorAll('.legend b').length"))


def test_hostile_in_a_browser(work):
    in_browser(work, try_hostile)


def make_large(folder, pictures, lines):
    """As many pictures and rows of a run as one looks at."""
    table = read(f"{folder}/stats.csv").decode().splitlines()
    head, body = table[0].split(","), [line.split(",") for line in table[1:]]
    with open(f"{folder}/stats.csv", "w", encoding="utf-8") as file:
        file.write(table[0] + "\n")
        for i in range(lines):
            row = body[i % len(body)]
            row[head.index("time")], row[head.index("frame")] = repr(i * pictures / 24 / lines), str(i * pictures // lines)
            file.write(",".join(row) + "\n")
    first = read(f"{folder}/frames/frame_000003.png")
    for i in range(pictures):
        with open(f"{folder}/frames/frame_{i:06d}.png", "wb") as file:
            file.write(first)


def try_large(work, page):
    folder = make_run(work, "out", "--set", "output.png.size=[1280,720]")
    make_large(folder, 1000, 100000)
    check(freshet("report", folder).returncode == 0, "written")
    start = page.open(f"file://{folder}/report.html")
    page.wait("return document.getElementById('left').dataset.frame === '0'")
    seconds = time.monotonic() - start
    check(is_within(seconds, 2.0), "1000 pictures of 1280 x 720 and 100 000 rows: open in 2 s", seconds)
    page.wait("return document.readyState === 'complete'")
    print(f"    open after {seconds:.2f} s, complete after {time.monotonic() - start:.2f} s, "
          f"{os.path.getsize(folder + '/report.html') / 1048576:.0f} MiB")
    page.ask("player.go(999)")
    page.wait("return document.getElementById('left').dataset.frame === '999'")
    page.ask("player.go(0); player.play()")
    wait_for(lambda: page.ask("return player.at") > 48)
    check(page.ask("return pictures.kept.size") <= 40, "few pictures are kept decoded")
    # Few points are drawn, and a spike of one row in 100 000 is among them.
    page.ask("player.stop(); shownPlots.forEach(plot => plot.draw())")
    check(page.ask("return shownPlots.get('energy').graph.numRows()") < 10000, "as many points as can be seen")


def test_large(work):
    in_browser(work, try_large)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
