# SPDX-License-Identifier: GPL-2.0-or-later
#
# setup.sh - install what is missing, build into build/
#
# Read by quickstart, runtests and .ci/run, with $top the source root. Assumes
# no more than a minimal Debian: no compiler, make, sudo or python.

BUILD_PACKAGES="autoconf automake gcc libc6-dev libdw-dev libiberty-dev
	libjansson-dev libsqlite3-dev libyaml-dev libzstd-dev libzydis-dev make pkg-config valgrind zlib1g-dev"
TEST_PACKAGES="bzip2 gzip libc6-dbg mandoc perl procps python3 sqlite3
	zstd"
CI_PACKAGES="clang clang-format-14"
BROWSER_MODULES="axe-core@4.14.1 puppeteer-core@24.43.1"

export LC_ALL=C
build=$top/build
started=$(date +%s)

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# One line that changes on a terminal, a line per stage elsewhere.
progress()
{
	if [ -t 2 ]; then
		printf '\r\033[K%.79s' "$*" >&2
	elif [ "$1" != "${stage-}" ]; then
		printf '%s\n' "$1" >&2
	fi
	stage=$1
}

progress_end()
{
	[ ! -t 2 ] || printf '\r\033[K' >&2
}

# tick LOG TEXT: refreshes the progress line until it is killed.
tick()
{
	while :; do
		progress "$2  $(($(date +%s) - started)) s " \
			"$(tail -n 1 "$1" | tr -d '\r\t')"
		sleep 0.3
	done
}

# watch LOG TEXT COMMAND...: the command's output goes to LOG; the progress
# line shows TEXT, the time and the end of LOG.
watch()
{
	log=$1
	progress "$2"
	ticker=
	if [ -t 2 ]; then
		: >"$log"
		tick "$log" "$2" 9>&- &
		ticker=$!
		trap 'kill $ticker; exit 130' INT TERM
	fi
	shift 2
	"$@" >"$log" 2>&1 </dev/null
	status=$?
	if [ -n "$ticker" ]; then
		kill "$ticker"
		wait "$ticker" 2>/dev/null
		trap - INT TERM
	fi
	progress_end
	return "$status"
}

# fail_with_log TEXT LOG: stops, after showing what LOG says of errors.
fail_with_log()
{
	grep -E '(error|undefined reference|^E): ' "$2" |
		awk '!seen[$0]++' | head -n 5 >&2
	echo ... >&2
	tail -n 10 "$2" >&2
	die "$1; all of the output: $2"
}

missing_packages()
{
	have=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' "$@" \
		2>/dev/null)"
	for p; do
		case $have in
		*" $p=installed "*) ;;
		*) echo "$p" ;;
		esac
	done
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

apt()
{
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
		-o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 "$@"
}

install_packages()
{
	apt install --no-install-recommends "$@" ||
		{ apt update && apt install --no-install-recommends "$@"; }
}

# need PACKAGE...: have these packages, or stop.
need()
{
	command -v dpkg-query >/dev/null 2>&1 ||
		die "this is not Debian; install the equivalents of: $*"
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	missing=$(echo $missing)
	[ "$(id -u)" -eq 0 ] || { command -v sudo >/dev/null && sudo true; } ||
		die "need root or sudo for: apt-get install $missing"
	apt_log=$(mktemp "${TMPDIR:-/tmp}/alleria-apt.XXXXXX") ||
		die "cannot create a temporary file"
	watch "$apt_log" "installing $missing" install_packages $missing ||
		cannot_install
	rm -f "$apt_log"
}

cannot_install()
{
	for p in $missing; do
		apt-cache show "$p" >/dev/null 2>&1 ||
			unknown="${unknown-}${unknown:+ }'$p'"
	done
	[ -z "${unknown-}" ] || fail_with_log \
		"cannot have package $unknown from this machine's sources" \
		"$apt_log"
	fail_with_log "cannot install $missing" "$apt_log"
}

# install_browser: install Chromium, and the packages for tests in a browser in
# $build/node_modules. Without npm, root or a network, these tests are skipped.
install_browser()
{
	command -v npm >/dev/null || return 0
	[ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null || return 0
	command -v chromium >/dev/null ||
		watch "$build/browser.log" "installing chromium" \
			timeout 300 sh -c '
				DEBIAN_FRONTEND=noninteractive
				export DEBIAN_FRONTEND
				[ "$(id -u)" -eq 0 ] || set -- sudo -n
				"$@" apt-get -y -q install \
					--no-install-recommends chromium' sh ||
		return 0
	[ -d "$build/node_modules/axe-core" ] ||
		watch "$build/browser.log" "installing $BROWSER_MODULES" \
			timeout 120 npm install --ignore-scripts --no-save \
			--no-audit --no-fund --prefix "$build" $BROWSER_MODULES
	return 0
}

# configure_in DIR OPTION...: makes DIR a build directory of this tree.
configure_in()
{
	dir=$1
	shift
	mkdir -p "$dir" || return
	[ "$top/configure" -nt "$top/configure.ac" ] || "$top/bootstrap" ||
		return
	grep -qsxF "abs_top_srcdir = $top" "$dir/Makefile" &&
		[ "$*" = "$(cat "$dir/options" 2>/dev/null)" ] ||
		{ (cd "$dir" && "$top/configure" "$@") &&
			echo "$*" >"$dir/options"; }
}

# CONFIGURE_OPTIONS: options for configure.
configure_and_make()
{
	# shellcheck disable=SC2086
	configure_in "$build" ${CONFIGURE_OPTIONS-} && make -C "$build" -j "$(nproc)"
}

# Files made under sudo belong to the user, who may come back without it.
give_back()
{
	[ -z "${SUDO_UID-}" ] || [ "$(id -u)" -ne 0 ] ||
		chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$build" \
			"$top/configure" "$top/Makefile.in" "$top/aclocal.m4" \
			"$top/build-aux" "$top/autom4te.cache" 2>/dev/null
}

# set_up PACKAGE...: what quickstart and runtests have in common.
set_up()
{
	# shellcheck disable=SC2086
	need $BUILD_PACKAGES "$@"
	mkdir -p "$build" && [ -w "$build" ] || die "cannot write '$build'"
	trap give_back EXIT
	exec 9>"$build/lock" && flock 9
	watch "$build/build.log" building configure_and_make ||
		fail_with_log "cannot build" "$build/build.log"
	exec 9>&-
}
