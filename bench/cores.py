# SPDX-License-Identifier: GPL-2.0-or-later
"""cores.py - the processors that the benchmarks run on, and how far apart their
caches lie

The distance of two processors is the time that a cache line takes from one to the
other, measured by pingpong."""
import os
import subprocess

MANY = 16  # processors that are tried against the first


def distance(pingpong, first, second):
    """Nanoseconds of one way."""
    return float(subprocess.run(
        [pingpong, str(first), str(second)], check=True,
        stdout=subprocess.PIPE).stdout)


def distances(pingpong):
    """Of the first processor to each other one: [(ns, processor)], sorted."""
    cpus = sorted(os.sched_getaffinity(0))
    return sorted((distance(pingpong, cpus[0], cpu), cpu)
                  for cpu in cpus[1:MANY])


def choose(pingpong, wanted):
    """The processors that --cores asks for, and the distance of the first two
    [ns]; None: there is only one."""
    cpus = sorted(os.sched_getaffinity(0))
    if wanted in ('near', 'far') and len(cpus) > 1:
        ns, other = distances(pingpong)[0 if wanted == 'near' else -1]
        return [cpus[0], other], ns
    chosen = cpus if wanted in ('all', 'near', 'far') else \
        [int(cpu) for cpu in wanted.split(',')]
    if len(chosen) < 2:
        return chosen, None
    return chosen, distance(pingpong, *chosen[:2])
