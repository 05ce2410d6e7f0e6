# SPDX-License-Identifier: GPL-2.0-or-later
"""What has been promised, and whether it holds."""
import others

# Label, the two tools whose medians are divided, the figure, the
# workload, and the largest ratio that is accepted.
RATIOS = (
    ('analyze=none / tool=none, wall, bzip2', 'alleria-none', 'none',
     'wall_s', 'bzip2', 1.4),
    ('cache / cachegrind, wall, bzip2', 'alleria', 'cachegrind', 'wall_s',
     'bzip2', 0.4),
    ('cache / cachegrind, wall, sqlite3', 'alleria', 'cachegrind', 'wall_s',
     'sqlite3', 0.5),
    ('cache / cachegrind, wall, gcc', 'alleria', 'cachegrind', 'wall_s',
     'gcc', 0.5),
    ('cache / cachegrind, CPU, bzip2', 'alleria', 'cachegrind', 'cpu_s',
     'bzip2', 0.75),
    ('cache / lackey trace, wall, small bzip2', 'alleria', 'lackey',
     'wall_s', 'bzip2-small', 0.01),
    ('record / tool=none, wall, bzip2', 'alleria-record', 'none', 'wall_s',
     'bzip2', 6.0),
    ('record / lackey trace, wall, small bzip2', 'alleria-record', 'lackey',
     'wall_s', 'bzip2-small', 0.02),
    ('replay on 1 worker / cachegrind, wall, bzip2', 'alleria-replay-1',
     'cachegrind', 'wall_s', 'bzip2', 1.5),
    ('replay on 2 workers / cachegrind, wall, bzip2', 'alleria-replay-2',
     'cachegrind', 'wall_s', 'bzip2', 0.8),
    ('window that never opens / tool=none, wall, bzip2',
     'alleria-never', 'none', 'wall_s', 'bzip2', 1.05),
    ('window that never opens / tool=none, wall, gcc',
     'alleria-never', 'none', 'wall_s', 'gcc', 1.05),
    ('the same that counts instructions, bzip2',
     'alleria-instrs', 'none', 'wall_s', 'bzip2', 1.3),
    ('the same that counts instructions, gcc',
     'alleria-instrs', 'none', 'wall_s', 'gcc', 1.3),
    ('the same that counts accesses, bzip2',
     'alleria-accesses', 'none', 'wall_s', 'bzip2', 1.3),
    ('the same that counts accesses, gcc',
     'alleria-accesses', 'none', 'wall_s', 'gcc', 1.3),
    ('one function of 1 % / tool=none, wall, bzip2',
     'alleria-function', 'none', 'wall_s', 'bzip2', 1.15),
    *(('%s / cache, wall, %s' % (text, name), tool, 'alleria', 'wall_s',
       name, limit) for text, tool, limit in (
           ('cache, timeline', 'alleria-timeline', 1.05),
           ('cache, timeline, heat=yes', 'alleria-heat', 1.25))
      for name in ('bzip2', 'sqlite3', 'gcc')),
    *((text + ' / cache, wall, ' + name, tool, 'alleria', 'wall_s', name, bar)
      for text, tool, bar in (
          ('data', 'alleria-data', 1.1),
          ('data, accesses=yes', 'alleria-data-all', 1.35),
          ('data, fields=yes', 'alleria-fields', 1.5))
      for name in ('bzip2', 'sqlite3', 'gcc')),
    *(('data, accesses=yes / DHAT, wall, ' + name, 'alleria-data-all', 'dhat',
       'wall_s', name, 0.25) for name in ('bzip2', 'sqlite3', 'gcc')),
    ('64 caches / one, CPU, bzip2', 'alleria-sweep', 'alleria-one', 'cpu_s',
     'bzip2-sweep', 6.0),
    ('64 caches / one, CPU, sqlite3', 'alleria-sweep', 'alleria-one',
     'cpu_s', 'sqlite3-sweep', 6.0),
    *(('%s / %s, wall, %s' % (ours, theirs, workload),
       'alleria-' + ours,
       'alleria-count' if theirs == 'count' else 'cachegrind-branch',
       'wall_s', workload, bar)
      for workload in ('bzip2', 'gcc')
      for ours, theirs, bar in (
          ('mix', 'count', 1.1), ('flow', 'count', 1.1),
          ('entropy', 'count', 3.0), ('loops', 'count', 2.0),
          ('loops-all', 'count', 6.0),
          ('branch', 'cachegrind', 0.4),
          ('models', 'cachegrind', 3.0))),
)
BYTES = 7.0       # in the ring per data access, bzip2
PROFILE = {'bzip2': 0.29, 'matrix': 0.02}  # bytes in it per data access
OTHERS = 0.5      # wall, to that of Cachegrind, any of those workloads
ADAPTIVE = 1.05   # wall, to that of the best fixed setting, any workload
MEMORY = 256      # [MiB] of the daemon, whatever it did
FEEDER = 1.8      # one worker's wall by two workers', from memory
STRIDE = 0.95     # wall when sets change hands, to that when they do not


