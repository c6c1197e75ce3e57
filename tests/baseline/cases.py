"""The cases of tools/baseline: what is run, and what it must reach.

A case is a list of steps, each a command line of the program.  In it `@name` stands for a folder of the
case, and `@name/file` for a file there; whatever lies in these folders at the end is reduced to lines.
"""
import glob
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OWN = "tests/baseline/scenes"
SMALL = "tests/scenes_small"


class Step:
    """A command.  `name` labels its exit status and its output, which is not looked at if `mute`."""

    def __init__(self, name, words, env=None, mute=False):
        self.name, self.words, self.env, self.mute = name, words, env or {}, mute


class Case:
    """`reach`: the least that the greatest value of a column of @run/stats.csv must be, so that a scene
    that is there for something does have it."""

    def __init__(self, name, steps, reach=None):
        self.name, self.steps, self.reach = name, steps, reach or {}


def find(scene):
    """The path of a scene, from the root: `files_2d` is ours, others have a folder."""
    return (scene if "/" in scene else f"{OWN}/{scene}") + ".yaml"


def run(scene, sets=(), frames=None, folder="run", more=(), env=None, name=None):
    words = ["run", find(scene), "-o", "@" + folder, *more]
    if frames is not None:
        words += ["--frames", str(frames)]
    for change in sets:
        words += ["--set", change]
    return Step(name or folder, words, env)


def simulate(name, scene, sets=(), frames=None, reach=None, env=None):
    """The case of a single run."""
    return Case(name, [run(scene, sets, frames, env=env)], reach)


def after(command, folder, *words, sets=()):
    """`render` or `mesh` of @run into a folder of its own."""
    changes = [word for change in sets for word in ("--set", change)]
    return Step(folder, [command, "@run", "-o", "@" + folder, *words, *changes])


# ---- shipped and small scenes ----

def checkpoint(frame):
    return f"output.checkpoint={{every: {frame}, keep: 1}}"


# scene, last frame, what changes; pictures are small, and of three frames
SHIPPED = [
    ("dam_break_2d", 20, []),
    ("dam_break_3d", 14, ["domain.cells=[24, 12, 12]"]),
    ("dam_break_marten", 40, ["liquid.particles_per_cell=2"]),
    ("dam_break_marten_40x30", 40, ["liquid.particles_per_cell=8"]),
    ("droplet", 30, []),
    ("droplet_40x30", 30, []),
    ("full_box", 10, []),
    ("half_disc_drop", 8, []),
    ("half_disc_drop_pcg_ic", 8, []),
    ("hydrostatic", 8, []),
    ("sloshing_2d", 10, []),
    ("tank_obstacle", 12, []),
    ("two_liquids_3d", 6, ["domain.cells=20"]),
]
SMALL_SCENES = [("tiny_2d", 1), ("tiny_3d", 1), ("splash_2d", 12), ("splash_3d", 8), ("plates_3d", 2)]
# As they are shipped, but for the frames.
WHOLE = [("dam_break_3d", 2), ("two_liquids_3d", 3)]


def picture(dim, view=None):
    size = "[192, 144]" if dim == 2 else "[160, 90]"
    return [f"output.png.size={size}"] + ([f"output.png.view={view}"] if view else [])


def shipped():
    for scene, frames, sets in SHIPPED:
        dim = 3 if "3d" in scene else 2
        yield simulate("shipped." + scene, "scenes/" + scene,
                       [f"output.png.every={max(frames // 2, 1)}", *picture(dim), checkpoint(frames), *sets],
                       frames)
    for scene, frames in WHOLE:
        yield simulate(f"shipped.{scene}.whole", "scenes/" + scene,
                       [f"output.png.every={frames}", checkpoint(frames), *picture(3)], frames)
    for scene, frames in SMALL_SCENES:
        dim = 3 if "3d" in scene else 2
        for kind in ("flip", "apic"):
            yield simulate(f"small.{scene}.{kind}", f"{SMALL}/{scene}",
                           [f"liquid.transfer={kind}", checkpoint(frames), f"output.png.every={frames}",
                            *picture(dim)],
                           frames)


