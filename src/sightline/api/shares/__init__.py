"""Share links: what their owners do with them, and what those see who open one."""
