# SPDX-License-Identifier: GPL-2.0-or-later
#
# requests.py - a Python program that opens a window around a phase of its own
#
#	cc -O2 -shared -fPIC -I.../include requests.c -o requests.so
#	alleria run --window=requests.yaml python3 requests.py ./requests.so
#
# with requests.yaml:
#
#	windows:
#	  - {name: sum, on: {monitor: true}, profile: [{}]}
"""Sums numbers in a window."""
import contextlib
import ctypes
import sys

requests = ctypes.CDLL(sys.argv[1])


@contextlib.contextmanager
def window(name):
    """Open as long as the block runs."""
    requests.alleria_request_begin(name.encode())
    try:
        yield
    finally:
        requests.alleria_request_end(name.encode())


requests.alleria_request_mark(b"begin")
with window("sum"):
    total = sum(range(1000))
print(total, "recorded" if requests.alleria_request_running()
      else "not recorded")