# ---- methods, on dam_2d and dam_3d ----

PRESSURE = {
    "mgpcg": [],
    "mgpcg_1": ["solver.sweeps=1"],
    "mgpcg_tight": ["solver.tolerance=1e-10"],
    "mgpcg_cut_off": ["solver.max_iterations=2"],
    "multigrid": ["solver.pressure=multigrid"],
    "multigrid_full": ["solver.pressure=multigrid", "solver.v_cycles=0", "solver.full_cycles=3"],
    "multigrid_v": ["solver.pressure=multigrid", "solver.v_cycles=9", "solver.full_cycles=0",
                    "solver.sweeps=3", "solver.tolerance=1e-7"],
    "cg": ["solver.pressure=cg"],
    "pcg-ic": ["solver.pressure=pcg-ic"],
    "jacobi": ["solver.pressure=jacobi", "solver.max_iterations=300"],
    "gauss-seidel": ["solver.pressure=gauss-seidel"],
    "gauss-seidel_slow": ["solver.pressure=gauss-seidel", "solver.over_relaxation=1",
                          "solver.max_iterations=20"],
    "no_separation": ["solver.separation=false"],
}
METHODS = {
    "pic": ["liquid.transfer=pic"],
    "apic": ["liquid.transfer=apic"],
    "flip_all": ["liquid.flip_ratio=1"],
    "flip_none": ["liquid.flip_ratio=0"],
    "drift_density": ["solver.drift=density"],
    "drift_none": ["solver.drift=none"],
    "rk1": ["solver.advection=rk1"],
    "rk3": ["solver.advection=rk3"],
    "rk4": ["solver.advection=rk4"],
    "mixed_1": ["liquid.transfer=apic", "solver.drift=density", "solver.advection=rk4",
                "solver.pressure=multigrid"],
    "mixed_2": ["liquid.transfer=pic", "solver.drift=none", "solver.advection=rk3", "solver.pressure=cg",
                "solver.separation=false"],
    "mixed_3": ["liquid.transfer=apic", "solver.drift=none", "solver.advection=rk1",
                "solver.pressure=gauss-seidel", "time.dt=0.01"],
}
STEPS = {
    "fixed_dt": ["time.dt=0.011"],
    "long_dt": ["time.dt=0.08"],
    "max_dt": ["time.max_dt=0.006"],
    "cfl_small": ["time.cfl=0.3"],
    "cfl_large": ["time.cfl=3.5", "liquid.transfer=apic"],
}
PARTICLES = {
    "one_per_cell": ["liquid.particles_per_cell=1"],
    "many_per_cell": ["liquid.particles_per_cell=23", "liquid.transfer=apic"],
    "regular": ["liquid.jitter=0"],
    "seeds": ["liquid.seed=4000000001", "liquids.1.seed=5", "liquids.1.jitter=0.3"],
    "light": ["liquid.density=1.2"],
    "no_solids": ["solids=[]"],
    "no_liquids": ["liquids=[]"],
    "slip_none": ["solids.0.slip=none", "solids.1.slip=none"],
}
SIDES = {2: ("x-", "x+", "y-", "y+"), 3: ("x-", "x+", "y-", "y+", "z-", "z+")}


def walls(dim, kind):
    return "domain.walls={" + ", ".join(f"{side}: {kind}" for side in SIDES[dim]) + "}"


