# SPDX-License-Identifier: GPL-2.0-or-later
"""feed.py - the pipeline alone on several numbers of workers

Plays a dump of bench/recorder with bench/feeder on each number of workers in
turn, as often as asked, and prints medians, speed-up, efficiency and the
serial share. Every run must give the same analyses. What stands behind DUMP
goes to the feeder: --streams=4, --D1=..., and so on."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

WORKERS = (1, 2, 4, 8, 14)
# 80 columns are few.
SHORT = {'preparation_ns': 'prepare', 'recovery_ns': 'recover'}
FIGURES = ('wall_ns', 'cpu_ns', 'busy_ns', 'idle_ns')


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else \
        (values[half - 1] + values[half]) / 2


def play(feeder, dump, options):
    """One run: the figures, stage times among them, and the analyses."""
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([feeder, '--json=' + file.name, *options, dump],
                       check=True, stdout=subprocess.DEVNULL)
        result = json.load(file)
    stages = result['report']['run']['time']['stages']
    return {**result['feeder'], 'stages': stages}, \
        json.dumps(result['report']['analyses'], sort_keys=True)


def measure(feeder, dump, rows, runs):
    """Rows: label -> options. Adds the medians; raises ValueError when the
    analyses differ."""
    seen = {}
    figures = {label: [] for label in rows}
    for _ in range(runs):
        for label, options in rows.items():
            run, analyses = play(feeder, dump, options)
            figures[label].append(run)
            seen[label] = analyses
            if analyses != seen[next(iter(rows))]:
                raise ValueError("'%s' has other analyses than '%s'" % (
                    label, next(iter(rows))))
    return {label: {**runs[0], **{key: median([run[key] for run in runs])
                                  for key in FIGURES},
                    'stages': {key: median([run['stages'][key]
                                            for run in runs])
                               for key in runs[0]['stages']}}
            for label, runs in figures.items()}


def serial_share(walls):
    """Amdahl: wall(n) / wall(1) = s + (1 - s) / n; the s with the least
    squares. Walls: workers -> ns, 1 among them; None when it is alone."""
    pairs = [(walls[n] / walls[1] - 1 / n, 1 - 1 / n) for n in walls if n > 1]
    if not pairs:
        return None
    return sum(y * x for y, x in pairs) / sum(x * x for _, x in pairs)


def table(rows, walls):
    print('%-12s%8s%9s%10s%9s%9s%9s%7s' % (
        'workers', 'wall s', 'ns/unit', 'Macc/s', 'CPU/unit', 'speed-up',
        'effic.', 'idle'))
    for label, row in rows.items():
        n = row['workers']
        speed_up = walls[1] / row['wall_ns'] if 1 in walls else 0
        print('%-12s%8.3f%9.2f%10.1f%9.2f%9.2f%8.0f%%%6.0f%%' % (
            label, row['wall_ns'] / 1e9, row['wall_ns'] / row['units'],
            row['accesses'] / row['wall_ns'] * 1e3,
            row['cpu_ns'] / row['units'], speed_up, 100 * speed_up / n,
            100 * row['idle_ns'] / max(1, row['idle_ns'] + row['busy_ns'])))
    print('workers  stages, ns/unit')
    for label, row in rows.items():
        print('%-9s%s' % (label, ' '.join('%s %.*f' % (
            SHORT.get(key, key[:-3]), value < 100 * row['units'],
            value / row['units'])
            for key, value in row['stages'].items() if value)))


def numbers(text):
    try:
        values = [int(part) for part in text.split(',')]
    except ValueError:
        values = [0]
    if min(values) < 1:
        raise argparse.ArgumentTypeError("'%s' are no numbers" % text)
    return values


def beside(text):
    label, _, options = text.partition(':')
    if not label or not options:
        raise argparse.ArgumentTypeError("'%s': LABEL:OPTIONS" % text)
    return label, options.split()


def parse_options():
    p = argparse.ArgumentParser(prog='feed.py', allow_abbrev=False,
                                description=__doc__.split('\n\n')[1])
    cores = len(os.sched_getaffinity(0))
    p.add_argument('--builddir', default='.',
                   help='where bench/feeder is [.]')
    p.add_argument('--workers', type=numbers,
                   default=[n for n in WORKERS if n <= cores],
                   metavar='N,...', help='[of %s what there are cores for]' %
                   ','.join(map(str, WORKERS)))
    p.add_argument('--beside', type=beside, action='append', default=[],
                   metavar='LABEL:OPTIONS', help='one more row, not in the '
                   "fit: --beside 'fused:--workers=1 --other=...'")
    p.add_argument('--runs', type=int, default=5, help='of each [5]')
    p.add_argument('--json', metavar='FILE', help='the medians, too')
    p.add_argument('dump')
    p.add_argument('options', nargs='*')
    return p.parse_known_args()


def main():
    options, more = parse_options()
    more = options.options + more
    rows = {str(n): ['--workers=%d' % n, *more] for n in options.workers}
    rows.update({label: [*more, *own] for label, own in options.beside})
    try:
        result = measure(os.path.join(options.builddir, 'bench', 'feeder'),
                         options.dump, rows, options.runs)
    except (ValueError, subprocess.CalledProcessError) as error:
        sys.exit('feed.py: %s' % error)
    walls = {n: result[str(n)]['wall_ns'] for n in options.workers}
    table(result, walls)
    share = serial_share(walls) if 1 in walls else None
    if share is not None:
        print('serial share (Amdahl, least squares): %.1f %%' % (100 * share))
    if options.json:
        with open(options.json, 'w') as file:
            json.dump({'rows': result, 'serial_share': share}, file, indent=1)
    return 0


if __name__ == '__main__':
    sys.exit(main())
