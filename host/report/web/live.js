// Served pages: data are fetched from where the page came from, and again while the run goes on.

// A table that grows at its end.
class FetchedTable {
  constructor(url) {
    this.url = url;
    this.names = [];
    this.rows = 0;
    this.from = 0; // bytes read, up to the end of a line
    this.values = new Map();
  }

  // Numbers so far; of the column "hash" texts.
  column(name) {
    const list = this.values.get(name);
    return name === "hash" ? list.slice(0, this.rows) : list.subarray(0, this.rows);
  }

  // Reads on; true if there were new rows.
  async read() {
    const answer = await fetch(`${this.url}?from=${this.from}`);
    if (answer.status === 416) { // shorter than before: another run has taken the directory
      Object.assign(this, new FetchedTable(this.url));
      return true;
    }
    if (!answer.ok)
      return false;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const whole = bytes.lastIndexOf(10) + 1;
    if (!whole)
      return false;
    this.from += whole;
    const lines = new TextDecoder().decode(bytes.subarray(0, whole)).split("\n").slice(0, -1);
    if (!this.names.length)
      this.names = splitLine(lines.shift());
    this.append(lines);
    return lines.length > 0;
  }

  append(lines) {
    const count = this.names.length, needed = this.rows + lines.length;
    const columns = this.names.map(name => {
      let list = this.values.get(name);
      if (name === "hash") {
        list = list || [];
      } else if (!list || list.length < needed) {
        const grown = new Float64Array(needed * 2);
        if (list)
          grown.set(list.subarray(0, this.rows));
        list = grown;
      }
      this.values.set(name, list);
      return list;
    });
    for (const line of lines) {
      const fields = line.split(",");
      for (let c = 0; c < count; c++) {
        const field = fields[c];
        columns[c][this.rows] = this.names[c] === "hash" ? field || "" : field ? Number(field) : NaN;
      }
      this.rows++;
    }
  }
}

// Fields of a line of CSV, with quotes.
function splitLine(line) {
  const fields = [];
  for (const match of line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)) {
    if (match.index === line.length && fields.length && !line.endsWith(","))
      break;
    fields.push(match[1].startsWith('"') ? match[1].slice(1, -1).replaceAll('""', '"') : match[1]);
  }
  return fields;
}

// Asks for what is new; true if something was.
async function refreshRun(run) {
  const answer = await fetch(`${run.index}/state.json`);
  if (!answer.ok)
    throw new Error(`${run.name}: ${answer.status}`);
  const state = await answer.json();
  let changed = state.stamp !== run.stamp;
  if (changed || !run.info) {
    const text = await fetch(`${run.index}/run.json`);
    if (text.ok)
      run.info = await text.json();
    run.stamp = state.stamp;
  }
  changed = changed || state.frames.length !== run.frames.length;
  run.frames = state.frames;
  for (const kind of ["stats", "probes", "forces"]) {
    run.tables[kind] = run.tables[kind] || new FetchedTable(`${run.index}/${kind}.csv`);
    if (state[kind] !== run.tables[kind].from)
      changed = await run.tables[kind].read() || changed;
  }
  run.going = state.going;
  return changed;
}
