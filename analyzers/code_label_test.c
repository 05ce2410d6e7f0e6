/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_label_test.c - tests the names of places in code */
#include "analyzers/code_label.h"

#include <stdlib.h>

#include "tests/tap.h"

static void check(const char *function, const char *file, uint64_t address,
		  size_t max_bytes, const char *want)
{
	const struct an_code_place place = {.function = function,
					    .file = file,
					    .object = "lib.so",
					    .line = 7,
					    .address = address};
	char *label = an_code_label_alloc(&place, "spins: ", max_bytes);

	is_str(label, want, "the label of a place");
	free(label);
}

int main(void)
{
	check("f", "f.c", 0x10, SIZE_MAX, "spins: f  (f.c:7)");
	check("f", "???", 0x10, SIZE_MAX, "spins: f  [lib.so 0x10]");
	check("???", "???", 0x10, SIZE_MAX, "spins: ???  [lib.so 0x10]");
	check("f", "???", 0, SIZE_MAX, "spins: f  [lib.so]");
	check("???", "???", 0, SIZE_MAX, "spins: lib.so (no symbols)");
	check("f", "f.c", 0, 17, "spins: f  (f.c:7)");
	check("f", "f.c", 0, 16, "spins: f  (f....");
	check("f", "f.c", 0, 3, "spins: f  (f.c:7)");
	return done_testing();
}
