/* SPDX-License-Identifier: GPL-2.0-or-later */
/* z_names_test.c - names that Valgrind's macros encode */

#include "lib/symbols/z_names.h"

#include <stdlib.h>

#include "tests/tap.h"

static void decodes(const char *name, const char *want)
{
	char *plain = al_zname_decode(name);

	is_str(plain ? plain : "(none)", want, name);
	free(plain);
}

int main(void)
{
	decodes("_vgr00000ZU_NONE_zend_string_equal_val",
		"zend_string_equal_val");
	decodes("_vgw00000ZU_libcZdsoZda_malloc", "malloc");
	decodes("_vgr20181ZZ_libcZdsoZa_strchrZAZAGLIBCZu2Zd2Zd5",
		"strchr@@GLIBC_2.2.5");
	decodes("_vgr00000ZZ_NONE_ZaZcZdZhZpZsZuZAZDZLZPZRZSZZ",
		"*:.-+ _@$(%)/Z");
	decodes("_vgr00000ZU_NONE__ZN4quar3relEi", "_ZN4quar3relEi");
	decodes("_vgr00000ZU_NONE_Zx", "Zx");
	decodes("_vgr00000ZZ_NONE_Zx", "(none)");
	decodes("_vgr00000ZZ_NONE_aZ", "(none)");
	decodes("_vgr00000ZU_Zx_a", "(none)");
	decodes("_vgr00000ZU_NONE", "(none)");
	decodes("_vgr00000ZU", "(none)");
	decodes("_vgr0000", "(none)");
	decodes("_vgx00000ZU_NONE_a", "(none)");
	decodes("_vgr0000xZU_NONE_a", "(none)");
	decodes("_vgr00000YU_NONE_a", "(none)");
	decodes("malloc", "(none)");
	decodes("", "(none)");
	return done_testing();
}
