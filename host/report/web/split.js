// Which pictures are shown, and how: one, or two with a divider, side by side, or their difference.  Zoom.

const split = {
  picked: [0, Math.min(1, runs.length - 1)],
  way: "slider",
  part: 50, // % of the width, left of the divider
  scale: 1,
  shift: [0, 0], // of the picture's width and height

  left() {
    return runs[this.picked[0]];
  },

  // [run, figure] of each.
  shown() {
    const figures = ["figure-left", "figure-right"].map(id => document.getElementById(id));
    return (runs.length > 1 ? [0, 1] : [0]).map(i => [runs[this.picked[i]], figures[i]]);
  },

  apply() {
    const stage = document.getElementById("stage"), several = runs.length > 1;
    stage.className = several ? this.way : "";
    document.getElementById("pair").hidden = !several;
    document.getElementById("figure-right").hidden = !several;
    const divider = document.getElementById("divider"), right = document.getElementById("figure-right");
    divider.hidden = !several || this.way !== "slider";
    divider.style.left = `${this.part}%`;
    divider.setAttribute("aria-valuenow", Math.round(this.part));
    right.style.setProperty("--split", `${this.part}%`);
    for (const canvas of stage.querySelectorAll("canvas"))
      canvas.style.transform = `scale(${this.scale}) translate(${this.shift[0] * 100}%, ${this.shift[1] * 100}%)`;
  },

  // The divider, also over a picture narrower than the stage.
  setPart(part) {
    this.part = Math.max(0, Math.min(100, part));
    this.apply();
  },

  setZoom(scale, x, y) {
    this.scale = scale;
    const clamp = value => Math.min(0, Math.max(1 / scale - 1, value));
    this.shift = [clamp(x), clamp(y)];
    this.apply();
  },

  // At a point of a picture, in parts of its size as it is shown.
  toggleZoom(x, y) {
    const larger = 3;
    if (this.scale > 1)
      this.setZoom(1, 0, 0);
    else
      this.setZoom(larger, x / larger - x, y / larger - y);
  },

  drag(event) {
    const stage = document.getElementById("stage"), box = stage.getBoundingClientRect();
    const start = [event.clientX, event.clientY, ...this.shift];
    const isDivider = event.target.id === "divider";
    const canvas = event.target.closest(".picture")?.querySelector("canvas");
    const move = moved => {
      if (isDivider)
        this.setPart((moved.clientX - box.left) / box.width * 100);
      else if (this.scale > 1 && canvas)
        this.setZoom(this.scale, start[2] + (moved.clientX - start[0]) / canvas.offsetWidth / this.scale,
          start[3] + (moved.clientY - start[1]) / canvas.offsetHeight / this.scale);
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    event.preventDefault();
    stage.focus();
  },

  wire() {
    const stage = document.getElementById("stage");
    ["left", "right"].forEach((side, i) => {
      const pick = document.getElementById(`pick-${side}`);
      runs.forEach((run, index) => pick.add(new Option(run.name, index)));
      pick.value = this.picked[i];
      pick.addEventListener("change", () => {
        this.picked[i] = Number(pick.value);
        player.show();
      });
    });
    document.getElementById("pick-way").addEventListener("change", event => {
      this.way = event.target.value;
      this.apply();
    });
    stage.addEventListener("pointerdown", event => this.drag(event));
    stage.addEventListener("dblclick", event => {
      const canvas = event.target.closest(".picture")?.querySelector("canvas");
      if (!canvas)
        return;
      const box = canvas.getBoundingClientRect();
      this.toggleZoom((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    });
    this.apply();
  },
};
