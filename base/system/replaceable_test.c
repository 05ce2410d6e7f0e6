/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replaceable_test.c - tests which files an output may replace */
#include "base/system/replaceable.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void check_kinds(void)
{
	ok(al_replace_check_output("nothing") == 0, "what is not there");
	write_file("text", "text");
	ok(al_replace_check_output("text") == 0, "a text may be replaced");
	write_file("empty", "");
	ok(al_replace_check_output("empty") == 0, "an empty file may");
	ok(al_replace_check_output("/dev/null") == 0,
	   "a device is written in place");
	write_file("profile", "AlrP and more");
	ok(al_replace_check_output("profile") == -EEXIST, "a profile may not");
	write_file("program", "\177ELF\2");
	ok(al_replace_check_output("program") == -EEXIST, "a program may not");
	ok(strstr(al_replace_output_file_error_text(-EEXIST), "--force") !=
		   NULL,
	   "the cause names what forces it");
	is_str(al_replace_output_file_error_text(-ENOSPC), strerror(ENOSPC),
	       "other causes are those of the system");
}

static void check_inputs(void)
{
	al_replace_protect_input("nowhere");
	al_replace_protect_input("./text");
	ok(al_replace_check_output("text") == -EBUSY, "an input may not");
	if (link("text", "hard") || symlink("text", "soft"))
		abort();
	ok(al_replace_check_output("hard") == -EBUSY, "nor by another name");
	ok(al_replace_check_output("soft") == -EBUSY, "nor by a link");
	if (rename("text", "away"))
		abort();
	write_file("text", "an input's name");
	ok(al_replace_check_output("hard") == 0,
	   "what has lost the input's name is none");
	ok(al_replace_check_output("text") == -EBUSY, "what has it now is");
	write_file("nowhere", "");
	ok(al_replace_check_output("nowhere") == -EBUSY,
	   "one that came later is");
}

static void check_force(void)
{
	al_replace_allow_profile_or_elf(true);
	ok(al_replace_can_overwrite_profile_or_elf() &&
		   al_replace_check_output("profile") == 0 &&
		   al_replace_check_output("program") == 0,
	   "--force replaces profiles and programs");
	ok(al_replace_check_output("text") == -EBUSY, "but no input");
}

int main(void)
{
	static const char *const names[] = {"text",    "empty",	 "profile",
					    "program", "hard",	 "soft",
					    "away",    "nowhere"};
	char dir[] = "/tmp/al_replace_test.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 99;
	check_kinds();
	check_inputs();
	check_force();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(names[i]);
	ok(rmdir(dir) == 0, "nothing else was written");
	return done_testing();
}
