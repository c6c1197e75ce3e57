// What the runs were: a table with a column for each, what differs between their scenes, the scenes.

function seconds(value) {
  if (value === undefined || value === null)
    return "";
  const short = number => String(Number(number.toPrecision(3)));
  if (value < 1)
    return `${short(value * 1000)} ms`;
  const hours = Math.floor(value / 3600), minutes = Math.floor(value / 60) % 60;
  return hours ? `${hours} h ${minutes} min` : minutes ? `${minutes} min ${Math.floor(value % 60)} s` : `${short(value)} s`;
}

function percent(value) {
  return value === undefined || value === null ? "" : `${Number((100 * value).toPrecision(3))} %`;
}

function mebibytes(value) {
  return value ? `${shortNumber(value / 1048576)} MiB` : "";
}

// A word of a command line as a shell takes it.
function shellWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const FACTS = [
  ["state", run => run.info.status],
  ["scene", run => run.info.scene?.name],
  ["scene file", run => run.info.scene_path],
  ["method", run => run.info.scene?.method || "flip"],
  ["cells", run => run.info.scene?.domain?.cells?.join(" × ")],
  ["box, m", run => run.info.scene?.domain?.size?.join(" × ")],
  ["particles", run => run.info.totals && `${run.info.totals.particles_start} → ${run.info.totals.particles_end}`],
  ["frames", run => `${Math.max(0, (run.info.frames?.length || 0) - 1)} of ${run.info.scene?.time?.frames}, ${run.fps} a second`],
  ["substeps", run => run.info.totals?.substeps],
  ["pressure iterations, mean and most", run => run.info.totals?.pressure_iterations_mean !== undefined &&
    `${shortNumber(run.info.totals.pressure_iterations_mean)}, ${run.info.totals.pressure_iterations_max}`],
  ["volume error, worst and at the end", run => run.info.totals &&
    `${percent(run.info.totals.volume_error_worst)}, ${percent(run.info.totals.volume_error_end)}`],
  ["time, all", run => seconds(run.info.seconds?.total)],
  ["time of a frame, of a substep", run => run.info.seconds &&
    `${seconds(run.info.seconds.per_frame)}, ${seconds(run.info.seconds.per_substep)}`],
  ["device", run => run.info.device && `${run.info.device.name} (${run.info.device.platform}, ${run.info.device.version})`],
  ["driver", run => run.info.device?.driver],
  ["memory on it, at most", run => mebibytes(run.info.device?.memory_peak_bytes)],
  ["freshet", run => `${run.info.version} (${run.info.git})`],
  ["build", run => run.info.build && `${run.info.build.compiler}, ${run.info.build.type}`],
  ["started", run => run.info.started],
  ["resumed at frames", run => run.info.resumed_at?.join(", ")],
  ["command", run => run.info.command?.map(shellWord).join(" ")],
  ["last state hash", run => [...run.hashes().values()].pop()],
];

function showTable(known) {
  const table = document.getElementById("fact-table");
  table.replaceChildren();
  if (known.length > 1) {
    const head = element("tr", table);
    element("th", head, "");
    known.forEach(run => element("th", head, run.name));
  }
  for (const [name, value] of FACTS) {
    const values = known.map(run => String(value(run) || ""));
    if (values.every(text => !text))
      continue;
    const row = element("tr", table), differs = values.some(text => text !== values[0]);
    element("td", row, name);
    values.forEach(text => element(/command|hash/.test(name) ? "code" : "span",
      element("td", row, undefined, differs ? "differs" : ""), text));
  }
}

// {path: text} of all that is no object or list of objects.
function leaves(value, path, into) {
  const isList = Array.isArray(value), plain = value === null || typeof value !== "object" ||
    (isList && value.every(item => item === null || typeof item !== "object"));
  if (plain)
    into[path] = JSON.stringify(value);
  else
    for (const [key, inner] of Object.entries(value))
      leaves(inner, isList ? `${path}[${key}]` : path ? `${path}.${key}` : key, into);
  return into;
}

function showDifferences(known) {
  const box = document.getElementById("differences");
  box.replaceChildren();
  if (known.length < 2)
    return;
  const all = known.map(run => leaves(run.info.scene || {}, "", {}));
  const keys = [...new Set(all.flatMap(Object.keys))].filter(key => all.some(one => one[key] !== all[0][key]));
  element("h3", box, "What differs between the scenes");
  if (!keys.length) {
    element("p", box, "Nothing.");
    return;
  }
  const table = element("table", element("div", box, undefined, "wide")), head = element("tr", table);
  element("th", head, "key");
  known.forEach(run => element("th", head, run.name));
  for (const key of keys) {
    const row = element("tr", table);
    element("td", row, key);
    all.forEach(one => element("code", element("td", row), one[key] ?? "–"));
  }
}

function showScenes(known) {
  const box = document.getElementById("scenes"), open = new Set([...box.querySelectorAll("details[open]")].map(one => one.dataset.run));
  box.replaceChildren();
  for (const run of known) {
    const details = element("details", box);
    details.dataset.run = run.index;
    details.open = open.has(String(run.index));
    element("summary", details, known.length > 1 ? `the scene of ${run.name}` : "the scene");
    element("p", details, "With every default.  It is JSON, which is YAML: a scene file as it is.", "soft");
    element("pre", details, JSON.stringify(run.info.scene, null, 2));
  }
}

function showFacts() {
  const known = runs.filter(run => run.info);
  showTable(known);
  showDifferences(known);
  showScenes(known);
}
