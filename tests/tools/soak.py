# SPDX-License-Identifier: GPL-2.0-or-later
"""soak.py - many programs come and go at one alleriad, for a long time

   soak.py BUILDDIR WORK SECONDS PROGRAMS [alleriad's options...]

Keeps PROGRAMS of them running, stops and continues some, kills some. Prints
'WHAT: ...' for everything that is not as it should be, WHAT being output,
record, threads, descriptors, rings, code, memory, runtime or daemon; and lines
'# ' of figures. SOAK_SEED in the environment repeats the choice of programs."""
import collections
import glob
import heapq
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

LIMIT_S = 120      # for what takes a second at most
KEPT_KIB = 8       # of a process that has ended, for the report
SLACK_KIB = 16384  # of the allocator
KINDS = (
    # Valgrind's options, command, native status, how each process ends
    ('', 'steady b', 7, ('code 7',)),
    ('', 'steady j', 7, ('code 7',)),
    ('', 'steady n', 7, ('code 7',)),
    ('', 'steady o', 7, ('code 7',)),
    ('', 'processes one_fork', 0, ('code 0', 'code 7')),
    ('', 'processes double_fork', 0, ('code 0', 'code 0', 'code 9')),
    ('', 'processes orphan', 2, ('code 2', 'code 8')),
    ('', 'processes child_killed', 0, ('code 0', 'signal 9')),
    ('--trace-children=yes', 'processes exec_chain 5', 4, ('code 4',)),
    ('', 'processes forks_in_threads 3', 0, ('code 0',) + 3 * ('code 1',)),
    ('', 'processes crowd 30', 0, ('code 0',)),
    ('--trace-children=yes', 'processes spawn', 0, ('code 0', 'code 5')),
    ('--trace-children=yes', 'processes vfork_exec', 0, ('code 0', 'code 0')),
    ('', 'threads turns 5', 0, ('code 0',)),
    ('', 'signals jump 50', 0, ('code 0',)),
)


