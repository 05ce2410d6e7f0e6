# SPDX-License-Identifier: GPL-2.0-or-later
"""measure.py - run a command and measure it; describe the machine"""
import os
import select
import subprocess
import time

PERIOD_MS = 20  # from look to look at the memory of a command


def environment():
    """Small, and the same for every tool. A byte more moves stacks; another
    seed is other work."""
    kept = {name: os.environ[name] for name in ('PATH', 'XDG_RUNTIME_DIR')
            if name in os.environ}
    return {'LC_ALL': 'C', 'HOME': '/nonexistent', 'PYTHONHASHSEED': '0',
            'PERL_HASH_SEED': '0', **kept}


def peak_kib(pid):
    """Peak resident memory so far, shared memory included; 0: it has ended."""
    try:
        with open('/proc/%d/status' % pid) as file:
            for line in file:
                if line.startswith('VmHWM:'):
                    return int(line.split()[1])
    except OSError:
        pass
    return 0


def run(command, stdin, stdout, stderr):
    """Runs command, its descriptors files of these names.

    Figures: wall, and the processor time of all its processes, threads and
    awaited children, in seconds; the peak memory of the first process itself,
    seen every PERIOD_MS (that of wait4() would be its children's too)."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [(os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
             (os.POSIX_SPAWN_OPEN, 1, stdout, flags, 0o644),
             (os.POSIX_SPAWN_OPEN, 2, stderr, flags, 0o644)]
    start = time.monotonic()
    pid = os.posix_spawnp(command[0], command, environment(),
                          file_actions=files)
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    peak = 0
    while not poll.poll(PERIOD_MS):
        peak = max(peak, peak_kib(pid))
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    os.close(ended)
    return {'status': os.waitstatus_to_exitcode(status), 'wall_s': wall,
            'user_s': usage.ru_utime, 'system_s': usage.ru_stime,
            'cpu_s': usage.ru_utime + usage.ru_stime, 'peak_kib': peak}


def first_line(*command):
    try:
        out = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.DEVNULL, check=False).stdout
        return (out.splitlines() or ['?'])[0]
    except OSError:
        return '?'


def proc_value(path, key):
    with open(path) as file:
        for line in file:
            if line.startswith(key):
                return line.split(':', 1)[1].strip()
    return '?'


def machine(alleria):
    return {'cpu': proc_value('/proc/cpuinfo', 'model name'),
            'cores': len(os.sched_getaffinity(0)),
            'memory': proc_value('/proc/meminfo', 'MemTotal'),
            'kernel': os.uname().release,
            'valgrind': first_line('valgrind', '--version'),
            'compiler': first_line('gcc', '--version'),
            'alleria': first_line(alleria, '--version'),
            'load': os.getloadavg()[0]}
