"""Blender extension: a run of freshet as animated points and as an animated mesh, with velocities and colours.

File > Import > freshet run: choose its folder.  Frames are read when Blender shows them.
"""
bl_info = {"name": "freshet runs", "blender": (3, 4, 0), "category": "Import-Export", "version": (1, 0, 0),
           "location": "File > Import > freshet run",
           "description": "Particles and meshes of a run of freshet, with velocities and colours"}

try:
    import bpy
except ImportError:  # outside of Blender, where the tests read files with frames.py
    bpy = None

if bpy:
    from .objects import FreshetImport, load_frame, menu

    def register():
        bpy.utils.register_class(FreshetImport)
        bpy.types.TOPBAR_MT_file_import.append(menu)
        bpy.app.handlers.frame_change_post.append(load_frame)

    def unregister():
        bpy.app.handlers.frame_change_post.remove(load_frame)
        bpy.types.TOPBAR_MT_file_import.remove(menu)
        bpy.utils.unregister_class(FreshetImport)