def median(workloads, name, tool, figure):
    """None where it was not measured."""
    row = workloads.get(name, {}).get('tools', {}).get(tool)
    return row and row['median'].get(figure)


def ratio(workloads, name, ours, theirs, figure):
    one = median(workloads, name, ours, figure)
    other = median(workloads, name, theirs, figure)
    return one / other if one and other else None


def adaptive(workloads):
    both = {'alleria', 'alleria-fixed'}
    return max((ratio(workloads, name, 'alleria', 'alleria-fixed', 'wall_s')
                for name, workload in workloads.items()
                if both <= workload['tools'].keys()), default=None)


def worst_of_others(workloads):
    ratios = [ratio(workloads, name, 'alleria', 'cachegrind', 'wall_s')
              for name in others.COMMANDS]
    return max((r for r in ratios if r), default=None)


def peak_mib(workloads):
    return max((run['peak_kib'] / 1024 for workload in workloads.values()
                for tool, row in workload['tools'].items()
                if tool.startswith('alleria') for run in row['runs']),
               default=None)


def judge(result):
    """Each bar with its value, None where it was not measured."""
    workloads = result['workloads']
    feeder, stride = result.get('feeder'), result.get('stride')
    out = [{'bar': text, 'limit': limit,
            'value': ratio(workloads, name, ours, theirs, figure)}
           for text, ours, theirs, figure, name, limit in RATIOS]
    out += [{'bar': 'bytes in the profile per data access, ' + name,
             'limit': limit,
             'value': median(workloads, name, 'alleria-record',
                             'profile_per_access')}
            for name, limit in PROFILE.items()]
    out += [
        {'bar': 'bytes in the ring per data access, bzip2', 'limit': BYTES,
         'value': median(workloads, 'bzip2', 'alleria', 'bytes_per_access')},
        {'bar': 'cache / cachegrind, wall, any other program',
         'limit': OTHERS, 'value': worst_of_others(workloads)},
        {'bar': 'adaptive / best fixed, wall, any workload',
         'limit': ADAPTIVE, 'value': adaptive(workloads)},
        {'bar': 'peak memory of the daemon, MiB, any run', 'limit': MEMORY,
         'value': peak_mib(workloads)},
        {'bar': 'feeder, 1 worker / 2 workers, wall', 'limit': FEEDER,
         'least': True, 'value': feeder and feeder['speed_up']},
        {'bar': 'stride, sets moved / still, wall', 'limit': STRIDE,
         'value': stride and stride['ratio']},
    ]
    for bar in out:
        bar['met'] = None if bar['value'] is None else \
            bar['value'] >= bar['limit'] if bar.get('least') else \
            bar['value'] <= bar['limit']
    return out