def methods():
    for dim in (2, 3):
        for group in (PRESSURE, METHODS, STEPS, PARTICLES):
            for name, sets in group.items():
                yield simulate(f"dam_{dim}d.{name}", f"dam_{dim}d", sets)
        last = "" if dim == 2 else ", 0"
        keyed = (f"gravity=[{{time: 0, g: [0, -9.81{last}]}}, {{time: 0.1, g: [6, 2{last}]}}, "
                 f"{{time: 0.25, g: [-4, -12{last}]}}]")
        spin = "6" if dim == 2 else "[1, 5, -3]"
        yield simulate(f"dam_{dim}d.closed", f"dam_{dim}d", [walls(dim, "closed")])
        for transfer in ("flip", "apic"):
            yield simulate(f"dam_{dim}d.open_{transfer}", f"dam_{dim}d",
                           [walls(dim, "open"), f"liquid.transfer={transfer}"], reach={"removed": 100})
            yield simulate(f"dam_{dim}d.keyed_gravity_{transfer}", f"dam_{dim}d",
                           [keyed, f"liquid.transfer={transfer}"])
        yield simulate(f"dam_{dim}d.no_gravity", f"dam_{dim}d",
                       [f"gravity=[0, 0{last}]", f"liquids.0.angular_velocity={spin}"])


# ---- scenes of our own ----

def places():
    """Frames, shapes, plates, chambers, boxes of odd sizes."""
    for dim in (2, 3):
        for kind, reach in (("frame", {"pushed": 1}), ("shapes", {"removed": 1, "components": 2}),
                            ("plates", {"pushed": 1}), ("sealed", {"singular_components": 1, "air_regions": 1})):
            scene = f"{kind}_{dim}d"
            yield simulate(scene, scene, reach=reach)
            yield simulate(scene + ".apic", scene, ["liquid.transfer=apic"])
            yield simulate(scene + ".mixed", scene, ["liquid.transfer=pic", "solver.drift=density",
                                                     "solver.pressure=pcg-ic", "solver.advection=rk3"])
            if kind == "shapes":  # the longest; the solvers see nothing new
                continue
            yield simulate(scene + ".multigrid", scene, ["solver.pressure=multigrid"])
            yield simulate(scene + ".cg", scene, ["solver.pressure=cg", "solver.separation=false",
                                                  "solver.drift=none"])
            yield simulate(scene + ".gauss-seidel", scene, ["solver.pressure=gauss-seidel",
                                                            "solver.max_iterations=500"])
        yield simulate(f"frame_{dim}d.dt", f"frame_{dim}d", ["time.dt=0.008"])
    yield simulate("frame_2d.roll", "frame_2d", ["frame={roll: {amplitude: 0.4, frequency: 1}}"])
    yield simulate("frame_2d.sway", "frame_2d",
                   ["frame={sway: {amplitude: [0.05, 0.03], frequency: 3, ramp: 1}}"])
    yield simulate("frame_2d.spin", "frame_2d",
                   ["frame={motion: [{time: 0, angular_velocity: 6}]}", "liquid.transfer=apic"])
    yield simulate("frame_3d.turntable", "frame_3d",
                   ["frame={axis: [0, 1, 0], motion: [{time: 0, angular_velocity: 4}]}"])
    yield simulate("frame_3d.carried", "frame_3d",
                   ["frame={axis: [1, 0, 0], motion: [{time: 0, angle: 0, position: [0, 0, 0]}, "
                    "{time: 0.1, angle: 0.3, position: [0.1, 0, 0.05]}, "
                    "{time: 0.3, angle: -0.2, position: [0.2, 0.1, 0]}]}"])
    # without solids: boxes of one to five cells along an axis, of many bricks, beside powers of two
    water = ["solids=[]", "output.probes=[]"]
    for name, size, cells, top in (("1x9", [0.1, 0.9], [1, 9], [0.1, 0.5]),
                                   ("9x1", [0.9, 0.1], [9, 1], [0.3, 0.1]),
                                   ("5x4", [0.5, 0.4], [5, 4], [0.2, 0.3]),
                                   ("65x33", [1.3, 0.66], [65, 33], [0.5, 0.5])):
        yield simulate("box_2d." + name, "dam_2d", [f"domain={{size: {size}, cells: {cells}}}", *water,
                                                    f"liquids=[{{box: {{min: [0, 0], max: {top}}}}}]"])
    for name, size, cells, top in (("1x9x2", [0.1, 0.9, 0.2], [1, 9, 2], [0.1, 0.5, 0.1]),
                                   ("7x5x1", [0.7, 0.5, 0.1], [7, 5, 1], [0.3, 0.4, 0.1]),
                                   ("17x9x33", [0.85, 0.45, 1.65], [17, 9, 33], [0.85, 0.3, 0.5])):
        yield simulate("box_3d." + name, "dam_3d", [f"domain={{size: {size}, cells: {cells}}}", *water,
                                                    f"liquids=[{{box: {{min: [0, 0, 0], max: {top}}}}}]"])
    yield simulate("dam_2d.fine", "dam_2d", ["domain.cells=[175, 125]", "time.fps=30"], 4)
    yield simulate("dam_3d.fine", "dam_3d", ["domain.cells=[45, 33, 27]", "time.fps=30"], 2)
    yield simulate("plates_2d.fine", "plates_2d", ["domain.cells=128", "time.fps=30"], 5)
    yield simulate("shapes_2d.fine", "shapes_2d", ["domain.cells=160", "time.fps=30", "output.png.view=surface"], 5)


