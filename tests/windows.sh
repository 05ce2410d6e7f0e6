# SPDX-License-Identifier: GPL-2.0-or-later
#
# windows.sh - what windows record of guests/window.S and guests/windowed.c
#
# Read after oracle.sh.

# windowed PROGRAM...: by the windows in $tmp/window.yaml
windowed()
{
	alleria --json="$tmp/json" --analyze=count \
		--window="$tmp/window.yaml" "$@" >"$tmp/out"
}

# Print the counts of the report in the words of window.S.
counted()
{
	# shellcheck disable=SC2046
	set -- $(json "$tmp/json" run.instructions run.reads run.writes)
	echo "O $(json "$tmp/json" run.windows | tr '}' '\n' |
		sed -n 's/.*"openings": \([0-9]*\).*/\1/p' |
		awk '{ n += $1 } END { print n + 0 }') I $1 R $2 W $3"
}

# window LINE...: one window, which records the executable's function 'work'
# unless a line says otherwise.
window()
{
	echo 'windows:'
	echo '- name: w'
	printf '  %s\n' "$@"
	case $* in
	*profile:*) ;;
	*) echo "  profile: [{threads: [$lane]}]" ;;
	esac
}

# counts of N calls of work()
calls()
{
	echo "O $1 I $((3002 * $2)) R $((1001 * $2)) W $((1000 * $2))"
}

# fact FACT WANT MODE LINE...: what windowed MODE makes of a window
fact()
{
	what=$1 want=$2 mode=$3
	shift 3
	window "$@" >"$tmp/window.yaml"
	windowed $options "$guests/windowed" "$mode"
	is "$? $(counted)" "0 $want" "$what" || explain "$tmp/err"
}

options=
only='images: [{main: true, functions: [{name: "space::work"}]}]'
lane="{$only}"
