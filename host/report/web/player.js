// The player: one moment for all runs, each shown by its last picture at it.

const player = {
  moments: [], // s, ascending: those of all pictures
  at: 0,
  playing: false,
  speed: 1,
  listeners: [],
  drawn: 0, // counts calls of show(): pictures that come late are not drawn over later ones

  get time() {
    return this.moments[this.at] ?? 0;
  },

  // The pictures there are; true if there are any.
  load() {
    const wasLast = this.at >= this.moments.length - 1; // also before there were any
    const times = runs.flatMap(run => run.frames.map(frame => run.timeOf(frame))).sort((a, b) => a - b);
    this.moments = times.filter((time, i) => i === 0 || time - times[i - 1] > 1e-9);
    const scrub = document.getElementById("scrub");
    scrub.max = Math.max(0, this.moments.length - 1);
    if (contents.served && wasLast && runs.some(run => run.going))
      this.at = Math.max(0, this.moments.length - 1);
    document.getElementById("player").hidden = !this.moments.length;
    return this.moments.length > 0;
  },

  nearest(time) {
    let low = 0, high = this.moments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.moments[middle] <= time + 1e-9)
        low = middle;
      else
        high = middle - 1;
    }
    const next = low + 1;
    return next < this.moments.length && this.moments[next] - time < time - this.moments[low] ? next : low;
  },

  seek(time) {
    this.go(this.nearest(time));
  },

  go(index) {
    this.at = Math.max(0, Math.min(index, this.moments.length - 1));
    this.show();
  },

  step(count) {
    this.stop();
    this.go(this.at + count);
  },

  async show() {
    if (!this.moments.length)
      return;
    const call = ++this.drawn;
    document.getElementById("scrub").value = this.at;
    this.tell();
    this.listeners.forEach(listener => listener(this.time));
    await Promise.all(split.shown().map(([run, figure]) => this.draw(run, figure, call)));
  },

  async draw(run, figure, call) {
    const frame = run.frameAt(this.time), caption = figure.querySelector("figcaption");
    if (frame === undefined)
      return;
    const entry = pictures.get(run, frame), canvas = figure.querySelector("canvas");
    try {
      const bitmap = entry.bitmap || await entry.promise;
      if (entry.dropped || (call !== this.drawn && !this.playing))
        return;
      if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
        canvas.width = bitmap.width;
        canvas.height = bitmap.height;
      }
      canvas.getContext("2d").drawImage(bitmap, 0, 0);
      canvas.dataset.frame = frame;
    } catch (error) {
      caption.textContent = String(error.message || error);
      return;
    }
    caption.textContent = runs.length > 1 ? `${run.name}, frame ${frame}` : "";
  },

  tell() {
    const run = split.left(), frame = run.frameAt(this.time), hash = run.hashes().get(frame);
    document.getElementById("moment").textContent =
      `frame ${frame} · ${this.time.toFixed(3)} s · ${this.at + 1} of ${this.moments.length}`;
    document.getElementById("moment").title = hash ? `state hash ${hash}` : "";
  },

  // Pictures of the next moments, so that they are there when they are due.
  fetchAhead() {
    for (let i = 1; i <= 8; i++)
      for (const [run] of split.shown()) {
        const time = this.moments[(this.at + i) % this.moments.length];
        pictures.get(run, run.frameAt(time));
      }
  },

  play() {
    if (this.moments.length < 2)
      return;
    if (this.at === this.moments.length - 1)
      this.at = 0;
    this.playing = true;
    document.getElementById("play").textContent = "❚❚";
    this.startPlaying();
  },

  // From here, at the speed that is set.
  startPlaying() {
    const started = performance.now(), from = this.time, turn = this.turn = {};
    const tick = now => {
      if (!this.playing || this.turn !== turn)
        return;
      const time = from + (now - started) / 1000 * this.speed, last = this.moments.length - 1;
      if (time > this.moments[last] + 0.5 / split.left().fps) {
        if (!document.getElementById("loop").checked) {
          this.go(last);
          this.stop();
          return;
        }
        this.at = 0;
        this.startPlaying();
        return;
      }
      let index = this.at;
      while (index < last && this.moments[index + 1] <= time)
        index++;
      if (index !== this.at || now === started) {
        this.go(index);
        this.fetchAhead();
      }
      requestAnimationFrame(tick);
    };
    this.show();
    this.fetchAhead();
    requestAnimationFrame(tick);
  },

  stop() {
    this.playing = false;
    document.getElementById("play").textContent = "▶";
  },

  toggle() {
    if (this.playing)
      this.stop();
    else
      this.play();
  },

  setSpeed(speed) {
    this.speed = speed;
    if (this.playing)
      this.startPlaying();
  },

  wire() {
    const press = (id, does) => document.getElementById(id).addEventListener("click", does);
    press("first", () => this.step(-Infinity));
    press("back", () => this.step(-1));
    press("play", () => this.toggle());
    press("forth", () => this.step(1));
    press("last", () => this.step(Infinity));
    document.getElementById("scrub").addEventListener("input", event => {
      this.stop();
      this.go(Number(event.target.value));
    });
    document.getElementById("speed").addEventListener("change", event => this.setSpeed(Number(event.target.value)));
  },
};
