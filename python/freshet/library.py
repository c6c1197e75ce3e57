"""The library itself: errors, messages, devices."""
import contextlib
import logging
import threading
from dataclasses import dataclass

from ._native import ffi, lib
from .errors import Error

LOG = logging.getLogger("freshet")
LEVELS = {lib.FRESHET_ERROR: logging.DEBUG,  # is raised, too
          lib.FRESHET_WARNING: logging.WARNING, lib.FRESHET_NOTE: logging.INFO}


@ffi.def_extern()
def freshet_python_message(level, text, user):
    """From C, in any thread."""
    del user
    LOG.log(LEVELS.get(level, logging.INFO), "%s", ffi.string(text).decode("utf-8", "replace"))


lib.freshet_set_message_callback(lib.freshet_python_message, ffi.NULL)


def text_of(pointer):
    """A C text, or None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def checked(result, kind=Error):
    """What a function of the library has returned, unless it says that it has failed.  Right after it, in its
    thread."""
    if result is False or (result is not True and result == ffi.NULL):
        raise kind(text_of(lib.freshet_error_message()) or "freshet failed without saying why")
    return result


def version():
    """Version of the library, "MAJOR.MINOR.PATCH"."""
    return text_of(lib.freshet_version())


@dataclass(frozen=True)
class Device:
    """An OpenCL device."""
    name: str
    vendor: str
    platform: str
    device_version: str
    driver_version: str
    platform_index: int  #: with device_index the word "P:D" that names it
    device_index: int
    is_gpu: bool
    is_cpu: bool
    is_default: bool  #: picked where none is named, FRESHET_DEVICE aside
    memory: int  #: bytes
    largest_buffer: int  #: most in one buffer, bytes
    compute_units: int

    @property
    def word(self):
        """What names it for Context and Simulation: "P:D"."""
        return f"{self.platform_index}:{self.device_index}"


def devices():
    """List of Device: what OpenCL shows.  Empty if there is none; "native" is always there besides."""
    count = ffi.new("size_t *")
    checked(lib.freshet_list_devices(ffi.NULL, 0, count))
    rows = ffi.new("struct freshet_device[]", max(count[0], 1))
    checked(lib.freshet_list_devices(rows, count[0], count))
    return [Device(**{name: text_of(value) if isinstance(value, ffi.CData) else value
                      for name, value in ((name, getattr(row, name)) for name in Device.__annotations__)})
            for row in rows[0:count[0]]]


class Context:
    """An open device, for scenes of `dim` dimensions.

    device: "gpu", "cpu", "native", "P:D" (indices of platform and device) or a part of a name; None = the
    environment variable FRESHET_DEVICE, else the GPU with the most memory, else a CPU.  Simulations that share
    a context share its kernels; one call at a time runs in it, those of other threads wait.
    """

    def __init__(self, device=None, dim=2):
        self._lock = threading.Lock()
        self._ended = []  # simulations that nobody has any more
        self._pointer = None
        self.dim = dim
        name = ffi.NULL if device is None else str(device).encode()
        self._pointer = checked(lib.freshet_context_create(name, dim))

    @contextlib.contextmanager
    def use(self):
        """The pointer for calls of one thread."""
        with self._lock:
            self._end()
            yield self._pointer
            self._end()

    def _end(self):
        while self._ended:
            lib.freshet_simulation_destroy(self._ended.pop())

    def adopt(self, simulation):
        """The pointer of a simulation, which is destroyed with the last reference to it: not while a call runs
        here, in which the collector may find that the reference is gone."""
        return ffi.gc(simulation, self._finalize)

    def _finalize(self, simulation):
        self._ended.append(simulation)
        if self._lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._lock.release()

    def __del__(self):
        if self._pointer is not None:
            self._end()
            lib.freshet_context_destroy(self._pointer)
