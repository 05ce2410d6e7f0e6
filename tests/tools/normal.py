# SPDX-License-Identifier: GPL-2.0-or-later
"""normal.py - print a JSON report without what differs from run to run

   normal.py FILE

Process ids, times, waits and the numbers of workers and buffers become 0; what
was adapted, and how the caches were partitioned, goes; every other byte stays as
it is."""
import re
import sys

VARIES = (rb'"(pid|[a-z_]+_ns|program_waits|workers|processed|unused_bytes)": '
          rb'[0-9]+')
ADAPTED = re.compile(rb'^    "adaptive": \{.*?^    \},\n', re.M | re.S)
PARTITIONS = re.compile(rb'^    "partitions": \{.*?^    \},\n', re.M | re.S)

with open(sys.argv[1], 'rb') as file:
    text = file.read()
text = re.sub(ADAPTED, b'', re.sub(PARTITIONS, b'', text))
sys.stdout.buffer.write(re.sub(VARIES, rb'"\1": 0', text))
