// What came of the runs, in words: [good | warn | bad | "", text].

function plural(count, one, many) {
  return `${count} ${count === 1 ? one : many || one + "s"}`;
}

function wordsOfState(info, going) {
  const done = Math.max(0, (info.frames?.length || 0) - 1), all = info.scene?.time?.frames;
  switch (info.status) {
  case "finished":
    return ["good", `The run is finished: ${plural(done, "frame")} in ${seconds(info.seconds?.total)}.`];
  case "interrupted":
    return ["warn", `The run was stopped after frame ${done} of ${all}; the same command with --resume goes on.`];
  case "failed":
    return ["bad", `The run failed after frame ${done} of ${all}: ${info.error || "log.txt tells why"}.`];
  default:
    return going ? ["", `The run is going on; it will have ${all} frames.`]
      : ["warn", "The run is going on, or was killed: its last word is missing.  --resume goes on from its last checkpoint."];
  }
}

function wordsOfVolume(totals) {
  const worst = totals.volume_error_worst, size = Math.abs(worst || 0);
  if (worst === undefined || worst === null)
    return [];
  const text = `Volume: off by ${percent(worst)} at worst, in frame ${totals.volume_error_worst_frame}, and by ` +
    `${percent(totals.volume_error_end)} at the end.`;
  return [[size <= 0.01 ? "good" : size <= 0.03 ? "warn" : "bad", size <= 0.03 ? text
    : `${text}  That much can be seen; finer cells, or a smaller time.cfl, may help.`]];
}

function wordsOfSolves(totals) {
  const words = [];
  if (totals.pressure_limit_hits > 0)
    words.push(["warn", `${totals.pressure_limit_hits} of ${plural(totals.pressure_solves, "pressure solve")} ended above the ` +
      "tolerance: there the liquid is not quite incompressible.  See the residual below; solver.max_iterations may be too low."]);
  else if (totals.pressure_solves > 0)
    words.push(["good", `All ${totals.pressure_solves} pressure solves reached their tolerance.`]);
  if (totals.drift_limit_hits > 0)
    words.push(["", `${totals.drift_limit_hits} of ${totals.drift_solves} solves for drift stopped at their limit; what is left ` +
      "is corrected in later substeps."]);
  return words;
}

const CAUSES = {
  too_far: "particles would have gone too far", pressure_diverged: "the pressure solve diverged",
  pressure_unsolved: "the pressure was not solved for", grid_not_finite: "a value of the grid was not a number",
  particle_not_finite: "a value of a particle was not a number", sum_not_finite: "a sum was not a number",
};

function wordsOfRetries(info) {
  if (!(info.totals.retries > 0))
    return [];
  const causes = Object.entries(info.interventions || {}).filter(([, count]) => count > 0)
    .map(([cause, count]) => `${CAUSES[cause] || cause} (${count})`);
  return [["warn", `${plural(info.totals.retries, "substep")} had to be taken back and tried with half the time: ${causes.join(", ")}.`]];
}

function wordsOfParticles(info) {
  const totals = info.totals, words = [], start = totals.particles_start || 1;
  const left = Object.entries(totals.removed || {}).filter(([, count]) => count > 0);
  const ways = {open: "through open walls", drains: "by drains", outflows: "through outflows"};
  for (const [cause, count] of left)
    words.push(["", `${plural(count, "particle")} left ${ways[cause] || cause} (${percent(count / start)} of those at the start).`]);
  if (totals.escaped > 0)
    words.push(["bad", `${plural(totals.escaped, "particle was", "particles were")} found on the far side of a solid; none should be.`]);
  if (totals.seeds_in_solids > 0)
    words.push(["", `${plural(totals.seeds_in_solids, "seed")} lay in solids or in other liquid, and ${totals.seeds_in_solids === 1 ? "was" : "were"} left out.`]);
  const imbalances = info.ledger?.particles?.imbalances ?? info.ledger?.volume?.imbalances;
  if (imbalances > 0)
    words.push(["bad", `In ${plural(imbalances, "substep")} the ledger does not add up: the device or the program is at fault.  Try freshet doctor.`]);
  else if (imbalances === 0 && totals.particles_start > 0)
    words.push(["good", "Every particle is accounted for, in every substep."]);
  return words;
}

// Do the states of two runs have the same bits?
function wordsOfHashes(one, other) {
  const left = one.hashes(), right = other.hashes(), common = [...left.keys()].filter(frame => right.has(frame));
  if (!common.length)
    return [];
  const first = common.find(frame => left.get(frame) !== right.get(frame));
  return [first === undefined ? ["good", `${one.name} and ${other.name} have the same bits in all ${common.length} frames that both have.`]
    : ["", `${one.name} and ${other.name} differ from frame ${first} on.`]];
}

function wordsOfRun(run) {
  const info = run.info, words = [wordsOfState(info, run.going)];
  if (info.failure)
    words.push(["bad", `What failed: ${info.failure.cause}, in stage ${info.failure.stage}, frame ${info.failure.frame}.`]);
  if (info.totals && info.totals.substeps > 0)
    words.push(...wordsOfVolume(info.totals), ...wordsOfSolves(info.totals), ...wordsOfRetries(info), ...wordsOfParticles(info));
  if (info.resumed_at?.length)
    words.push(["", `It was resumed at ${info.resumed_at.length === 1 ? "frame" : "frames"} ${info.resumed_at.join(", ")}.`]);
  if (info.build?.watches_stages)
    words.push(["", "A debug build looked at every stage: times are not those of a release."]);
  for (const warning of info.warnings || [])
    words.push(["warn", `Warning: ${warning}`]);
  if (info.warnings_dropped > 0)
    words.push(["warn", `and ${plural(info.warnings_dropped, "more warning")}: log.txt has them.`]);
  return words;
}

function showWords() {
  const list = document.getElementById("word-list"), known = runs.filter(run => run.info);
  list.replaceChildren();
  for (const run of known)
    for (const [kind, text] of wordsOfRun(run))
      element("span", element("li", list, undefined, kind), known.length > 1 ? `${run.name}: ${text}` : text);
  for (const run of known.slice(1))
    for (const [kind, text] of wordsOfHashes(known[0], run))
      element("span", element("li", list, undefined, kind), text);
}
