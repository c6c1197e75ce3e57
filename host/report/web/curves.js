// Which curves there are: from the columns that the tables of the runs have.

const COLORS = ["#3b82d6", "#e8853a", "#3fa35f", "#d5504c", "#8d6fc9", "#2ba5a5", "#c062a0", "#9b7a3f"];
const DASHES = [null, [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 4], [1, 3], [10, 2]];

// A curve: `x()` and `y()` give arrays of the same length, when it is drawn.
function curve(run, kind, name, label, change) {
  const table = run.tables[kind];
  return {
    run, label, key: `${kind}:${name}`,
    x: () => table.column("time"),
    y: change ? () => change(table) : () => table.column(name),
  };
}

// One of each run whose table has the column.
function curvesOf(kind, name, label, change) {
  return runs.filter(run => run.tables[kind]?.names.includes(name))
    .map(run => curve(run, kind, name, label, change));
}

// Column by column, what `combine` makes of the values of a row.
function combined(...names) {
  const combine = names.pop(), kept = new WeakMap(); // by table
  return table => {
    const columns = names.map(name => table.column(name)), length = columns[0].length;
    if (kept.get(table)?.length !== length)
      kept.set(table, Float64Array.from(columns[0], (_, i) => combine(...columns.map(column => column[i]))));
    return kept.get(table);
  };
}

function isIn(kind, name) {
  return curvesOf(kind, name).length > 0;
}

// By run, or by what it shows: colours tell the one, dashes the other.
function paint(plot) {
  const keys = [...new Set(plot.curves.map(one => one.key))], single = keys.length === 1;
  for (const one of plot.curves) {
    const of = keys.indexOf(one.key), run = runs.indexOf(one.run);
    const place = single ? run : of;
    one.color = keys.length > COLORS.length ? `hsl(${Math.round(of * 360 / keys.length)} 55% 55%)`
      : COLORS[place % COLORS.length];
    one.dash = single ? null : DASHES[run % DASHES.length];
    one.name = runs.length > 1 ? single ? one.run.name : `${one.label}, ${one.run.name}` : one.label;
  }
  return plot;
}

// Sums over the substeps of each frame: {time, sums by name}.
function sumsByFrame(table, names) {
  const frames = table.column("frame"), times = table.column("time");
  const columns = names.map(name => table.column(name));
  const time = [], sums = names.map(() => []);
  for (let i = 0; i < frames.length; i++) {
    if (i === 0 || frames[i] !== frames[i - 1]) {
      time.push(0);
      sums.forEach(list => list.push(0));
    }
    time[time.length - 1] = times[i];
    columns.forEach((column, c) => sums[c][time.length - 1] += column[i] || 0);
  }
  return {time, sums};
}

// Time per stage, a plot a run, the dearest stages first.
function stagePlot(run) {
  const table = run.tables.stats;
  const names = table.names.filter(name => name.startsWith("ms_") && name !== "ms_total");
  let kept = null;
  const sums = () => kept && kept.rows === table.rows ? kept : kept = {rows: table.rows, ...sumsByFrame(table, names)};
  const total = name => sums().sums[names.indexOf(name)].reduce((sum, value) => sum + value, 0);
  const used = names.filter(name => total(name) > 0).sort((a, b) => total(b) - total(a));
  if (!used.length)
    return null;
  return paint({
    id: `stages-${run.index}`, title: runs.length > 1 ? `Time by stage, ${run.name}` : "Time by stage",
    unit: "ms per frame", stacked: true,
    curves: used.map(name => ({
      run, label: name.slice(3), key: name, x: () => sums().time, y: () => sums().sums[names.indexOf(name)],
    })),
  });
}

const UNITS = {pressure: "Pa", velocity: "m/s", height: "m", front: "m"};

// Probes of a quantity share a plot.
function probePlots() {
  const byQuantity = new Map();
  for (const run of runs)
    for (const probe of run.info?.scene?.output?.probes || []) {
      const quantity = probe.quantity || "value", list = byQuantity.get(quantity) || new Set();
      const names = quantity === "velocity" ? ["_x", "_y", "_z"].map(end => probe.name + end) : [probe.name];
      names.filter(name => isIn("probes", name)).forEach(name => list.add(name));
      byQuantity.set(quantity, list);
    }
  return [...byQuantity].map(([quantity, names]) => paint({
    id: `probe-${quantity}`, title: `Probes: ${quantity}`, unit: UNITS[quantity] || "",
    curves: [...names].flatMap(name => curvesOf("probes", name, name)),
  }));
}

function forcePlots() {
  const names = [...new Set(runs.flatMap(run => run.tables.forces?.names || []))];
  const plot = (id, title, unit, end) => paint({
    id, title, unit,
    curves: names.filter(name => end.test(name)).flatMap(name => curvesOf("forces", name, name.replace(end, " $1"))),
  });
  return [plot("force", "Forces on solids", "N", /_force_([xyz])$/), plot("torque", "Torques on solids", "N m", /_torque_([xyz])$/)];
}

// All plots, in their order; those without curves are left out.
function allPlots() {
  const of = (id, title, unit, more, ...curves) => paint({id, title, unit, ...more, curves: curves.flat()});
  const stats = (name, label, change) => curvesOf("stats", name, label || name.replaceAll("_", " "), change);
  const plots = [
    of("volume_error", "Volume error", "%", {}, stats("volume_error", "volume error", combined("volume_error", v => 100 * v))),
    of("energy", "Energy", "J", {}, stats("kinetic_energy", "kinetic"), stats("potential_energy", "potential"),
      isIn("stats", "potential_energy")
        ? stats("kinetic_energy", "both", combined("kinetic_energy", "potential_energy", (k, p) => k + p))
          .map(one => ({...one, key: "both"})) : []),
    of("iterations", "Iterations per substep", "", {}, stats("pressure_iterations", "pressure"), stats("shift_iterations", "shift")),
    of("residual", "Residual of the pressure solve", "", {log: true}, stats("pressure_residual", "residual")),
    of("divergence", "Greatest divergence", "1/s", {log: true}, stats("divergence_before", "before"), stats("divergence_after", "after")),
    ...runs.filter(run => run.tables.stats).map(stagePlot),
    of("step", "Length of substeps", "s", {}, stats("dt")),
    of("speed", "Greatest speed", "m/s", {}, stats("max_speed", "speed")),
    of("particles", "Particles", "", {}, stats("particles")),
    of("gone", "Particles that left, came or were put back", "", {}, ...["removed", "drained", "flown_out", "pushed", "escaped"]
      .map(name => stats(name)).filter(list => list.some(one => one.y().some(value => value > 0)))),
    of("density", "Density above that at rest", "", {}, stats("density_error_mean", "mean"), stats("density_error_max", "greatest")),
    ...probePlots(),
    ...forcePlots(),
  ];
  return plots.filter(plot => plot && plot.curves.length > 0);
}
