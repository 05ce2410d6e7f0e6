/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - runs a target over files: replay TARGET FILE...; without
 * arguments it prints the targets' names
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { MOST = 1 << 20 };

static int run_file(const struct fuzz_target *t, const char *path)
{
	uint8_t *data = malloc(MOST), *exact;
	FILE *f = fopen(path, "rb");
	size_t bytes;

	if (!f || !data) {
		perror(path);
		return 1;
	}
	bytes = fread(data, 1, MOST, f);
	fclose(f);
	exact = malloc(bytes ? bytes : 1);
	if (!exact)
		return 1;
	memcpy(exact, data, bytes);
	t->run(exact, bytes);
	free(exact);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	const struct fuzz_target *t = argc > 1 ? fuzz_find(argv[1]) : NULL;
	int err = 0;

	if (argc == 1) {
		for (t = fuzz_targets; t->name; t++)
			puts(t->name);
		return 0;
	}
	if (!t)
		return 2;
	for (int i = 2; i < argc && !err; i++)
		err = run_file(t, argv[i]);
	return err;
}