def mishaps():
    """Substeps that are taken back, by themselves and by faults; runs that fail and are resumed."""
    for dim in (2, 3):
        scene, dam = f"impact_{dim}d", f"dam_{dim}d"
        for transfer in ("flip", "apic"):
            yield simulate(f"{scene}.{transfer}", scene, [f"liquid.transfer={transfer}"],
                           reach={"retries": 1})
        yield simulate(scene + ".dt", scene, ["time.dt=0.02"], reach={"retries": 1})
        last = "" if dim == 2 else ", 0"
        yield simulate(scene + ".jolt", scene,
                       [f"liquids.0.velocity=[0, 0{last}]", "time.max_dt=0.02", "liquid.transfer=pic",
                        f"gravity=[{{time: 0.1, g: [0, 0{last}]}}, {{time: 0.105, g: [3000, -9000{last}]}}, "
                        f"{{time: 0.11, g: [0, -10{last}]}}]"], reach={"retries": 1})
        for fault in ("solver:2", "nan:3", "speed:4"):
            yield simulate(f"{dam}.fault_{fault.split(':', maxsplit=1)[0]}", dam, reach={"retries": 1},
                           env={"FRESHET_FAULT": fault})
        yield Case(f"{dam}.fails_and_resumes",
                   [run(dam, env={"FRESHET_FAULT": "nan:6+"}, name="fails"),
                    Step("hash_of_failed", ["hash", "@run"]),
                    run(dam, more=["--resume"], name="resumes")])
    yield simulate("dam_2d.hopeless", "dam_2d", ["solver.pressure=cg", "solver.max_iterations=1"])


# ---- files ----

VIEWS = ("particles", "speed", "pressure", "levelset", "cells", "surface")
SURFACES = ("averaged", "blobs", "anisotropic")
RANGES = "output.png.ranges={speed: [0, 3], pressure: [-500, 4000], levelset: [-0.1, 0.1]}"


