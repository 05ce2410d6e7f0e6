# SPDX-License-Identifier: GPL-2.0-or-later
#
# valgrindlib.sh FROM TO [TARGET] - link into the directory TO every file of
# Valgrind's directory FROM that TO lacks, so that VALGRIND_LIB may name it.
# If TO is a staging copy of TARGET and FROM is TARGET, nothing is to be done.

from=$1 to=$2 target=${3:-$2}
[ "$from" != "$target" ] || exit 0
mkdir -p "$to" || exit 1
for file in "$from"/*; do
	name=${file##*/}
	[ -e "$to/$name" ] || ln -sf "$file" "$to/$name" || exit 1
done
