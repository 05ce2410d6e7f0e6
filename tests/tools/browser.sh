# SPDX-License-Identifier: GPL-2.0-or-later
#
# browser.sh - common part of tests of pages in a browser
#
# Read after tap.sh and oracle.sh. Skips the test if anything is missing: it needs
# Chromium and node, and puppeteer-core and axe-core in a folder of
# NODE_PATH:
#	npm install --ignore-scripts --prefix build puppeteer-core axe-core
# runtests does this if it can. Writes the report of a small program to r.json and
# r.html.

tools=$srcdir/tests/tools
alleria=$builddir/bin/alleria
caches='--I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64'
chromium=$(command -v chromium || command -v chromium-browser ||
	command -v google-chrome)
: "${NODE_PATH:=$builddir/node_modules}"
export NODE_PATH
if [ -z "$chromium" ] || ! command -v node >/dev/null ||
	! node -e 'require("puppeteer-core"); require.resolve("axe-core")' \
		2>/dev/null; then
	skip "no chromium, node, puppeteer-core or axe-core" \
		"the page in a browser"
	done_testing
fi
cd "$tmp" || exit 99
. "$tools/page-guest.sh"
"$alleria" run $caches --json=r.json --html=r.html -- ./page-guest \
	>/dev/null 2>&1

# in_browser PART=PAGE...: run the tests of browser.js, and end the test.
in_browser()
{
	node "$tools/browser.js" "$chromium" "$tmp" "$@" >out 2>&1
	cat out
	tap_n=$(grep -cE '^(not )?ok ' out)
	tap_failed=$(grep -c '^not ok ' out)
	[ "$tap_n" -gt 0 ]
	ok $? "the browser's tests ran"
	done_testing
}
