/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_scopes_test.c - compares the scopes of code of this program with those
 *                      that dwarf_getscopes() finds
 */
#include "lib/symbols/code_scopes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/tap.h"

enum { STEP = 3 /* [bytes] between addresses */ };

static struct al_code_scopes scopes;
static unsigned n_addresses, n_nested, n_wrong;

static bool are_first_entries_equal(const Dwarf_Die *a, Dwarf_Die *b,
				    unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (dwarf_dieoffset((Dwarf_Die *)&a[i]) !=
		    dwarf_dieoffset(&b[i]))
			return false;
	return true;
}

static void compare_scopes(Dwarf_Die *unit, Dwarf_Addr pc)
{
	Dwarf_Die found[AL_MAX_SCOPES], *expected = NULL;
	int n_expected = dwarf_getscopes(unit, pc, &expected);
	unsigned n = al_code_scopes_list(&scopes, unit, pc, found);

	n_addresses++;
	n_nested += n > 1;
	n_wrong += n_expected < (int)n || (n == 0 && n_expected > 1) ||
		   !are_first_entries_equal(found, expected, n);
	free(expected);
}

static void compare_unit(Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &start, &end)) > 0)
		for (Dwarf_Addr pc = start; pc < end; pc += STEP)
			compare_scopes(unit, pc);
}

/* Two scopes in this function, and a call that can be inlined. */
static int sum_of_squares(int limit)
{
	int sum = 0;

	for (int i = 0; i < limit; i++) {
		volatile int square = i * i;

		sum += square;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	(void)argv;
	while (dwarf &&
	       !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		compare_unit(&unit);
	if (n_addresses == 0) {
		skip("built without debug information", "scopes");
		return done_testing();
	}
	is_u64(n_wrong, 0, "all scopes are those of libdw");
	ok(n_nested > 0 && sum_of_squares(argc) >= 0, "some are nested");
	al_code_scopes_release(&scopes);
	dwarf_end(dwarf);
	close(fd);
	return done_testing();
}
