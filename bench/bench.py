# SPDX-License-Identifier: GPL-2.0-or-later
"""bench.py - what Alleria costs, side by side with other tools

For each workload, one run of each tool in turn, as often as asked; then
medians, ratios and whether the bars are met, as a table and as JSON. Exits
with 1 when a run failed or printed something else than the native one."""
import argparse
import glob
import hashlib
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True

import feed  # noqa: E402
import bars  # noqa: E402
import cores  # noqa: E402
import inputs  # noqa: E402
import measure  # noqa: E402
import others  # noqa: E402
import table  # noqa: E402

TOOLS = ('native', 'none', 'alleria-none', 'alleria', 'alleria-fixed',
         'alleria-record', 'alleria-replay-1', 'alleria-replay-2',
         'cachegrind', 'callgrind', 'lackey', 'alleria-never',
         'alleria-instrs', 'alleria-accesses',
         'alleria-function', 'alleria-timeline', 'alleria-heat',
         'alleria-count', 'alleria-mix', 'alleria-flow', 'alleria-entropy',
         'alleria-loops', 'alleria-loops-all',
         'alleria-branch', 'alleria-models', 'cachegrind-branch',
         'alleria-data', 'alleria-data-all', 'alleria-fields', 'dhat')
# Tools that run one analysis of the program, and the value of --analyze.
PROGRAM = {'alleria-count': 'count', 'alleria-mix': 'mix',
           'alleria-flow': 'flow', 'alleria-entropy': 'entropy',
           'alleria-loops': 'loops', 'alleria-loops-all': 'loops:of=*',
           'alleria-branch': 'branch',
           'alleria-models': 'branch:models=all'}
# Analyses of the tools that count by data object.
DATA = {'alleria-data': 'data', 'alleria-data-all': 'data:accesses=yes',
        'alleria-fields': 'data:accesses=yes,fields=yes'}
# These run on these workloads alone.
ONLY_ON = {
    'lackey': ['bzip2-small'],
    'alleria-never': ['bzip2', 'gcc'],
    'alleria-instrs': ['bzip2', 'gcc'],
    'alleria-accesses': ['bzip2', 'gcc'],
    'alleria-function': ['bzip2'],
    'alleria-timeline': ['bzip2', 'sqlite3', 'gcc'],
    'alleria-heat': ['bzip2', 'sqlite3', 'gcc'],
    **{tool: ['bzip2', 'sqlite3', 'gcc'] for tool in (*DATA, 'dhat')},
    **{tool: ['bzip2', 'gcc'] for tool in (*PROGRAM, 'cachegrind-branch')},
}
# These workloads have tools of their own: one cache, and all of a sweep.
SWEEPS = ('bzip2-sweep', 'sqlite3-sweep')
SWEEP_TOOLS = ('alleria-one', 'alleria-sweep')

# Argument of each workload, by --size.
SIZES = {
    'full': {'bzip2': 20000000, 'bzip2-small': 2000000, 'matrix': 500,
             'chase': None, 'sqlite3': 40000, 'gcc': 6, 'threads': 15000,
             'phases': 150,
             'bzip2-sweep': 4000000, 'sqlite3-sweep': 4000},
    'small': {'bzip2': 2000000, 'bzip2-small': 100000, 'matrix': 200,
              'chase': 1 << 24, 'sqlite3': 4000, 'gcc': 1, 'threads': 1500,
              'phases': 15,
              'bzip2-sweep': 400000, 'sqlite3-sweep': 400},
    'tiny': {'bzip2': 20000, 'bzip2-small': 1000, 'matrix': 20,
             'chase': 1 << 16, 'sqlite3': 20, 'gcc': 0, 'threads': 5,
             'phases': 0,
             'bzip2-sweep': 20000, 'sqlite3-sweep': 20},
}

