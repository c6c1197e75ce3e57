// The page as a whole: theme, keys, and what is asked for again while a run goes on.

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  shownPlots.forEach(plot => plot.update());
}

function startTheme() {
  let kept = null;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  try {
    kept = localStorage.getItem("freshet-theme");
  } catch { /* not every page may keep things */ }
  setTheme(kept || (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
}

function toggleTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("freshet-theme", theme);
  } catch { /* it holds until the page is closed */ }
  setTheme(theme);
}

function changeSpeed(by) {
  const list = document.getElementById("speed");
  list.selectedIndex = Math.max(0, Math.min(list.options.length - 1, list.selectedIndex + by));
  player.setSpeed(Number(list.value));
}

const KEYS = {
  " ": () => player.toggle(),
  ArrowLeft: event => player.step(event.shiftKey ? -10 : -1),
  ArrowRight: event => player.step(event.shiftKey ? 10 : 1),
  Home: () => player.step(-Infinity),
  End: () => player.step(Infinity),
  "+": () => changeSpeed(1),
  "=": () => changeSpeed(1),
  "-": () => changeSpeed(-1),
  l: () => document.getElementById("loop").click(),
  "[": () => split.setPart(split.part - 2),
  "]": () => split.setPart(split.part + 2),
  z: () => {
    split.setZoom(1, 0, 0);
    setPlotRange(null);
  },
  d: toggleTheme,
  "?": () => document.getElementById("keys").showModal(),
};

function onKey(event) {
  const does = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const typing = event.target.closest("select, dialog") || (event.key === " " && event.target.closest("button, input, summary"));
  if (!does || typing || event.ctrlKey || event.metaKey || event.altKey)
    return;
  does(event);
  event.preventDefault();
}

function showStatus() {
  const badge = document.getElementById("status"), states = runs.map(run => run.info?.status);
  const text = states.every(state => state === states[0]) ? states[0] || "" : "";
  badge.textContent = text === "running" && !runs[0].going ? "no end" : text;
  badge.className = `badge ${{finished: "good", failed: "bad", interrupted: "warn"}[text] || "soft"}`;
  badge.hidden = !text;
}

function showAll() {
  document.getElementById("title").textContent = runs.map(run => run.name).join("  |  ");
  showStatus();
  showWords();
  showFacts();
  refreshPlots();
  if (player.load())
    player.show();
}

// Of served pages.  Frames end every second at most on the screen.
async function follow() {
  const footer = document.getElementById("footer");
  try {
    const changed = await Promise.all(runs.map(refreshRun));
    if (changed.some(Boolean))
      showAll();
    footer.textContent = runs.some(run => run.going) ? "follows the run" : "the run has ended";
    setTimeout(follow, runs.some(run => run.going) ? 1000 : 5000);
  } catch (error) {
    footer.textContent = `freshet does not answer any more: what is shown is the last that was heard (${error.message})`;
    setTimeout(follow, 5000);
  }
}

function start() {
  player.listeners.push(time => shownPlots.forEach(plot => plot.markNow(time)));
  player.wire();
  split.wire();
  addEventListener("keydown", onKey);
  document.getElementById("theme").addEventListener("click", toggleTheme);
  document.getElementById("help").addEventListener("click", KEYS["?"]);
  startTheme();
  document.getElementById("footer").textContent = `made by freshet ${contents.freshet}`;
  if (contents.served)
    follow();
  else
    showAll();
  document.documentElement.dataset.ready = "true";
}

start();
