# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py [SECONDS=KEYS ...] -- COMMAND ...: run a command on a terminal

TEST_ROWS and TEST_COLUMNS are the size of the terminal; without, it has none.

Prints what the terminal shows and exits with the command's status, 128 + N
after signal N, 124 after a minute. KEYS are typed after SECONDS; \\x03 is ^C.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time


def main():
    words = sys.argv[1:]
    at = words.index("--")
    keys = sorted((float(t), k.encode().decode("unicode_escape").encode())
                  for t, k in (w.split("=", 1) for w in words[:at]))
    child, fd = pty.fork()
    if child == 0:
        if "TEST_ROWS" in os.environ:
            size = (int(os.environ["TEST_ROWS"]),
                    int(os.environ["TEST_COLUMNS"]), 0, 0)
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", *size))
        os.environ["TERM"] = os.environ.get("TEST_TERM", "xterm")
        if not os.environ.get("TEST_NO_SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execvp(words[at + 1], words[at + 1:])
    start = time.monotonic()
    while time.monotonic() - start < 60:
        if keys and time.monotonic() - start >= keys[0][0]:
            os.write(fd, keys.pop(0)[1])
        if not select.select([fd], [], [], 0.05)[0]:
            continue
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b""
        if not data:
            status = os.waitpid(child, 0)[1]
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    os.kill(child, 9)
    return 124


sys.exit(main())
