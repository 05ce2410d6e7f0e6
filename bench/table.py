# SPDX-License-Identifier: GPL-2.0-or-later
"""table.py - the benchmarks' results, in 80 columns"""
import sys
import textwrap

import feed

LABELS = {'none': 'valgrind --tool=none',
          'alleria-none': 'alleria --analyze=none',
          'alleria-fixed': 'alleria, best fixed',
          'alleria-record': 'alleria --profile, none',
          'alleria-replay-1': 'replay, 1 worker',
          'alleria-replay-2': 'replay, 2 workers',
          'alleria-one': 'alleria, one cache',
          'alleria-sweep': 'alleria, 64 caches',
          'alleria-loops-all': 'alleria-loops, of=*',
          'alleria-models': 'alleria-branch, models',
          'alleria-data-all': 'alleria-data, accesses',
          'alleria-fields': 'alleria-data, fields',
          'cachegrind-branch': 'cachegrind --branch-sim',
          'lackey': 'lackey --trace-mem=yes'}


def say(text):
    print(text, flush=True)


def progress(text):
    """On a terminal, what is going on."""
    if sys.stderr.isatty():
        sys.stderr.write('\r\033[K' + text)
        sys.stderr.flush()


def head(result):
    machine = result['machine']
    say('%(cpu)s, %(cores)d cores, %(memory)s, Linux %(kernel)s' % machine)
    say('%(alleria)s, %(valgrind)s, load %(load).1f' % machine)
    if result['line_ns'] is not None:
        say('on processors %s; a cache line takes %.0f ns from %d to %d' % (
            ', '.join(map(str, result['cores'])), result['line_ns'],
            *result['cores'][:2]))
    say('size %s, medians of %d' % (result['size'], result['runs']))
    say('\n'.join(textwrap.wrap(
        'alleria, cachegrind and callgrind simulate ' +
        ' '.join(result['geometry']), 79, subsequent_indent='  ',
        break_on_hyphens=False)))
    say('CPU: user and system time of all processes, the daemon too')
    say('MiB: peak resident memory of the process started; '
        'of alleria, the daemon')
    say('B/acc: bytes in the ring per data access')
    say('waited: the program for a free buffer, s; the rest: the workers, s')


def number(value, width, digits):
    return '%*s' % (width, '-' if value is None else '%.*f' % (digits, value))


HEADINGS = ('wall s', 'x native', 'x none', 'x cachegr', 'CPU s', 'MiB',
            'B/acc')
WIDTHS = (9, 9, 7, 10, 8, 7, 7)
DIGITS = (3, 2, 2, 2, 2, 1, 2)


def row(tool, figures):
    ratio, m = figures['ratio'], figures['median']
    values = (m['wall_s'], ratio.get('native'), ratio.get('none'),
              ratio.get('cachegrind'), m['cpu_s'],
              m['peak_kib'] / 1024 or None, m.get('bytes_per_access'))
    return '%-23s' % LABELS.get(tool, tool) + ''.join(
        number(*cell) for cell in zip(values, WIDTHS, DIGITS))


def workload(name, result):
    say('\n%s: %s' % (name, ' '.join(result['command'])))
    say('%-23s' % 'tool' + ''.join(
        '%*s' % pair for pair in zip(WIDTHS, HEADINGS)))
    for tool, figures in result['tools'].items():
        say(row(tool, figures))
    say_adaptive(result)
    for tool, figures in result['tools'].items():
        if 'time' in figures['median']:
            say(pipeline(tool, figures['median']['time']))


def say_adaptive(result):
    ours, fixed = (result['tools'].get(tool, {}).get('median')
                   for tool in ('alleria', 'alleria-fixed'))
    if ours and fixed:
        say('  adaptive / %s: wall %.2f, CPU %.2f' % (
            ' '.join(option.lstrip('-') for option in result['fixed']),
            ours['wall_s'] / fixed['wall_s'], ours['cpu_s'] / fixed['cpu_s']))


def pipeline(tool, time):
    """Seconds; the workers' are sums over all of them."""
    parts = [(label, time.get(key)) for label, key in (
        ('waited', 'program_wait_ns'), ('recovery', 'recovery_ns'),
        ('analysis', 'analysis_ns'), ('workers idle', 'worker_idle_ns'))]
    return '  %-17s%s' % (tool, ', '.join(
        '%s %.2f' % (label, ns / 1e9) for label, ns in parts
        if ns is not None))


def feeder(result):
    if result:
        rows = result['rows']
        say('\nfeeder: the ring stream of bzip2-small from memory')
        feed.table(rows, {int(n): rows[n]['wall_ns'] for n in ('1', '2')})


def stride(result):
    if result:
        say('\nstride: the ring stream of tests/guests/stride from memory')
        feed.table(result['rows'], {})


def bars(results, size):
    say('\n%-46s%10s%10s  %s' % ('bar' if size == 'full' else
                                 'bar (meant for --size=full)',
                                 'measured', 'bar', 'met'))
    for bar in results:
        say('%-46s%s%s  %s' % (
            bar['bar'], number(bar['value'], 10, 4),
            '%10s' % ('%s %.2f' % ('>=' if bar.get('least') else '<=',
                                   bar['limit'])),
            'not measured' if bar['value'] is None else
            'yes' if bar['met'] else 'NO'))
