# SPDX-License-Identifier: GPL-2.0-or-later
"""pythondir.py PREFIX - print where a module that is installed below PREFIX
belongs for this Python, PREFIX written as ${prefix}. Exit status: 0: Python looks
there by itself; 3: it looks nowhere below PREFIX, and this is the usual place."""

import site
import sys
import sysconfig

prefix = sys.argv[1].rstrip("/")
# Debian's /usr/local lies below /usr, and is another prefix.
own = [path for path in site.getsitepackages()
       if path.startswith(prefix + "/")
       and (prefix.endswith("/local")
            or not path.startswith(prefix + "/local/"))]
base = dict.fromkeys(("base", "platbase", "installed_base",
                      "installed_platbase"), prefix)
found = own[0] if own else sysconfig.get_path("purelib", "posix_prefix",
                                              vars=base)
print("${prefix}" + found[len(prefix):])
sys.exit(0 if own else 3)
