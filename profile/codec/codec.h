/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codec.h - units of a chunk in few bytes
 *
 * Threads: a coder is for one at a time.
 *
 * A chunk is coded on its own, so any may be decoded first. doc/PROFILE.md
 * says how, bit by bit.
 */
#ifndef PROFILE_CODEC_CODEC_H
#define PROFILE_CODEC_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "profile/format/pages.h"

struct pf_coder;

/* NULL with errno set. */
struct pf_coder *pf_coder_new(void);
void pf_coder_free(struct pf_coder *);

/* What a chunk has. */
struct pf_met {
	uint32_t *header; /* [pf_met_bound(bytes)] of its units, each at least
			     once; the caller's */
	size_t n_headers;
	struct pf_pages values; /* of executions of blocks, and the page before
				   and the page behind each; but for
				   PT_NOT_DONE */
};

size_t pf_met_bound(size_t bytes);

/* Where chunks that are encoded from now on tell that; NULL: nowhere. */
void pf_coder_tells(struct pf_coder *, struct pf_met *);

/* [bytes] that the code of a chunk has at most. */
size_t pf_code_bound(size_t bytes);

/**
 * pf_encode() - Code whole units.
 * @words: aligned to 4, in memory that nobody else writes meanwhile; only
 *         the units' lengths are checked, their content may be anything.
 * @bytes: of them, a multiple of 4.
 * @code: [pf_code_bound(bytes)]
 *
 * Return: [bytes] of code; 0 when these are no whole units.
 */
size_t pf_encode(struct pf_coder *, const void *words, size_t bytes,
		 void *code);

/**
 * pf_decode() - The words again, to the last bit.
 * @code: anything.
 * @words: [bytes] long, aligned to 8; written as far as -EBADMSG was not met.
 * @bytes: that it must decode to.
 *
 * Return: 0; -EBADMSG when @code is no code of so many bytes.
 */
int pf_decode(struct pf_coder *, const void *code, size_t code_bytes,
	      void *words, size_t bytes);

#endif
