// Curves on the screen, by dygraphs: drawn when they come into view, of as many points as can be seen.

// From the values in [low, high] (null: all) those that draw the same curve: of each bin of x the least and the
// greatest of each y.  Indices, ascending, and one beyond each end, and the very ends, for the axes.
function visibleIndices(x, ys, range, bins) {
  const count = x.length;
  let start = 0, end = count;
  if (range) {
    start = Math.max(0, lowerBound(x, range[0]) - 1);
    end = Math.min(count, lowerBound(x, range[1]) + 2);
  }
  const chosen = new Set(count ? [0, count - 1] : []);
  if (end - start <= 4 * bins) {
    for (let i = start; i < end; i++)
      chosen.add(i);
  } else {
    for (let bin = 0; bin < bins; bin++) {
      const from = start + Math.floor((end - start) * bin / bins), to = start + Math.floor((end - start) * (bin + 1) / bins);
      for (const y of ys) {
        let least = -1, most = -1;
        for (let i = from; i < to; i++) {
          if (Number.isNaN(y[i]))
            continue;
          if (least < 0 || y[i] < y[least])
            least = i;
          if (most < 0 || y[i] > y[most])
            most = i;
        }
        if (least >= 0)
          chosen.add(least).add(most);
      }
      chosen.add(from);
    }
  }
  return Uint32Array.from(chosen).sort();
}

