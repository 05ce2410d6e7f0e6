/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - what decoders do with arbitrary bytes
 *
 * A target returns; that it neither crashes nor leaks is what is tested.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name; /* of its folder in the corpus, too */
	void (*run)(const uint8_t *data, size_t bytes);
};

/* Ends with one that has no name. */
extern const struct fuzz_target fuzz_targets[];

/* NULL when there is none. */
const struct fuzz_target *fuzz_find(const char *name);

/* Targets of more than a few lines. */
void fuzz_cache(const uint8_t *data, size_t bytes);
void fuzz_file(const uint8_t *data, size_t bytes);
void fuzz_profile(const uint8_t *data, size_t bytes);
void fuzz_window(const uint8_t *data, size_t bytes);
void fuzz_plan(const uint8_t *data, size_t bytes);
void fuzz_calls(const uint8_t *data, size_t bytes);
void fuzz_data(const uint8_t *data, size_t bytes);
void fuzz_allocators(const uint8_t *data, size_t bytes);

#endif
