#!/usr/bin/env python3
"""`freshet serve` and `run --watch`: what is given, and what is not; 10 000 mutated requests; a run that nobody
can disturb.  The server of FRESHET_PLANTED gives any file: the same requests must find that.

usage: serve.py PROGRAM SCENES_DIR [TEST...]
"""
import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

from pages_support import browser, files, make_run

from cli_support import PROGRAM, SECONDS_WAIT, check, freshet, read, refused, run_tests, skip, wait_for, write

MUTATED = 10000
# Of a request without an end nothing comes until the server gives it up, after half a minute.
QUIET = 0.1
SECRET = b"nobody but the owner may read this"
# What HTTP has for what cannot be understood, is not there or not allowed; MHD's own too.
STATUSES = {100, 200, 400, 403, 404, 405, 408, 411, 413, 414, 415, 416, 417, 431, 494, 500, 501, 503, 505}


def is_built():
    """False, after a skip, without libmicrohttpd or dygraphs."""
    result = freshet("serve", "/nowhere")
    if "without libmicrohttpd" in result.stderr:
        refused(result, "serve", "run --watch", "libmicrohttpd-dev")
        skip("built without libmicrohttpd")
        return False
    if not os.path.exists("/usr/share/javascript/dygraphs/dygraph.min.js"):
        skip("dygraphs is not installed (libjs-dygraphs)")
        return False
    return True


@contextlib.contextmanager
def serving(*folders, program=PROGRAM):
    """The port of a server of runs, which must end well."""
    process = subprocess.Popen([program, "serve", *folders], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        match = re.match(r"http://127\.0\.0\.1:(\d+)/", line)
        if not check(match, "its address is printed", line):
            print(process.communicate(timeout=SECONDS_WAIT))
        yield int(match[1])
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=SECONDS_WAIT)
    check(process.returncode == 0 and errors == "", "ends well", process.returncode, errors[-500:])


