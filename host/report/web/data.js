// The data of the page: runs, their tables, their pictures.  Texts stay as they are in the document until asked for.

const contents = JSON.parse(document.getElementById("contents").textContent);

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++)
    bytes[i] = text.charCodeAt(i);
  return bytes;
}

// A table in the document: a script element for each column, in base64, little-endian.
class EmbeddedTable {
  constructor(run, kind) {
    this.elements = new Map();
    this.decoded = new Map();
    const found = document.querySelectorAll(`script.column[data-run="${run}"][data-table="${kind}"]`);
    for (const element of found)
      this.elements.set(element.dataset.name, element);
    this.names = [...this.elements.keys()];
  }

  get rows() {
    return this.names.length ? this.column(this.names[0]).length : 0;
  }

  // Numbers, NaN for empty fields; of the column "hash" texts.
  column(name) {
    if (!this.decoded.has(name)) {
      const element = this.elements.get(name), kind = element.dataset.type, text = element.textContent;
      if (kind === "hash")
        this.decoded.set(name, text.split(",").slice(0, -1));
      else
        this.decoded.set(name, new (kind === "f8" ? Float64Array : Float32Array)(bytesOf(text).buffer));
    }
    return this.decoded.get(name);
  }
}

class Run {
  constructor(index, entry) {
    this.index = index;
    this.name = entry.name;
    this.frames = entry.frames;
    this.info = null;
    this.tables = {};
    if (!contents.served) {
      this.info = JSON.parse(document.getElementById(`run-${index}`).textContent);
      for (const kind of ["stats", "probes", "forces"])
        this.tables[kind] = new EmbeddedTable(index, kind);
    }
  }

  get fps() {
    return this.info?.scene?.time?.fps || 24;
  }

  timeOf(frame) {
    return frame / this.fps;
  }

  // The last picture at a time or before it, or the first.
  frameAt(time) {
    let low = 0, high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.timeOf(this.frames[middle]) <= time + 1e-9)
        low = middle;
      else
        high = middle - 1;
    }
    return this.frames[low];
  }

  // State hashes by frame.
  hashes() {
    const stats = this.tables.stats, known = `${this.stamp}/${stats?.rows}`;
    if (this.hashMap?.known === known)
      return this.hashMap;
    const map = this.hashMap = Object.assign(new Map(), {known});
    for (const frame of this.info?.frames || [])
      map.set(frame.frame, frame.hash);
    if (stats && stats.names.includes("hash")) {
      const frames = stats.column("frame"), hashes = stats.column("hash");
      for (let i = 0; i < hashes.length; i++)
        if (hashes[i])
          map.set(frames[i], hashes[i]);
    }
    return map;
  }

  async picture(frame) {
    if (contents.served) {
      const answer = await fetch(`${this.index}/frames/frame_${String(frame).padStart(6, "0")}.png`);
      if (!answer.ok)
        throw new Error(`no picture of frame ${frame}`);
      return answer.blob();
    }
    const id = `frame-${this.index}-${frame}`;
    while (!document.getElementById(id) && document.readyState === "loading")
      await new Promise(resolve => setTimeout(resolve, 30));
    return new Blob([bytesOf(document.getElementById(id).textContent)], {type: "image/png"});
  }
}

const runs = contents.runs.map((entry, index) => new Run(index, entry));

// Decoded pictures, the last that were used.  Never all of a run.
const pictures = {
  most: 40,
  kept: new Map(),

  get(run, frame) {
    const key = `${run.index}/${frame}`;
    let entry = this.kept.get(key);
    if (!entry) {
      entry = {bitmap: null, promise: run.picture(frame).then(blob => createImageBitmap(blob))};
      entry.promise.then(bitmap => {
        entry.bitmap = bitmap;
        if (entry.dropped)
          bitmap.close();
      }, () => this.kept.delete(key));
    }
    this.kept.delete(key);
    this.kept.set(key, entry);
    for (const [old, dropped] of this.kept) {
      if (this.kept.size <= this.most)
        break;
      this.kept.delete(old);
      dropped.dropped = true;
      dropped.bitmap?.close();
    }
    return entry;
  },
};
