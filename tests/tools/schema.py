# SPDX-License-Identifier: GPL-2.0-or-later
"""schema.py SCHEMA FILE: whether the JSON of FILE fits the JSON schema

As much of draft 2020-12 as the schema of window files needs; a keyword that
is not known here is an error, so is one that is misspelt there.
"""
import json
import re
import sys

schema = json.load(open(sys.argv[1]))
KNOWN = {'$schema', '$defs', '$ref', 'title', 'type', 'properties',
         'additionalProperties', 'required', 'dependentRequired', 'items',
         'minItems', 'uniqueItems', 'minProperties', 'maxProperties', 'enum',
         'const', 'pattern', 'minLength', 'minimum', 'anyOf', 'oneOf', 'not'}
TYPES = {'object': dict, 'array': list, 'string': str, 'integer': int,
         'number': (int, float), 'boolean': bool}


def fits_other(s, value):
    return s if isinstance(s, bool) else fits(s, value)


def fits_object(s, value):
    return (all(k in value for k in s.get('required', []))
            and all(d in value for k, ds in
                    s.get('dependentRequired', {}).items() if k in value
                    for d in ds)
            and s.get('minProperties', 0) <= len(value)
            <= s.get('maxProperties', 1000)
            and all(fits_other(s.get('additionalProperties', True), v)
                    for k, v in value.items()
                    if k not in s.get('properties', {}))
            and all(fits(s['properties'][k], v) for k, v in value.items()
                    if k in s.get('properties', {})))


def fits_array(s, value):
    return (len(value) >= s.get('minItems', 0)
            and (not s.get('uniqueItems') or len(set(value)) == len(value))
            and all(fits(s.get('items', {}), v) for v in value))


def fits_word(s, value):
    return (len(value) >= s.get('minLength', 0)
            and re.search(s.get('pattern', ''), value) is not None)


def fits(s, value):
    if set(s) - KNOWN:
        sys.exit('unknown keywords: %s' % (set(s) - KNOWN))
    if '$ref' in s:
        return fits(schema['$defs'][s['$ref'].split('/')[-1]], value)
    types = s.get('type', [])
    types = [types] if isinstance(types, str) else types
    if types and not any(isinstance(value, TYPES[t]) for t in types):
        return False
    if 'enum' in s and value not in s['enum']:
        return False
    if 'const' in s and value != s['const']:
        return False
    if 'anyOf' in s and not any(fits(x, value) for x in s['anyOf']):
        return False
    if 'oneOf' in s and sum(fits(x, value) for x in s['oneOf']) != 1:
        return False
    if 'not' in s and fits(s['not'], value):
        return False
    if isinstance(value, dict):
        return fits_object(s, value)
    if isinstance(value, list):
        return fits_array(s, value)
    if isinstance(value, str):
        return fits_word(s, value)
    return value >= s.get('minimum', value)


sys.exit(0 if fits(schema, json.load(open(sys.argv[2]))) else 1)
