"""What the tests of pages share: runs to look at, and a browser if there is one."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cli_support import SCENE, check, freshet, write

# Debian's packages, for another Python than Debian's.
DEBIAN = "/usr/lib/python3/dist-packages"


def make_run(work, name, *more):
    """A run of three frames without OpenCL; its directory."""
    scene, folder = os.path.join(work, "scene.yaml"), os.path.join(work, name)
    if not os.path.exists(scene):
        write(scene, SCENE)
    result = freshet("run", scene, "-o", folder, "-d", "native", "-q", *more)
    check(result.returncode == 0, f"a run for {name}", result)
    return folder


def files(folder):
    """{path: bytes} of all that is in it."""
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(base, name), "rb") as file:
                found[os.path.relpath(os.path.join(base, name), folder)] = file.read()
    return found


def browser():
    """Chromium without a window, by Selenium; None where one of them is missing."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver:
        return None
    if DEBIAN not in sys.path:
        sys.path.append(DEBIAN)
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        return None
    options = webdriver.ChromeOptions()
    options.binary_location = program
    # Without the sandbox, which root cannot have; what it opens are our own pages.
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1000"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.page_load_strategy = "none"
    return webdriver.Chrome(service=Service(driver), options=options)