class Kind:
    def __init__(self, options, command, status, ends, guests):
        name, *rest = command.split()
        self.text = command
        self.valgrind = options.split()
        self.command = [os.path.join(guests, name), *rest]
        self.ends = sorted(ends)
        # The real thing says what it prints, and that the table is right.
        native = subprocess.run(self.command, input=b'\n', check=False,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
        self.want = (native.returncode, native.stdout, native.stderr)
        if native.returncode != status:
            print('output: %s: native status %d' % (
                command, native.returncode))

    def counts(self):
        """Instructions, reads, writes, modifies, where they are known."""
        if not self.text.startswith('steady'):
            return None
        n = 1024 << (ord(self.text[-1]) - ord('a'))
        return [25 + 8 * n, 2 + 2 * n, 4 * n, 2 * n]


class Program:
    """One that runs, and what became of it. Valgrind's files are its own: names
    of those that a killed one leaves come again with its pid."""

    def __init__(self, soak, kind, number):
        self.kind = kind
        self.path = os.path.join(soak.work, 'program-%d' % number)
        self.killed = False
        os.mkdir(self.path)
        with open(self.path + '.out', 'wb') as out, \
                open(self.path + '.err', 'wb') as err, \
                open(soak.newline, 'rb') as stdin:
            self.process = subprocess.Popen(
                ['valgrind', '-q', '--tool=' + soak.tool,
                 '--alleria-socket=' + soak.socket, *kind.valgrind,
                 *kind.command], stdin=stdin, stdout=out, stderr=err,
                env={**os.environ, 'TMPDIR': self.path})

    def is_over(self):
        return self.process.poll() is not None

    def send(self, number):
        if not self.is_over():
            self.process.send_signal(number)
            self.killed |= number == signal.SIGKILL

    def read(self, suffix):
        with open(self.path + suffix, 'rb') as file:
            text = file.read()
        os.unlink(self.path + suffix)
        return text

    def check(self):
        """A killed one may have printed a part. '###' is Valgrind, about
        debug information of clang's."""
        said = [line for line in self.read('.err').splitlines(True)
                if not line.startswith(b'###')]
        got = (self.process.returncode, self.read('.out'), b''.join(said))
        self.killed &= got[0] == -signal.SIGKILL
        shutil.rmtree(self.path)
        if got != self.kind.want and not self.killed:
            print('output: %s: %r' % (self.kind.text, got))


class Soak:
    def __init__(self, builddir, work, programs, options):
        guests = os.path.join(builddir, 'tests', 'guests')
        self.work = work
        self.programs = programs
        self.tool = '../' * 10 + builddir.lstrip('/') + '/libexec/alleria'
        self.socket = os.path.join(work, 'soak.sock')
        self.report = os.path.join(work, 'soak.json')
        self.newline = os.path.join(work, 'newline')
        with open(self.newline, 'w') as file:
            file.write('\n')
        # Adapting, the daemon keeps what workers it once had.
        self.spare = 0 if any(o.startswith('--workers=') and o[10:].isdigit()
                              for o in options) else os.cpu_count()
        self.kinds = [Kind(*row, guests) for row in KINDS]
        self.alive = []
        self.ended = []
        self.started = 0
        self.patience = LIMIT_S
        self.messages = os.path.join(work, 'soak.err')
        with open(self.messages, 'w') as err:
            self.daemon = subprocess.Popen(
                [os.path.join(builddir, 'bin', 'alleriad'),
                 '--socket=' + self.socket, '--json=' + self.report,
                 *options], stderr=err)
        self.wait(lambda: os.path.exists(self.socket), 'daemon: no socket')

    def wait(self, condition, otherwise):
        end = time.monotonic() + self.patience
        while not condition():
            if time.monotonic() > end:
                print(otherwise, flush=True)
                self.patience = 1  # it may be so every time
                return False
            time.sleep(0.02)
        return True

    # ---- programs

    def start(self, kind):
        self.started += 1
        return Program(self, kind, self.started)

    def choose(self):
        """Small ones more often: they are what comes and goes."""
        return random.choices(self.kinds, [
            12 if kind.counts() else 1 for kind in self.kinds])[0]

    def alone(self, kind):
        program = self.start(kind)
        self.wait(program.is_over, 'output: %s does not end' % kind.text)
        self.ended.append(program)
        self.settle()

    def disturb(self, program, events):
        """Plans what happens to a program that starts now."""
        now = time.monotonic()
        at = now + random.random() ** 2 * 20
        what = random.random()
        if what < 0.2:
            heapq.heappush(events, (at, self.started, program,
                                    signal.SIGKILL))
        elif what < 0.4:
            heapq.heappush(events, (at, self.started, program,
                                    signal.SIGSTOP))
            heapq.heappush(events, (at + random.random(), self.started,
                                    program, signal.SIGCONT))

    def churn(self, seconds):
        end = time.monotonic() + seconds
        events = []
        while self.alive or time.monotonic() < end:
            while len(self.alive) < self.programs and time.monotonic() < end:
                self.alive.append(self.start(self.choose()))
                self.disturb(self.alive[-1], events)
            time.sleep(0.01)
            while events and events[0][0] < time.monotonic():
                _, _, program, number = heapq.heappop(events)
                program.send(number)
            over = [p for p in self.alive if p.is_over()]
            self.alive = [p for p in self.alive if p not in over]
            self.ended += over
            if time.monotonic() > end + LIMIT_S:
                for p in self.alive:
                    print('output: %s does not end' % p.kind.text)
                    p.process.kill()

    # ---- the daemon

    def figure(self, name):
        with open('/proc/%d/status' % self.daemon.pid) as file:
            for line in file:
                if line.startswith(name + ':'):
                    return int(line.split()[1])
        return 0

    def maps(self, text):
        with open('/proc/%d/maps' % self.daemon.pid) as file:
            return sum(text in line for line in file)

    def rings(self):
        return self.maps('memfd:alleria')

    def look(self):
        """Threads, descriptors, rings, generated code."""
        return (self.figure('Threads'),
                len(os.listdir('/proc/%d/fd' % self.daemon.pid)),
                self.rings(), self.maps(' rwxp '))

    def settle(self):
        """Until nothing is connected; orphans take a little longer."""
        self.wait(lambda: not self.rings(), 'rings: some are left')
        self.wait(lambda: not glob.glob(self.runtime() + '/pid-*'),
                  'runtime: links are left')
        time.sleep(0.1)

    def memory(self):
        """When the daemon has given back what is free [KiB]."""
        time.sleep(1)
        return self.figure('RssAnon')

    def runtime(self):
        return os.path.join(os.environ['XDG_RUNTIME_DIR'], 'alleria')

    def stop(self):
        self.daemon.terminate()
        self.wait(lambda: self.daemon.poll() is not None,
                  'daemon: does not end')
        if self.daemon.poll() != 0:
            print('daemon: status %s' % self.daemon.poll())
        for path in (self.socket, *glob.glob(self.runtime() + '/*')):
            if os.path.exists(path):
                print('runtime: %s is left' % path)

    def leave(self):
        """Nothing of ours outlives us."""
        for process in (self.daemon, *(p.process for p in self.alive)):
            if process.poll() is None:
                process.kill()

    # ---- what it has recorded

    def check_records(self):
        with open(self.report) as file:
            processes = json.load(file)['run']['processes']
        trees = collections.defaultdict(list)
        for process in processes:
            trees[process['tree']].append(process)
        of_pid = collections.defaultdict(list)
        for number in sorted(trees):
            of_pid[trees[number][0]['pid']].append(trees[number])
        programs = collections.defaultdict(list)
        for program in self.ended:
            programs[program.process.pid].append(program)
        for pid, those in programs.items():
            self.check_pid(those, of_pid[pid])
        self.check_orphans([tree for trees in of_pid.values()
                            for tree in trees])
        return len(processes)

    def check_orphans(self, trees):
        """Nobody knows whose child it was that became another program when
        its parent is dead: it is the first of a tree."""
        killed = sum(program.killed and program.kind.valgrind != []
                     for program in self.ended)
        for tree in trees[killed:]:
            print('record: nobody has started %s' % tree[0]['command'])
        for tree in trees:
            if not all(is_right(process) for process in tree):
                print('record: orphan %s' % tree[0]['command'])

    def check_pid(self, programs, trees):
        """Killed before it could say anything, a program has no record; the
        next one is then of another that had the same pid."""
        lacking = len(programs) - len(trees)
        for program in programs:
            if program.killed and lacking > 0 and not (
                    trees and may_be_of(trees[0], program.kind)):
                lacking -= 1
            elif not trees:
                print('record: %s: none' % program.kind.text)
            else:
                self.check_tree(program, trees.pop(0))

    def check_tree(self, program, tree):
        kind = program.kind
        ends = sorted('%s %d' % item for process in tree
                      for item in process['exit'].items())
        bad = [p for p in tree if not is_right(p)]
        if bad or (not program.killed and ends != kind.ends):
            print('record: %s%s: %s %s' % (
                kind.text, ', killed' if program.killed else '', ends,
                [(p['status'], p.get('reason')) for p in bad]))
        counts = [tree[0][key] for key in (
            'instructions', 'reads', 'writes', 'modifies')]
        if kind.counts() and not program.killed and counts != kind.counts():
            print('record: %s: counts %s' % (kind.text, counts))


def may_be_of(tree, killed):
    return tree[0]['exit'] == {'signal': 9} and \
        tree[0]['command'] == killed.command


def is_right(process):
    """Whole, or killed and said so."""
    if process['lost']:
        return False
    if process['exit'] == {'signal': 9}:
        return process['status'] == 'complete' or \
            process.get('reason') == 'killed by signal 9'
    return process['status'] == 'complete'


def measure(soak, seconds):
    """From when as many have been there at once as there ever will be."""
    for kind in soak.kinds:
        soak.alone(kind)
    before = soak.look()
    soak.churn(seconds / 4)
    soak.settle()
    grown, first = -soak.memory(), len(soak.ended)
    soak.churn(seconds - seconds / 4)
    soak.settle()
    after = soak.look()
    for what, old, new, spare in zip(
            ('threads', 'descriptors', 'rings', 'code'), before, after,
            (soak.spare, 0, 0, 0)):
        if new > old + spare:
            print('%s: %d before, %d after' % (what, old, new))
    grown += soak.memory()
    peak = soak.figure('VmHWM') >> 10
    more = sum(len(program.kind.ends) for program in soak.ended[first:])
    if grown > KEPT_KIB * more + SLACK_KIB:
        print('memory: %d KiB more after %d processes more' % (grown, more))
    soak.stop()
    for program in soak.ended:
        program.check()
    recorded = soak.check_records()
    print('# %d programs, %d killed, %d processes recorded' % (
        soak.started, sum(p.killed for p in soak.ended), recorded))
    print('# %d threads, %d descriptors, peak %d MiB; %d KiB more after %d '
          'processes more' % (*after[:2], peak, grown, more))


def main():
    builddir, work, seconds, programs, *options = sys.argv[1:]
    seed = int(os.environ.get('SOAK_SEED', time.time_ns() % 1000000))
    random.seed(seed)
    print('# seed %d' % seed)
    soak = Soak(builddir, work, int(programs), options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        measure(soak, int(seconds))
    finally:
        soak.leave()


if __name__ == '__main__':
    main()
