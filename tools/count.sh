# SPDX-License-Identifier: GPL-2.0-or-later
#
# count.sh - run tests by make and count their results
#
# Read by runtests and .ci/run after setup.sh.

passed=0
failed=0
skipped=0

# results DIR RESULT: number of facts with this result. A test that failed
# exits with a status too, which is no second failure.
results()
{
	find "$1" -path "$1/ci" -prune -o -name '*.trs' -print |
	while read -r trs; do
		awk -v want="$2" '
			$1 == ":test-result:" { n[$2]++ }
			END {
				if (n["FAIL"])
					n["ERROR"] = 0
				n["FAIL"] += n["ERROR"] + n["XPASS"]
				print n[want] + 0
			}' "$trs"
	done | awk '{ n += $1 } END { print n + 0 }'
}

# For each test that failed, its name and the end of its log.
show_failures()
{
	find "$1" -path "$1/ci" -prune -o -name '*.trs' -exec grep -lE \
		'^:test-result: (FAIL|ERROR|XPASS)' {} + | sort |
	while read -r trs; do
		log=${trs%.trs}.log
		echo "FAILED ${log#"$1"/}"
		grep -E '^(FAIL|ERROR|XPASS):' "$log" | head -n 5 |
			sed 's/^/    /'
		grep -vE '^(ok|PASS:|SKIP:|FAIL:)' "$log" | tail -n 20 |
			sed 's/^/    /'
	done
}

# run_tests DIR TARGET [ARG...]: adds to passed, failed and skipped.
run_tests()
{
	dir=$1
	begun=$(date +%s)
	shift
	find "$dir" -path "$dir/ci" -prune -o \
		\( -name '*.trs' -o -name '*.test.log' \) -exec rm -f {} +
	watch "$dir/tests.log" "testing $*" make -C "$dir" -k -j 2 "$@"
	status=$?
	now_failed=$(results "$dir" FAIL)
	if [ "$status" -ne 0 ]; then
		show_failures "$dir"
		# a test that did not even build
		[ "$now_failed" -ne 0 ] || {
			now_failed=1
			tail -n 30 "$dir/tests.log"
		}
	fi
	passed=$((passed + $(results "$dir" PASS)))
	failed=$((failed + now_failed))
	skipped=$((skipped + $(results "$dir" SKIP)))
	echo "tested: ${dir##*/} $1 ($(($(date +%s) - begun)) s)"
}
