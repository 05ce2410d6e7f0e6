# SPDX-License-Identifier: GPL-2.0-or-later
"""processes.py - print the processes of a JSON report, one a line, by number

   tree.number parent program exit status instructions reads writes threads
   tree.number parent not followed"""
import json
import os
import sys

with open(sys.argv[1]) as file:
    run = json.load(file)['run']
for p in sorted(run['processes'], key=lambda p: (p['tree'], p['number'])):
    if not p['followed']:
        print(f"{p['tree']}.{p['number']}", p['parent'], 'not followed')
        continue
    end = p['exit']
    how = f"code:{end['code']}" if 'code' in end else f"signal:{end['signal']}"
    command = p['images'][-1].get('command', p['command']) \
        if p.get('images') and isinstance(p['images'][-1], dict) \
        else p['command']
    print(f"{p['tree']}.{p['number']}", p['parent'],
          os.path.basename(command[0]), how, p['status'], p['instructions'],
          p['reads'], p['writes'], p['threads'])
