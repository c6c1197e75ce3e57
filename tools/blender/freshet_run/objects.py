"""Blender's side: the operator, and what happens when the frame changes."""
import os

import bpy
from bpy.app.handlers import persistent
from bpy.props import FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from .frames import KINDS, Frames

TYPES = {"velocity": ("FLOAT_VECTOR", "vector"), "Color": ("FLOAT_COLOR", "color"), "id": ("INT", "value"),
         "liquid": ("INT", "value")}
opened = {}  # (directory, kind): Frames


def frames_of(directory, kind):
    key = (directory, kind)
    if key not in opened:
        opened[key] = Frames(bpy.path.abspath(directory), kind)
    return opened[key]


def fill(mesh, data):
    """A mesh's geometry and attributes."""
    mesh.clear_geometry()
    faces = data.get("faces")
    if faces is None:
        mesh.vertices.add(len(data["position"]))
        mesh.vertices.foreach_set("co", data["position"].ravel())
    elif faces.shape[1] == 2:
        mesh.from_pydata(data["position"], faces.tolist(), [])
    else:
        mesh.from_pydata(data["position"], [], faces.tolist())
        mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    for name, (kind, member) in TYPES.items():
        if data.get(name) is None:
            continue
        if name not in mesh.attributes:
            mesh.attributes.new(name, kind, "POINT")
        mesh.attributes[name].data.foreach_set(member, data[name].ravel())
    mesh.update()


def show(target, scene_frame):
    frames = frames_of(target["freshet_run"], target["freshet_kind"])
    frame = frames.nearest(scene_frame - target["freshet_start"])
    if frame is not None and target.get("freshet_shown") != frame:
        fill(target.data, frames.read(frame))
        target["freshet_shown"] = frame


@persistent
def load_frame(scene, *_):
    for target in scene.objects:
        if target.get("freshet_run"):
            show(target, scene.frame_current)


def points_to_show(target, radius):
    """A modifier that turns the vertices into points of a radius."""
    tree = bpy.data.node_groups.new("freshet points", "GeometryNodeTree")
    if hasattr(tree, "interface"):
        for side in ("INPUT", "OUTPUT"):
            tree.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")
    source, points, end = (tree.nodes.new(kind) for kind in
                           ("NodeGroupInput", "GeometryNodeMeshToPoints", "NodeGroupOutput"))
    points.inputs["Radius"].default_value = radius
    tree.links.new(source.outputs[0], points.inputs[0])
    tree.links.new(points.outputs[0], end.inputs[0])
    target.modifiers.new("freshet points", "NODES").node_group = tree


class FreshetImport(Operator):
    """Particles and meshes of a run of freshet, read frame by frame"""
    bl_idname = "import_scene.freshet_run"
    bl_label = "Import freshet run"
    bl_options = {"REGISTER", "UNDO"}

    directory: StringProperty(subtype="DIR_PATH")
    start: IntProperty(name="First frame at", default=0, description="Blender's frame that shows the run's frame 0")
    radius: FloatProperty(name="Radius of points", default=0.0, min=0.0, description="0: half a particle's share of a cell")

    def invoke(self, context, _):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        made = []
        for kind in KINDS:
            try:
                opened.pop((self.directory, kind), None)
                frames = frames_of(self.directory, kind)
            except (OSError, ValueError, RuntimeError) as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
            if frames.frames:
                made.append(self.make(context, kind, frames))
        if not made:
            self.report({"ERROR"}, f"'{self.directory}' has no files of particles or meshes")
            return {"CANCELLED"}
        return {"FINISHED"}

    def make(self, context, kind, frames):
        name = f"{os.path.basename(os.path.normpath(self.directory))} {kind}"
        target = bpy.data.objects.new(name, bpy.data.meshes.new(name))
        context.scene.collection.objects.link(target)
        target["freshet_run"], target["freshet_kind"], target["freshet_start"] = self.directory, kind, self.start
        scene = context.scene
        scene.render.fps, scene.render.fps_base = max(1, round(frames.rate)), max(1, round(frames.rate)) / frames.rate
        scene.frame_end = max(scene.frame_end, self.start + frames.frames[-1])
        show(target, scene.frame_current)
        if kind == "particles":
            domain = frames.run.info["scene"]
            cells, size = domain["domain"]["cells"], domain["domain"]["size"]
            cell = size[0] / (cells[0] if isinstance(cells, list) else cells)
            points_to_show(target, self.radius or cell / 4)
        return target


def menu(self, _):
    self.layout.operator(FreshetImport.bl_idname, text="freshet run (folder)")
