"""What goes over the wire: shared schemas, frames, formats, errors, sockets, examples."""