def files():
    for dim in (2, 3):
        scene = f"files_{dim}d"
        camera = [] if dim == 2 else ["camera={eye: [-1, 1, 3], target: [0.6, 0.3, 0.3], up: [0.1, 1, 0]}"]
        steps = [run(scene)]
        for view in VIEWS:
            steps.append(after("render", "render_" + view, sets=[f"output.png.view={view}"]))
        steps += [
            after("render", "render_checkpoints", "--from", "checkpoints"),
            after("render", "render_other", "--frames", "2:", "--every", "4",
                  sets=["output.png.view=speed", RANGES, "output.png.size=[203, 117]",
                        'liquids.1.color="#ff00aa"', *camera]),
            after("mesh", "mesh_obj", sets=["output.mesh.format=obj"]),
            after("mesh", "mesh_checkpoints", "--from", "checkpoints", "--frames", "4"),
        ]
        for method in SURFACES:
            for resolution in (1, 2):
                steps.append(after("mesh", f"mesh_{method}_{resolution}", "--frames", "4",
                                   sets=[f"output.surface={{method: {method}, resolution: {resolution}}}"]))
            steps.append(after("render", "render_surface_" + method, "--frames", "2",
                               sets=["output.png.view=surface", f"output.surface.method={method}", *camera]))
        steps += [
            Step("hash", ["hash", "@run"]),
            Step("hash_of_checkpoint", ["hash", "@run/checkpoints/checkpoint_000004.h5"]),
            Step("verify", ["verify", "@run"]),
            Step("write_stages", ["verify", "@run", "--write-stages", "@stages/stages.csv"]),
            Step("stages", ["verify", "@run", "--stages", "@stages/stages.csv"]),
        ]
        yield Case(scene, steps)
        for view in VIEWS:
            yield simulate(f"{scene}.view_{view}", scene, [f"output.png.view={view}"])
        yield simulate(scene + ".ranges", scene, ["output.png.view=pressure", RANGES])
        for method in SURFACES:
            yield simulate(f"{scene}.surface_{method}", scene,
                           [f"output.surface={{method: {method}, resolution: 2}}", "output.png.view=surface",
                            "output.mesh.format=obj", "liquid.transfer=flip"])
        # the formats of particles, with and without affine matrices, and passes that start from them
        for form in ("vtkhdf", "ply", "geo"):
            for transfer in ("flip", "apic"):
                yield Case(f"{scene}.{form}_{transfer}",
                           [run(scene, [f"output.particles={{format: {form}, every: 2}}",
                                        f"liquid.transfer={transfer}", "output.checkpoint={every: 999}",
                                        "output.png.view=speed"]),
                            after("render", "render", sets=["output.png.view=speed"]), after("mesh", "mesh")])
        yield simulate(scene + ".some_fields", scene,
                       ["output.fields={every: 3, names: [levelset, velocity]}", "output.stats=false"])
        yield Case(scene + ".profile", [run(scene, more=["--profile"])])
        # from a checkpoint, in one go and frame by frame, to the same end; more frames than before
        yield Case(scene + ".resume",
                   [run(scene, frames=2, folder="once", name="once_begun"),
                    run(scene, frames=4, folder="once", more=["--resume"], name="once_resumed"),
                    run(scene, frames=1, folder="often", name="often_begun"),
                    *(run(scene, frames=last, folder="often", more=["--resume"], name=f"often_{last}")
                      for last in (2, 3, 4)),
                    run(scene, ["output.png.view=surface", "output.probes=[]"], frames=5, folder="often",
                        more=["--resume"], name="often_changed"),
                    run(scene, ["liquid.flip_ratio=0.9"], frames=5, folder="often", more=["--resume"],
                        name="often_refused")])
        # a pass over the run's own folder; what is there already is refused
        yield Case(scene + ".in_place",
                   [run(scene, ["output={particles: {every: 2}, fields: {every: 1}}"]),
                    Step("render", ["render", "@run", "--set", "output.png.size=[64, 48]"]),
                    Step("refused", ["render", "@run", "--set", "output.png.size=[60, 48]"]),
                    Step("again", ["render", "@run", "--set", "output.png.size=[60, 48]", "--overwrite",
                                   "--every", "4"]),
                    Step("mesh", ["mesh", "@run", "--every", "2"])])


# ---- other commands ----

COMMANDS = ("run", "check", "devices", "render", "mesh", "hash", "verify", "doctor", "validate", "bench")
# fast ones of `freshet validate`, at level 1
VALIDATE = ("sloping-floor", "flat-surface", "flat-surface-3d", "koshizuka-oka", "zalesak", "vortex",
            "deformation", "distance", "distance-3d", "poisson-3d", "martin-moyce-1")


def names(pattern):
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, pattern)))


