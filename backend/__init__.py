"""The HTTP face of HeadScope: REST, the stream and the command line over `mha_core`."""

from importlib.metadata import version

__version__ = version("headscope")