def send(port, data, seconds=20):
    """What is answered to these bytes until the server closes, or nothing comes for so many seconds."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        # Closed at once, as by a browser that ends, also if the request has no end yet.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        try:
            connection.sendall(data)
        except OSError:
            pass  # refused before all was sent
        answer = b""
        try:
            while True:
                part = connection.recv(65536)
                if not part:
                    return answer
                answer += part
        except OSError:
            return answer


def get(port, path, method="GET", host=None, **headers):
    """(status, headers, body)"""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head, _, body = send(port, ("\r\n".join(lines) + "\r\n\r\n").encode()).partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in rest), body


def test_what_is_given(work):
    if not is_built():
        return
    a, b = make_run(work, "a"), make_run(work, "b")
    before = files(work)
    with serving(a, b) as port:
        status, headers, page = get(port, "/")
        check(status == 200 and b"dygraphs" in page and headers["Content-Type"].startswith("text/html"), "the page", headers)
        check(b"connect-src 'self'" in page and headers["X-Frame-Options"] == "DENY", "it reaches its server alone")
        for index, folder in enumerate((a, b)):
            for name in ("run.json", "stats.csv", "probes.csv", "frames/frame_000002.png"):
                check(get(port, f"/{index}/{name}")[2] == before[f"{os.path.basename(folder)}/{name}"], name)
        state = json.loads(get(port, "/0/state.json")[2])
        check(state["frames"] == [0, 1, 2, 3] and state["going"] is False, "state", state)
        check(state["stats"] == len(before["a/stats.csv"]) and state["forces"] == 0, "lengths", state)
        for start in (0, 1, 100, state["stats"]):
            check(get(port, f"/0/stats.csv?from={start}")[2] == before["a/stats.csv"][start:], f"from {start}")
        check(get(port, f"/0/stats.csv?from={state['stats'] + 1}")[0] == 416, "beyond its end")
        check(get(port, "/0/stats.csv?from=-1")[0] == 404 and get(port, "/0/stats.csv?from=x")[0] == 404, "no number")
        status, headers, body = get(port, "/0/run.json", method="HEAD")
        check(status == 200 and body == b"" and int(headers["Content-Length"]) == len(before["a/run.json"]), "HEAD", headers)
    check(files(work) == before, "nothing is written")


def test_what_is_not(work):
    if not is_built():
        return
    folder = make_run(work, "out")
    write(f"{work}/secret.txt", SECRET.decode())
    os.symlink(f"{work}/secret.txt", f"{folder}/forces.csv")
    os.symlink(f"{work}/secret.txt", f"{folder}/frames/frame_000099.png")
    os.mkfifo(f"{folder}/frames/frame_000098.png")
    with serving(folder) as port:
        for path in ("/secret.txt", "/0/../secret.txt", "/0/%2e%2e/secret.txt", "/0/..%2fsecret.txt", "/0/log.txt", "/0/.lock",
                     "/0/frames/", "/0/frames/../../secret.txt", "/0//etc/passwd", "/1/run.json", "/0/forces.csv",
                     "/0/frames/frame_000099.png", "/0/frames/frame_000098.png", "/0/run.json%00", "/0/frames/frame_000055.png"):
            status, _, body = get(port, path)
            check(status == 404 and SECRET not in body, path, status)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
            check(get(port, "/", method=method)[0] == 405, method)
        check(get(port, "/", method="POST", Content_Length="0")[0] == 405, "POST")


def test_only_this_machine(work):
    if not is_built():
        return
    folder = make_run(work, "out")
    with serving(folder) as port:
        with open("/proc/net/tcp", encoding="ascii") as file:
            listening = [row.split()[1] for row in file if f":{port:04X} " in row and row.split()[3] == "0A"]
        check(listening == [f"0100007F:{port:04X}"], "listens on 127.0.0.1 alone", listening)
        if os.path.exists("/proc/net/tcp6"):
            with open("/proc/net/tcp6", encoding="ascii") as file:
                check(not any(f":{port:04X} " in row and row.split()[3] == "0A" for row in file), "and nowhere in IPv6")
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.1:{port}.evil.example"):
            check(get(port, "/0/run.json", host=host)[0] == 403, f"Host {host}")
        check(get(port, "/0/run.json", host=f"localhost:{port}")[0] == 200, "localhost")
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}"):
            check(get(port, "/0/run.json", Origin=origin)[0] == 403, f"Origin {origin}")
        check(get(port, "/0/run.json", Origin=f"http://127.0.0.1:{port}")[0] == 200, "its own origin")
        check(get(port, "/0/run.json", Sec_Fetch_Site="cross-site")[0] == 403, "Sec-Fetch-Site")
        check(send(port, b"GET /0/run.json HTTP/1.0\r\n\r\n").split()[1] == b"403", "without Host")


# ---- mutated requests -------------------------------------------------------------------------------------

SEEDS = ["/", "/0/state.json", "/0/run.json", "/0/stats.csv?from=10", "/0/probes.csv", "/0/frames/frame_000001.png"]
PIECES = [b"../", b"..%2f", b"%2e%2e/", b"..\\", b"%00", b"//", b"/.", b"%", b"%zz", b"?", b"&", b"#", b";", b"secret.txt", b"\r\n",
          b"\n", b"\r", b"\0", b" ", b"\t", b":", b"Host: ", b"Transfer-Encoding: chunked\r\n", b"Content-Length: 99999999999\r\n",
          b"Content-Length: -1\r\n", b"Expect: 100-continue\r\n", b"Range: bytes=0-1\r\n", b"from=18446744073709551616", b"HTTP/9.9",
          b"\xff\xfe", b"A" * 300, b"A" * 40000, b"0\r\n\r\n", b"/0/../secret.txt", b"/0/../secret.txt?", b"../secret.txt?", b"/0/frames/../../secret.txt", b"0", b"9"]


def mutated(number, port):
    """The request of that number; the same in every run."""
    chance = random.Random(number)
    path = chance.choice(SEEDS)
    data = bytearray(f"{chance.choice(['GET', 'GET', 'GET', 'HEAD', 'POST'])} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                     f"Accept: */*\r\nConnection: close\r\n\r\n".encode())
    for _ in range(chance.randint(1, 5)):
        kind, at = chance.randrange(6), chance.randrange(max(1, len(data)))
        if chance.random() < 0.5:  # in the path
            at = min(len(data), 4 + chance.randrange(len(path) + 1))
        if kind == 0 and data:
            data[min(at, len(data) - 1)] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at:at] = chance.choice(PIECES)
        elif kind == 2:
            del data[at:at + chance.randint(1, 20)]
        elif kind == 3:
            data[at:at + chance.randint(1, 8)] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 8)))
        elif kind == 4:
            piece = data[at:at + chance.randint(1, 60)]
            data[at:at] = piece * chance.randint(1, 3)
        else:
            data[at:] = data[at:][:chance.randint(0, 80)]
    return bytes(data)


def find_faults(port, count):
    """What of the answers to so many requests should not be."""
    faults, lock, numbers = [], threading.Lock(), iter(range(count))

    def work():
        while True:
            with lock:
                number = next(numbers, None)
            if number is None or len(faults) > 20:
                return
            data = mutated(number, port)
            try:
                answer = send(port, data, QUIET)
            except OSError as error:
                faults.append((number, data[:200], f"no connection: {error}"))
                return
            status = re.match(rb"HTTP/1\.[01] (\d{3}) ", answer)
            if SECRET in answer:
                faults.append((number, data[:200], "a file that is not for it"))
            elif answer and (not status or int(status[1]) not in STATUSES):
                faults.append((number, data[:200], answer[:200]))

    threads = [threading.Thread(target=work) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults


def test_mutated(work):
    if not is_built():
        return
    folder = make_run(work, "out")
    write(f"{work}/secret.txt", SECRET.decode())
    before = files(work)
    with serving(folder) as port:
        faults = find_faults(port, MUTATED)
        check(faults == [], f"{MUTATED} mutated requests", *faults[:5])
        check(get(port, "/0/run.json")[2] == before["out/run.json"], "it answers as before")
    check(files(work) == before, "nothing is written")


def test_planted_fault(work):
    if not is_built():
        return
    planted = os.environ.get("FRESHET_PLANTED")
    if not planted:
        skip("FRESHET_PLANTED names no server with a fault")
        return
    folder = make_run(work, "out")
    write(f"{work}/secret.txt", SECRET.decode())
    with serving(folder, program=planted) as port:
        check(any("not for it" in str(fault) for fault in find_faults(port, MUTATED)), "a server that gives any file is found")


def test_many_that_say_nothing(work):
    """Connections that are opened and left: others are answered still, once they are let go."""
    if not is_built():
        return
    folder = make_run(work, "out")
    with serving(folder) as port:
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        check(get(port, "/0/state.json")[0] == 200, "answered beside 20 that say nothing")
        for one in idle:
            one.close()
        check(get(port, "/0/state.json")[0] == 200, "answered after them")


# ---- while a run goes on ----------------------------------------------------------------------------------

def start_watched(work, name, *more):
    scene, folder = f"{work}/scene.yaml", f"{work}/{name}"
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", folder, "-d", "native", "--watch", *more],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    match = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
    check(match, "its address is told", line)
    return process, folder, int(match[1])


def test_watched_run(work):
    """It is seen to go on, and ends with the bits of one that nobody watched."""
    if not is_built():
        return
    plain = make_run(work, "plain", "--frames", "300")
    process, folder, port = start_watched(work, "watched", "--frames", "300")
    seen = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        while process.poll() is None:
            state = json.loads(get(port, "/0/state.json")[2])
            seen.append((state["going"], len(state["frames"]), state["stats"]))
            send(port, b"GET /0/stats.csv", QUIET)  # a browser that is closed in the middle
    _, errors = process.communicate(timeout=SECONDS_WAIT)
    check(process.returncode == 0, "the run is finished", process.returncode, errors)
    check(seen and seen == sorted(seen, key=lambda one: one[1:]), "it only grows")
    check(any(going and 1 < frames < 301 for going, frames, _ in seen), "while it goes on", seen[:3], seen[-3:])
    check(seen[-1][:2] == (False, 301), "its end is seen", seen[-1])
    check(freshet("compare", plain, folder).returncode == 0, "the same run")
    try:
        get(port, "/")
        check(False, "nothing listens when it has ended")
    except OSError:
        pass


def test_interrupted(work):
    """Ctrl-C leaves what it leaves without a page."""
    if not is_built():
        return
    make_run(work, "plain")
    process, folder, port = start_watched(work, "watched", "--frames", "4000")
    wait_for(lambda: len(json.loads(get(port, "/0/state.json")[2])["frames"]) > 5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=SECONDS_WAIT)
    check(process.returncode == 130 and os.listdir(f"{folder}/checkpoints"), "stopped with a checkpoint", process.returncode)


def test_served_run_of_another(work):
    """`serve` beside a run of another process: it sees that it goes on, and does not take its lock."""
    if not is_built():
        return
    make_run(work, "plain")
    process = subprocess.Popen([PROGRAM, "run", f"{work}/scene.yaml", "-o", f"{work}/out", "-d", "native", "-q", "--frames", "4000"])
    wait_for(lambda: os.path.exists(f"{work}/out/run.json"))
    with serving(f"{work}/out") as port:
        check(json.loads(get(port, "/0/state.json")[2])["going"] is True, "it goes on")
        refused(freshet("run", f"{work}/scene.yaml", "-o", f"{work}/out", "-d", "native", "--overwrite"), "out")
        process.send_signal(signal.SIGINT)
        process.wait(timeout=SECONDS_WAIT)
        check(json.loads(get(port, "/0/state.json")[2])["going"] is False, "it has ended")


def test_refused(work):
    if not is_built():
        return
    folder = make_run(work, "out")
    refused(freshet("serve"), "needs the directory")
    refused(freshet("serve", f"{work}/none"), "none", "no run")
    refused(freshet("serve", folder, "--port", "0"), "--port")
    refused(freshet("serve", folder, "--port", "65536"), "--port")
    refused(freshet("serve", folder, env={"FRESHET_JAVASCRIPT": work}), "libjs-dygraphs", code=1)
    result = freshet("run", f"{work}/scene.yaml", "-o", f"{work}/new", "-d", "native", "--watch", env={"FRESHET_JAVASCRIPT": work})
    refused(result, "libjs-dygraphs", code=1)
    check(not os.path.exists(f"{work}/new"), "nothing is run")
    with serving(folder) as port:
        refused(freshet("serve", folder, "--port", str(port)), str(port), code=1)
        with serving(folder) as other:
            check(other != port, "another port if none is asked for")


def test_in_a_browser(work):
    """The page of a run that goes on follows it to its end."""
    if not is_built():
        return
    driver = browser()
    if not driver:
        skip("no Chromium with its driver and Selenium (chromium, chromium-driver, python3-selenium)")
        return
    try:
        make_run(work, "plain")
        process, _, port = start_watched(work, "watched", "--frames", "400", "--set", "domain.cells=32")
        driver.get(f"http://127.0.0.1:{port}/")
        ask = driver.execute_script
        wait_for(lambda: ask("return document.documentElement.dataset.ready && player.moments.length > 1"))
        first = ask("return player.moments.length")
        check(ask("return document.getElementById('status').textContent") == "running", "running")
        check(ask("return player.at === player.moments.length - 1"), "the newest picture is shown")
        wait_for(lambda: ask("return document.getElementById('status').textContent") == "finished")
        process.communicate(timeout=SECONDS_WAIT)
        count = ask("return player.moments.length")
        check(first < 401 and count == 401, "all pictures at the end", first, count)
        check("400 frames" in ask("return document.getElementById('word-list').textContent"), "and in words")
    finally:
        driver.quit()


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