def commands():
    steps = [Step("freshet", ["--help"]), Step("nothing", []), Step("unknown", ["rum"])]
    steps += [Step(command, [command, "--help"]) for command in COMMANDS]
    steps += [Step(command + "_unknown", [command, "--helo"]) for command in COMMANDS]
    steps.append(Step("validate_list", ["validate", "--list"]))
    yield Case("help", steps)
    good = (names("scenes/*.yaml") + names("scenes/validation/*.yaml") + names(SMALL + "/*.yaml") +
            names(OWN + "/*.yaml"))
    yield Case("check", [Step(path, ["check", path, "--verbose"]) for path in good])
    yield Case("check_broken", [Step(path, ["check", path, "--verbose"]) for path in names("tests/scenes/*")])
    wrong = ("solver.pressure=mgpgc", "time.fps=0", "domain.cells=[7, 3]", "liquids.7.velocity=[0, 0]",
             "solids.0.motion={}", "output.png.view=spede", "gravity=[0]", "frame={}", "inflows=[]",
             "liquid.seed=-1", "domain.size=[1, 1, 1]", "camera={}", "output.probes.0.point=[9, 9]")
    yield Case("check_wrong", [Step(change, ["check", find("dam_2d"), "--set", change]) for change in wrong])
    yield Case("run_refused", [
        run("dam_2d", ["liquid.density=0"], name="wrong"),
        Step("missing", ["run", "no_such.yaml", "-o", "@run"]),
        Step("no_run", ["render", "@nowhere"]),
        run("files_2d", frames=0),
        run("files_2d", frames=0, name="occupied"),
        run("dam_2d", frames=0, more=["--overwrite"], name="overwritten"),
        Step("no_fields", ["render", "@run", "--set", "output.png.view=cells"]),
        Step("motion", ["mesh", "@run", "--set", "time.fps=9"]),
    ])


def comparisons():
    """`freshet validate` and `freshet bench`, as far as they tell no times."""
    for name in VALIDATE:
        yield Case("validate." + name, [Step("validate", ["validate", name, "--level", "1", "-o", "@report"])])
    yield Case("validate.short", [Step("validate", ["validate", "--short", "-o", "@report"])])
    for dim, cells in ((2, 32), (3, 16)):
        yield Case(f"bench.pressure_{dim}d",
                   [Step("bench", ["bench", "--pressure", "--dim", str(dim), "--cells", str(cells), "--wave",
                                   str(cells), "--seconds", "60", "-o", "@bench/bench.json"], mute=True)])
        yield Case(f"bench.stages_{dim}d",
                   [Step("bench", ["bench", "--dim", str(dim), "--cells", "16", "--steps", "2", "-o",
                                   "@bench/bench.json"], mute=True)])


# What tools/baseline --quick runs.
QUICK = {
    "bench.pressure_2d", "check", "check_broken", "check_wrong", "dam_2d.apic", "dam_2d.fails_and_resumes",
    "dam_2d.fault_solver", "dam_2d.gauss-seidel", "dam_2d.mgpcg", "dam_2d.mixed_1", "dam_2d.pcg-ic", "dam_3d.apic",
    "dam_3d.gauss-seidel", "dam_3d.mgpcg", "dam_3d.mixed_1", "dam_3d.mixed_2", "files_2d", "files_2d.geo_flip",
    "files_2d.ply_apic", "files_2d.resume", "files_3d", "files_3d.ply_flip", "frame_2d", "frame_3d.apic", "help",
    "impact_2d.apic", "impact_3d.flip", "plates_2d", "plates_2d.mixed", "plates_3d.apic", "sealed_2d",
    "sealed_3d.multigrid", "shapes_2d", "shipped.dam_break_2d", "shipped.two_liquids_3d", "small.tiny_2d.flip",
    "small.tiny_3d.flip", "validate.zalesak",
}
# The long ones first, so that the last core is not left alone with one.
CASES = [*comparisons(), *shipped(), *files(), *places(), *mishaps(), *methods(), *commands()]
