# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154
#
# data.sh - checks reports of the analysis "data"; source it after tap.sh and
# oracle.sh, and set python, normal and small

# query FILE WHAT...: facts of a report, see tests/tools/data.py
query()
{
	"$python" -S "$srcdir/tests/tools/data.py" "$@"
}

# Further options of the analysis "data" in law().
more=

# law NAME OPTIONS COMMAND...: the sums over all rows are the counts of the
# analysis "cache" and of the run, live and replayed
law()
{
	name=$1
	options=$2
	shift 2
	rm -f "$tmp/profile" "$tmp/json"
	# shellcheck disable=SC2086
	alleria $small $options --analyze=cache --analyze="data:accesses=yes$more" \
		--record=data,address --profile="$tmp/profile" \
		--json="$tmp/json" "$@" >/dev/null </dev/null
	is "$(query "$tmp/json" law)" "the sums are equal" \
		"$name: rows add up to the cache analysis" || explain "$tmp/err"
	$normal "$tmp/json" >"$tmp/one"
	for workers in 1 4; do
		# shellcheck disable=SC2086
		alike "$builddir/bin/alleria" replay $small --analyze=cache \
			--analyze="data:accesses=yes$more" --workers=$workers \
			--json="$tmp/again" "$tmp/profile" 2>"$tmp/err"
		$normal "$tmp/again" >"$tmp/other"
		cmp -s "$tmp/one" "$tmp/other"
		ok $? "$name: a replay with $workers workers is equal" || {
			explain "$tmp/err"
			diff "$tmp/one" "$tmp/other" | head | sed 's/^/# /'
		}
	done
}
