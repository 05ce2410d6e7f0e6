# SPDX-License-Identifier: GPL-2.0-or-later
"""full_terminal.py KEYS COMMAND ...: interrupt a command in a write to a terminal

Types KEYS, reads nothing until the command waits for room in the terminal's
buffer, sends it SIGINT, and then reads the rest. The first SIGINT makes the
write end with a part, the next ones make it fail. Exits with the command's
status, 128 + N after signal N, 124 if it never waits.
"""
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
import time


def count_unread_bytes(fd):
    answer = fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4)
    return struct.unpack("i", answer)[0]


def wait_for_a_full_buffer(fd):
    """Return whether there is output and none was added for 1.5 s."""
    end = time.monotonic() + 60
    unread, since = 0, time.monotonic()
    while time.monotonic() < end:
        now = count_unread_bytes(fd)
        if now != unread:
            unread, since = now, time.monotonic()
        if unread > 1024 and time.monotonic() - since > 1.5:
            return True
        time.sleep(0.05)
    return False


def main():
    child, fd = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(sys.argv[2], sys.argv[2:])
    while not count_unread_bytes(fd):
        time.sleep(0.05)
    os.write(fd, sys.argv[1].encode())
    if not wait_for_a_full_buffer(fd):
        os.kill(child, signal.SIGKILL)
        return 124
    for _ in range(3):
        os.kill(child, signal.SIGINT)
        time.sleep(0.2)
    try:
        while os.read(fd, 65536):
            pass
    except OSError:
        pass
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code >= 0 else 128 - code


sys.exit(main())