// The first index whose value is not below.
function lowerBound(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

function element(name, parent, text, classes) {
  const made = document.createElement(name);
  if (text !== undefined)
    made.textContent = text;
  if (classes)
    made.className = classes;
  parent?.append(made);
  return made;
}

function shortNumber(value) {
  if (value === undefined || Number.isNaN(value))
    return "–";
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(3) : String(Number(value.toPrecision(5)));
}

// Of an axis: as few digits as it needs.
function axisNumber(value) {
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? Number(value.toPrecision(3)).toExponential() : String(Number(value.toPrecision(5)));
}

// What all plots show of the x axis; null: all.
let plotRange = null;
const shownPlots = new Map(); // by id

class Plot {
  constructor(parent, spec) {
    this.spec = spec;
    this.log = Boolean(spec.log);
    this.hidden = new Set();
    this.box = element("div", parent, undefined, "plot");
    this.box.id = `plot-${spec.id}`;
    const head = element("h3", this.box, spec.title);
    element("small", head, spec.unit);
    this.logButton = element("button", head, "log");
    this.logButton.title = "logarithmic axis";
    this.logButton.hidden = Boolean(spec.stacked);
    this.logButton.addEventListener("click", () => this.setLog(!this.log));
    this.largeButton = element("button", head, "⤢");
    this.largeButton.title = "larger";
    this.largeButton.addEventListener("click", () => {
      this.box.classList.toggle("large");
      this.graph?.resize();
      this.update();
    });
    this.legend = element("div", this.box, undefined, "legend");
    const holder = element("div", this.box, undefined, "graph");
    this.area = element("div", holder, undefined, "area");
    this.now = element("div", holder, undefined, "now");
    this.buildLegend();
    this.watcher = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting))
        this.draw();
    }, {rootMargin: "200px"});
    this.watcher.observe(this.box);
  }

  buildLegend() {
    this.values = this.spec.curves.map((one, i) => {
      const chip = element("button", this.legend);
      const mark = element("i", chip);
      mark.style.borderTopColor = one.color;
      mark.style.borderTopStyle = one.dash ? "dashed" : "solid";
      element("span", chip, one.name);
      chip.setAttribute("aria-pressed", "true");
      chip.addEventListener("click", () => {
        this.hidden[this.hidden.has(i) ? "delete" : "add"](i);
        chip.setAttribute("aria-pressed", String(!this.hidden.has(i)));
        this.graph?.setVisibility(i, !this.hidden.has(i));
      });
      return element("b", chip);
    });
    if (this.spec.stacked)
      element("b", element("span", this.legend, "all"), "");
    this.sum = this.spec.stacked ? this.legend.lastChild.lastChild : null;
  }

  // Values of each curve at the place of the pointer: those of the data, not those that are drawn.
  tell(x) {
    let sum = 0;
    this.spec.curves.forEach((one, i) => {
      const list = one.x();
      let at = lowerBound(list, x);
      if (at > 0 && (at === list.length || x - list[at - 1] < list[at] - x))
        at--;
      const value = x === null ? undefined : one.y()[at];
      sum += this.hidden.has(i) ? 0 : value || 0;
      this.values[i].textContent = x === null ? "" : shortNumber(value);
    });
    if (this.sum)
      this.sum.textContent = x === null ? "" : shortNumber(sum);
  }

  // Rows for dygraphs.  Curves of one run share their points.
  rows() {
    const bins = Math.max(200, this.area.clientWidth || 600), groups = new Map();
    this.spec.curves.forEach((one, i) => {
      const x = one.x(), group = groups.get(x) || {x, ys: [], at: []};
      group.ys.push(one.y());
      group.at.push(i);
      groups.set(x, group);
    });
    const width = this.spec.curves.length + 1, rows = [];
    for (const {x, ys, at} of this.plain(groups)) {
      for (const i of visibleIndices(x, ys, plotRange, bins)) {
        const row = new Array(width).fill(null);
        row[0] = x[i];
        at.forEach((column, k) => {
          const value = ys[k][i];
          row[column + 1] = this.log && !(value > 0) ? NaN : value;
        });
        rows.push(row);
      }
    }
    if (groups.size > 1)
      rows.sort((a, b) => a[0] - b[0]);
    return rows.length ? rows : [new Array(width).fill(0)];
  }

  // Columns of typed arrays are views that are made anew: the same run and length are the same points.
  plain(groups) {
    const merged = new Map();
    for (const group of groups.values()) {
      const key = `${this.spec.curves[group.at[0]].run.index}/${group.x.length}`, other = merged.get(key);
      if (other) {
        other.ys.push(...group.ys);
        other.at.push(...group.at);
      } else {
        merged.set(key, group);
      }
    }
    return merged.values();
  }

  options() {
    const style = getComputedStyle(document.documentElement), of = name => style.getPropertyValue(name).trim();
    const axis = {axisLineColor: of("--line"), gridLineColor: of("--grid")};
    return {
      logscale: this.log && !this.spec.stacked,
      axes: {
        x: {...axis, valueFormatter: shortNumber, axisLabelFormatter: axisNumber},
        y: {...axis, valueFormatter: shortNumber, axisLabelFormatter: axisNumber, axisLabelWidth: 62},
      },
      highlightCircleSize: this.spec.stacked ? 0 : 3,
    };
  }

  draw() {
    if (this.graph)
      return;
    const curves = this.spec.curves;
    this.logButton.setAttribute("aria-pressed", String(this.log));
    if (!this.spec.stacked && !this.log)
      this.logButton.hidden = curves.some(one => one.y().some(value => value < 0));
    this.graph = new Dygraph(this.area, this.rows(), {
      ...this.options(),
      labels: ["time", ...curves.map((_, i) => `c${i}`)],
      colors: curves.map(one => one.color),
      series: Object.fromEntries(curves.map((one, i) => [`c${i}`, one.dash ? {strokePattern: one.dash} : {}])),
      visibility: curves.map((_, i) => !this.hidden.has(i)),
      legend: "never",
      connectSeparatedPoints: true,
      stackedGraph: Boolean(this.spec.stacked),
      fillAlpha: 0.55,
      strokeWidth: this.spec.stacked ? 1 : 1.4,
      animatedZooms: false,
      includeZero: Boolean(this.spec.stacked),
      xRangePad: 4,
      yRangePad: 8,
      dateWindow: plotRange,
      highlightCallback: (event, x) => this.tell(x),
      unhighlightCallback: () => this.tell(null),
      clickCallback: (event, x) => player.seek(x),
      drawCallback: graph => {
        this.graph = graph;
        this.markNow(player.time);
        followRange(graph);
      },
    });
  }

  setLog(log) {
    this.log = log;
    this.logButton.setAttribute("aria-pressed", String(log));
    this.update();
  }

  update() {
    this.graph?.updateOptions({...this.options(), file: this.rows(), dateWindow: plotRange, valueRange: null});
  }

  markNow(time) {
    if (!this.graph)
      return;
    const [low, high] = this.graph.xAxisRange();
    this.now.hidden = !player.moments.length || time < low || time > high;
    this.now.style.left = `${this.graph.toDomXCoord(time)}px`;
  }
}

// All plots follow the one that was zoomed or moved.
let followTimer = 0;
function followRange(graph) {
  const range = graph.isZoomed("x") ? graph.xAxisRange() : null;
  if (String(range) === String(plotRange))
    return;
  clearTimeout(followTimer);
  followTimer = setTimeout(() => setPlotRange(range), 60);
}

function setPlotRange(range) {
  plotRange = range;
  shownPlots.forEach(plot => plot.update());
}

// Makes the plots of what there is, and draws those anew that are there.
function refreshPlots() {
  const parent = document.getElementById("plots");
  for (const spec of allPlots()) {
    const shown = shownPlots.get(spec.id);
    if (shown && shown.spec.curves.length === spec.curves.length) {
      shown.spec = spec;
      shown.update();
      continue;
    }
    const plot = new Plot(parent, spec);
    if (shown) {
      shown.graph?.destroy();
      shown.watcher.disconnect();
      shown.box.replaceWith(plot.box);
    }
    shownPlots.set(spec.id, plot);
  }
  document.getElementById("curves").hidden = !shownPlots.size;
}
