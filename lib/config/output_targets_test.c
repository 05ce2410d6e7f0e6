/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_targets_test.c - tests results that cannot be written to one file
 */
#include "lib/config/output_targets.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/config/options.h"
#include "tests/tap.h"

static const struct an_option options[] = {
	{"file", "PATH", "where"},
	{NULL, NULL, NULL},
};
static const struct an_class draw = {
	.name = "draw", .summary = "draws", .options = options};
static const struct an_class none = {
	.name = "none", .summary = "nothing", .options = options};
static const struct an_class print = {.name = "print",
				      .summary = "prints",
				      .options = options,
				      .prints_output = true};
const struct an_class *const an_classes[] = {&draw, &none, &print, NULL};

static char message[AL_MESSAGE];

/* Return the message for two arguments; "" if they are valid. */
static const char *parse_error(const char *a, const char *b)
{
	struct al_options *o = al_options_new();

	snprintf(message, sizeof(message), "%s", "");
	if (al_options_try_parse_argument(o, a, message) == 1 &&
	    al_options_try_parse_argument(o, b, message) == 1)
		al_options_finish(o, message);
	al_options_free(o);
	return message;
}

static void test_same_file(void)
{
	char dir[] = "/tmp/al_options_test.XXXXXX", *a, *b, *c, want[200];
	FILE *f;

	if (!mkdtemp(dir) || asprintf(&a, "--json=%s/al.out", dir) < 0 ||
	    asprintf(&b, "--analyze=draw:file=%s/./al.out", dir) < 0 ||
	    asprintf(&c, "--analyze=none:file=%s/al.out", dir) < 0)
		return;
	snprintf(want, sizeof(want),
		 "'--json' and 'draw' cannot both be written to '%s/./al.out'",
		 dir);
	is_str(parse_error(a, b), want, "a file for two results");
	snprintf(want, sizeof(want),
		 "'draw' and 'none' cannot both be written to '%s/al.out'",
		 dir);
	is_str(parse_error(b, c), want, "for those of two analyses");
	f = fopen(a + strlen("--json="), "w");
	ok(f && !fclose(f) && *parse_error(c, a),
	   "also when the file is there");
	is_str(parse_error("--json=-", "--analyze=draw:file=-"),
	       "'--json' and 'draw' cannot both be written to standard output",
	       "nor to standard output");
	is_str(parse_error("--json=-", "--analyze=print"),
	       "'--json' and 'print' cannot both be written to standard output",
	       "where some go without being told");
	is_str(parse_error("--json=-", "--analyze=print:file=/dev/null"), "",
	       "unless they are told otherwise");
	is_str(parse_error("--json=-", "--analyze=draw"), "",
	       "and others do not");
	is_str(parse_error("--json=/dev/null", "--analyze=draw:file=/dev/null"),
	       "", "a device may take several");
	b[strlen(b) - 1] = 'x';
	is_str(parse_error(a, b), "", "another file in the same place");
	b[strlen(b) - 1] = 't';
	unlink(a + strlen("--json="));
	is_str(parse_error("--json=/tmp/al.out", b), "",
	       "the same name in another place");
	rmdir(dir);
	free(a);
	free(b);
	free(c);
}

int main(void)
{
	test_same_file();
	return done_testing();
}