# The feeder's: buffers skipped and kept, times played.
FEEDS = {
    'full': {'feeder': (300, 64, 80), 'stride': (0, 64, 40)},
    'small': {'feeder': (2, 16, 40), 'stride': (0, 64, 10)},
    'tiny': {'feeder': (0, 4, 1), 'stride': (0, 64, 1)},
}
PARTS = '--partitions=2'
# Settings among which the best fixed one is searched.
TUNE = ('--workers=1,2', '--buffers=4,12,24,48', '--buffer-size=256K,512K')
TUNE_TINY = ('--workers=2', '--buffers=12', '--buffer-size=512K')


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else \
        (values[half - 1] + values[half]) / 2


class Bench:
    def __init__(self, options):
        self.size = {**SIZES[options.size], **others.SIZES[options.size]}
        self.feeds = FEEDS[options.size]
        self.input = options.input
        build = os.path.abspath(options.builddir)
        self.alleria = os.path.join(build, 'bin', 'alleria')
        self.source = os.path.dirname(os.path.abspath(__file__))
        self.work = os.path.join(build, 'bench', 'work')
        self.failed = False
        self.used = {}
        self.tries = TUNE_TINY if options.size == 'tiny' else TUNE
        self.fixed = []  # options, of the workload that is measured
        os.makedirs(self.work, exist_ok=True)
        os.chdir(self.work)
        self.geometry = self.detect()

    def detect(self):
        """The caches that Alleria detects, without L2, which others do not
        know, as the options for all tools."""
        status = self.measure([self.alleria, 'run', '--json=alleria.json',
                               'true'], '/dev/null')['status']
        if status:
            sys.exit('bench: alleria run true: status %d: %s' % (
                status, last_message()))
        options = load('alleria.json')['run']['geometry']['options'].split()
        return [o for o in options if not o.startswith('--L2=')]

    # ---- workloads: a command, its standard input, whether it runs others

    def workload(self, name):
        if name in others.COMMANDS:
            return others.workload(name, self.size[name], self.use)
        return getattr(self, 'do_' + name.replace('-', '_'))(self.size[name])

    def use(self, path, make):
        inputs.keep(path, make)
        self.used[path] = inputs.describe(path)
        return path

    def do_bzip2(self, size):
        if self.input:
            self.used['input'] = inputs.describe(self.input)
            return ['bzip2', '-c', self.input], '/dev/null', False
        return self.do_bzip2_small(size)

    def do_bzip2_small(self, size):
        file = self.use('mixed-%d' % size, lambda: inputs.mixed(size))
        return ['bzip2', '-c', file], '/dev/null', False

    do_bzip2_sweep = do_bzip2_small

    def do_matrix(self, n):
        return ['../matrix', str(n)], '/dev/null', False

    def do_chase(self, size):
        size = size or self.larger_than_caches()
        return ['../chase', str(size), str(size // 64)], '/dev/null', False

    def larger_than_caches(self):
        """At least 64 MiB, but no more than a quarter of the memory."""
        last = int(self.geometry[-1].split('=')[1].split(',')[0])
        memory = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES')
        size = 1 << 26
        while size <= last and 2 * size <= memory // 4:
            size *= 2
        return size

    def do_sqlite3(self, rows):
        script = self.use('script-%d.sql' % rows, lambda: inputs.sql(rows))
        return ['sqlite3', ':memory:'], script, False

    do_sqlite3_sweep = do_sqlite3

    def do_gcc(self, types):
        with open(os.path.join(self.source, 'compiled.c'), 'rb') as file:
            text = file.read()
        with open('compiled.c', 'wb') as file:
            file.write(text)
        self.used['compiled.c'] = inputs.describe('compiled.c')
        return ['gcc', '-O2', '-DTYPES=%d' % types, '-S', '-o', '-',
                'compiled.c'], '/dev/null', True

    def do_threads(self, rounds):
        return ['../threads', str(rounds)], '/dev/null', False

    def do_phases(self, steps):
        return ['../phases', str(steps)], '/dev/null', False

    def tune(self, program, stdin, children):
        """The best fixed setting for it."""
        command = [self.alleria, 'tune', *self.tries, '--json=tune.json',
                   *(['--trace-children=yes'] if children else []),
                   *self.geometry, '--', *program]
        if self.measure(command, stdin)['status']:
            raise RuntimeError(last_message())
        return load('tune.json')['best']['options'].split()

    # ---- tools: what stands before the command

    def before(self, tool, children):
        more = ['--trace-children=yes'] if children else []
        ours = [self.alleria, 'run', '--json=alleria.json', *more]
        valgrind = ['valgrind', '-q', *more]
        simulate = ['--cache-sim=yes', *self.geometry]
        caches = '--cache=' + os.path.join(
            self.source, '..', 'configs', 'cache', 'sweep.yaml')
        return {
            'native': [],
            'none': [*valgrind, '--tool=none', '--'],
            'alleria-none': [*ours, '--analyze=none', '--'],
            'alleria': [*ours, *self.geometry, '--'],
            'alleria-timeline': [*ours, *self.geometry, '--analyze=cache',
                                 '--analyze=timeline', '--'],
            'alleria-heat': [*ours, *self.geometry, '--analyze=cache',
                             '--analyze=timeline:heat=yes', '--'],
            'alleria-one': [*ours, caches, '--analyze=cache', '--'],
            'alleria-sweep': [*ours, caches, '--analyze=sweep', '--'],
            **{'alleria-' + window: [
                *ours, '--analyze=none', '--window=' + os.path.join(
                    self.source, 'window-%s.yaml' % window), '--']
               for window in ('never', 'instrs', 'accesses', 'function')},
            **{name: [*ours, '--analyze=' + analysis, '--']
               for name, analysis in PROGRAM.items()},
            **{name: [*ours, *self.geometry, '--analyze=' + analysis, '--']
               for name, analysis in DATA.items()},
            'alleria-fixed': [*ours, *self.fixed, *self.geometry, '--'],
            'alleria-record': [*ours, '--analyze=none', '--profile=profile',
                               '--'],
            'cachegrind': [*valgrind, '--tool=cachegrind', *simulate,
                           '--cachegrind-out-file=out.%p', '--'],
            'cachegrind-branch': [*valgrind, '--tool=cachegrind',
                                  '--cache-sim=no', '--branch-sim=yes',
                                  '--cachegrind-out-file=out.%p', '--'],
            'callgrind': [*valgrind, '--tool=callgrind', *simulate,
                          '--callgrind-out-file=out.%p', '--'],
            'dhat': [*valgrind, '--tool=dhat', '--dhat-out-file=out.%p', '--'],
            'lackey': [*valgrind, '--tool=lackey', '--trace-mem=yes', '--'],
        }[tool]

    def command(self, tool, program, children):
        """Replay needs the profile of the record before it, no program."""
        if tool.startswith('alleria-replay-'):
            return [self.alleria, 'replay', '--json=alleria.json',
                    *self.geometry, '--workers=' + tool[-1], 'profile']
        return self.before(tool, children) + program

    # ---- one run

    def measure(self, command, stdin, stderr='messages'):
        figures = measure.run(command, stdin, 'printed', stderr)
        with open('printed', 'rb') as file:
            figures['printed'] = hashlib.sha256(file.read()).hexdigest()
        return figures

    def once(self, tool, command, stdin):
        # Nobody reads Lackey's gigabytes: the least that they can cost.
        stderr = '/dev/null' if tool == 'lackey' else 'messages'
        is_ours = tool.startswith('alleria')
        if is_ours and os.path.exists('alleria.json'):
            os.unlink('alleria.json')
        if tool == 'alleria-record' and os.path.exists('profile'):
            os.unlink('profile')
        figures = self.measure(command, stdin, stderr)
        for path in glob.glob('out.*'):
            os.unlink(path)
        if is_ours and os.path.exists('alleria.json'):
            figures.update(pipeline(load('alleria.json')['run']))
        return figures

    def check(self, name, tool, figures, want):
        ours = figures.get('recording', 'complete')
        if tool.startswith('alleria-replay-'):
            want = hashlib.sha256(b'').hexdigest()
        if figures['status'] == 0 and figures['printed'] == want and \
                ours == 'complete':
            return
        self.failed = True
        print('bench: %s, %s: status %d, %s output, recording %s; %s' % (
            name, tool, figures['status'],
            'same' if figures['printed'] == want else 'other', ours,
            last_message()), file=sys.stderr)

    # ---- all runs of a workload

    def compare(self, name, tools, runs):
        program, stdin, children = self.workload(name)
        if name in SWEEPS:
            tools = SWEEP_TOOLS
        elif name in others.COMMANDS:
            tools = [t for t in tools if t in others.TOOLS]
        else:
            tools = [t for t in tools if name in ONLY_ON.get(t, [name])]
        native = self.measure(program, stdin)
        want = native['printed']
        self.check(name, 'native', native, want)
        if 'alleria-fixed' in tools:
            table.progress(name + ': alleria tune')
            self.fixed = self.tune(program, stdin, children)
        rows = {tool: {'command': self.command(tool, program, children),
                       'runs': []} for tool in tools}
        for turn in range(runs):
            for tool, row in rows.items():
                if tool == 'lackey' and turn > 0:
                    continue  # it takes minutes
                table.progress('%s, run %d of %d: %s' % (
                    name, turn + 1, runs, tool))
                figures = self.once(tool, row['command'], stdin)
                self.check(name, tool, figures, want)
                row['runs'].append(figures)
        table.progress('')
        summarize(rows)
        return {'command': program, 'stdin': stdin, 'fixed': self.fixed,
                'tools': rows}


    # ---- the pipeline alone

    def play(self, name, program, stdin, size, rows, runs):
        """The feeder with each row's options."""
        skip, keep, repeat = size
        table.progress(name)
        figures = self.measure(
            ['../recorder', '--dump=dump', '--skip=%d' % skip,
             '--keep=%d' % keep, *self.geometry, *program], stdin)
        try:
            if figures['status']:
                raise ValueError(last_message())
            more = ['--repeat=%d' % repeat, *self.geometry]
            rows = feed.measure('../feeder', 'dump', {
                label: [*row, *more] for label, row in rows.items()}, runs)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self.failed = True
            print('bench: %s: %s' % (name, error), file=sys.stderr)
            return None
        table.progress('')
        return rows

    def feed(self, runs):
        """On one worker and on two, both in parts; and in one piece on
        one."""
        program, stdin, _ = self.workload('bzip2-small')
        rows = self.play('feeder', program, stdin, self.feeds['feeder'], {
            '1': ['--workers=1', PARTS], '2': ['--workers=2', PARTS],
            '1, fused': ['--workers=1', '--partitions=1']}, runs)
        return rows and {'rows': rows, 'speed_up': rows['1']['wall_ns'] /
                         rows['2']['wall_ns']}

    def stride(self, runs):
        """A program that uses few sets: they stay where they are, or change
        hands."""
        both = ['--workers=2', '--partitions=8']
        rows = self.play('stride', ['../../tests/guests/stride'], '/dev/null',
                         self.feeds['stride'], {
                             'still': [*both, '--still'], 'moved': both}, runs)
        return rows and {'rows': rows, 'ratio': rows['moved']['wall_ns'] /
                         rows['still']['wall_ns']}


def last_message():
    """The last line that a command wrote to its standard error."""
    with open('messages', errors='replace') as file:
        return (file.read().splitlines() or ['no message'])[-1]


def load(path):
    with open(path) as file:
        return json.load(file)


def pipeline(run):
    """What Alleria says of itself."""
    accesses = run['reads'] + run['writes']
    return {'recording': run['status'], 'accesses': accesses,
            'unit_bytes': run['bytes']['units'],
            'bytes_per_access': run['bytes']['units'] / max(accesses, 1),
            'profile_per_access': run['bytes']['profile'] / max(accesses, 1),
            'time': run['time']}


def medians(runs):
    """Of every number that is in all of them."""
    return {key: median([run[key] for run in runs]) for key in runs[0]
            if all(isinstance(run.get(key), (int, float)) for run in runs)}


def summarize(rows):
    """Medians of all figures; ratios of the wall times' medians."""
    for row in rows.values():
        row['median'] = medians(row['runs'])
        times = [run['time'] for run in row['runs'] if 'time' in run]
        if times:
            row['median']['time'] = medians(times)
    for row in rows.values():
        row['ratio'] = {
            tool: row['median']['wall_s'] / rows[tool]['median']['wall_s']
            for tool in rows}


def names_of(known):
    def parse(text):
        names = text.split(',')
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError("'%s' is none of %s" % (
                    name, ', '.join(known)))
        return names
    return parse


def positive(text):
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError("'%s' is no positive number" % text)
    return int(text)


def parse_options():
    names = [*SIZES['full'], *others.COMMANDS, *FEEDS['full']]
    p = argparse.ArgumentParser(prog='bench.py', allow_abbrev=False)
    p.add_argument('--builddir', default='.', help='where bin/alleria is [.]')
    p.add_argument('--runs', type=positive, default=3,
                   help='of each tool on each workload [3]')
    p.add_argument('--size', choices=SIZES, default='full',
                   help='of the inputs; the bars are meant for full [full]')
    p.add_argument('--only', type=names_of(names), default=names,
                   metavar='WORKLOAD,...', help=', '.join(names))
    p.add_argument('--tools', type=names_of(TOOLS), default=TOOLS,
                   metavar='TOOL,...',
                   help='%s; lackey runs on %s only, and once, windows on '
                   'bzip2 and gcc; what ends in -sweep has its own; '
                   '%s have %s' % (
                       ', '.join(TOOLS), *ONLY_ON['lackey'],
                       ', '.join(others.COMMANDS), ', '.join(others.TOOLS)))
    p.add_argument('--input', type=os.path.abspath, metavar='FILE',
                   help='for bzip2, instead of a made one')
    p.add_argument('--cores', default='all', metavar='all|near|far|CPU,...',
                   help='processors to run on: all, the two nearest or '
                   'farthest by the way of a cache line, or these [all]')
    p.add_argument('--json', type=os.path.abspath, metavar='FILE',
                   help='all runs, medians, ratios and bars')
    return p.parse_args()


def main():
    options = parse_options()
    bench = Bench(options)
    cpus, line_ns = cores.choose('../pingpong', options.cores)
    os.sched_setaffinity(0, cpus)
    result = {'machine': measure.machine(bench.alleria), 'size': options.size,
              'cores': cpus, 'line_ns': line_ns,
              'runs': options.runs, 'geometry': bench.geometry,
              'environment': measure.environment(), 'workloads': {}}
    table.head(result)
    for name in options.only:
        if name in FEEDS['full']:
            result[name] = getattr(bench, 'feed' if name == 'feeder' else
                                   name)(options.runs)
            getattr(table, name)(result[name])
            continue
        try:
            workload = bench.compare(name, options.tools, options.runs)
        except (FileNotFoundError, RuntimeError) as error:
            bench.failed = True
            print('bench: %s: %s' % (name, error), file=sys.stderr)
            continue
        result['workloads'][name] = workload
        table.workload(name, workload)
    result['inputs'] = bench.used
    result['bars'] = bars.judge(result)
    table.bars(result['bars'], options.size)
    if options.json:
        with open(options.json + '.new', 'w') as file:
            json.dump(result, file, indent=1)
        os.rename(options.json + '.new', options.json)
    return 1 if bench.failed else 0


if __name__ == '__main__':
    sys.exit(main())
