"""What freshet raises."""


class Error(RuntimeError):
    """Something failed.  The text is freshet's: one line per mistake, with file, line and column of a scene
    where it is one's."""


class SceneError(Error, ValueError):
    """A scene that is not right."""


class FileError(Error, ValueError):
    """A file of a run that is missing, or is not what it should be."""
