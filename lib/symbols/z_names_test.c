/* SPDX-License-Identifier: GPL-2.0-or-later */
/* z_names_test.c - tests decoding of names that Valgrind's macros encode */

#include "lib/symbols/symbol_table.h"

#include <stdlib.h>

#include "tests/tap.h"

static void check_decoded(const char *name, const char *expected)
{
	char *plain = al_zname_decode_valgrind_redirect(name);

	is_str(plain ? plain : "(none)", expected, name);
	free(plain);
}

int main(void)
{
	check_decoded("_vgr00000ZU_NONE_zend_string_equal_val",
		      "zend_string_equal_val");
	check_decoded("_vgw00000ZU_libcZdsoZda_malloc", "malloc");
	check_decoded("_vgr20181ZZ_libcZdsoZa_strchrZAZAGLIBCZu2Zd2Zd5",
		      "strchr@@GLIBC_2.2.5");
	check_decoded("_vgr00000ZZ_NONE_ZaZcZdZhZpZsZuZAZDZLZPZRZSZZ",
		      "*:.-+ _@$(%)/Z");
	check_decoded("_vgr00000ZU_NONE__ZN4quar3relEi", "_ZN4quar3relEi");
	check_decoded("_vgr00000ZU_NONE_Zx", "Zx");
	check_decoded("_vgr00000ZZ_NONE_Zx", "(none)");
	check_decoded("_vgr00000ZZ_NONE_aZ", "(none)");
	check_decoded("_vgr00000ZU_Zx_a", "(none)");
	check_decoded("_vgr00000ZU_NONE", "(none)");
	check_decoded("_vgr00000ZU", "(none)");
	check_decoded("_vgr0000", "(none)");
	check_decoded("_vgx00000ZU_NONE_a", "(none)");
	check_decoded("_vgr0000xZU_NONE_a", "(none)");
	check_decoded("_vgr00000YU_NONE_a", "(none)");
	check_decoded("malloc", "(none)");
	check_decoded("", "(none)");
	return done_testing();
}
