/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_lines_test.c - which lines are printed, and errors
 *
 * Memory is short while the test says so: see realloc() below.
 */
#include "cli/print/profile_text.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/message.h"
#include "lib/report/annotation.h"
#include "tests/tap.h"

/* ---- memory ---- */

static bool realloc_fails;

void *realloc(void *p, size_t bytes)
{
	static void *(*next)(void *, size_t);

	if (realloc_fails) {
		errno = ENOMEM;
		return NULL;
	}
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "realloc");
	return next(p, bytes);
}

/* ---- an annotation ---- */

static const char counts[] = "events: Ir D1mr\n"
			     "fl=/nowhere/one.c\n"
			     "fn=first\n"
			     "3 100 5\n"
			     "4 50 1\n"
			     "fn=second\n"
			     "9 10 70\n"
			     "fl=/nowhere/two.c\n"
			     "fn=second_part\n"
			     "1 1 2\n";

static struct al_annotation annotation;
static char text[4000];

/* Print what @selection selects to @text. Return:
   cl_source_print_selected_or_top()'s. */
static int print(const char *selection, const char *sort, char *message)
{
	const struct cl_source_request request = {selection, sort, "/"};
	FILE *file = tmpfile();
	int out = dup(1), err;

	fflush(stdout);
	dup2(fileno(file), 1);
	err = cl_source_print_selected_or_top(&annotation, &request, message);
	fflush(stdout);
	dup2(out, 1);
	close(out);
	rewind(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return err;
}

static void test_selection(void)
{
	char message[AL_MESSAGE];
	const char *first, *second;

	is_u64((uint64_t)print(NULL, NULL, message), 0, "an overview");
	first = strstr(text, " second  [");
	second = strstr(text, " first  [");
	ok(first && second && first < second,
	   "has the function with most misses first");
	print(NULL, "Ir", message);
	first = strstr(text, " first  [");
	second = strstr(text, " second  [");
	ok(first && second && first < second, "or by another event");
	is_u64((uint64_t)print("first", NULL, message), 0, "a function");
	ok(strstr(text, "/nowhere/one.c") && strstr(text, "  100") &&
		   !strstr(text, "second") && strstr(text, "no source file"),
	   "has its lines, with or without its file");
	is_u64((uint64_t)print("two.c:1", NULL, message), 0, "a line");
	ok(strstr(text, "/nowhere/two.c"), "is found by its file's name");
}

static void test_errors(void)
{
	char message[AL_MESSAGE];

	is_u64((uint64_t)-print(NULL, "Irr", message), EINVAL,
	       "an event that is none");
	ok(strstr(message, "'--sort=Irr' is not one of"), "is named");
	is_u64((uint64_t)-print("third", NULL, message), EINVAL,
	       "so is a function that was not executed");
	ok(strstr(message, "'third' is no function"), "and named");
	realloc_fails = true;
	is_u64((uint64_t)-print("first", NULL, message), EINVAL,
	       "memory is short");
	realloc_fails = false;
	is_str(message, "out of memory", "which the message says");
	is_u64((uint64_t)print("first", NULL, message), 0,
	       "with memory it works");
	is_str(message, "", "without a message");
}

int main(void)
{
	FILE *file =
		fmemopen((void *)(uintptr_t)counts, sizeof(counts) - 1, "r");

	ok(!al_annotation_read_cachegrind_file(&annotation, file),
	   "counts are read");
	fclose(file);
	test_selection();
	test_errors();
	al_annotation_release(&annotation);
	return done_testing();
}
