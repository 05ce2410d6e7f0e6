/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_main.c - the target that the environment's FUZZ names, for libFuzzer
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ");

	(void)argc;
	(void)argv;
	target = name ? fuzz_find(name) : NULL;
	if (!target) {
		fprintf(stderr, "FUZZ names no target\n");
		exit(2);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	target->run(data, bytes);
	return 0;
}
