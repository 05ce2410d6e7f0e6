/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codec.h - encodes the units of a chunk in few bytes, and decodes them
 *
 * Threads: one at a time for each coder.
 *
 * Each chunk is coded on its own, so chunks can be decoded in any order.
 * doc/PROFILE.md defines the code.
 */
#ifndef PROFILE_CODEC_CODEC_H
#define PROFILE_CODEC_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "profile/format/pages.h"

struct pf_coder;

/* Create a coder. Return: the coder, for pf_coder_free(); NULL with errno. */
struct pf_coder *pf_coder_new(void);
void pf_coder_free(struct pf_coder *);

/* Content of a chunk as found by pf_encode_chunk(): the headers of its units,
   and the pages of the values of its block executions, taken as addresses. */
struct pf_chunk_content {
	/* [pf_max_unit_headers_in_bytes(bytes)] headers of the units, each
	   different one at least once; the caller's array */
	uint32_t *header;
	size_t n_headers;
	struct pf_pages values; /* the page of each value of a block execution
				   except PT_NOT_DONE, and the pages before and
				   after that page */
};

/* Return how many elements pf_chunk_content.header needs for a chunk of
   @unit_bytes. */
size_t pf_max_unit_headers_in_bytes(size_t unit_bytes);

/* Set where pf_encode_chunk() records the headers and pages of each chunk; NULL
   turns this off. Each call of pf_encode_chunk() overwrites what the previous
   call recorded. */
void pf_coder_set_content_output(struct pf_coder *, struct pf_chunk_content *);

/* Return the greatest length [bytes] of the code of a chunk of
   @bytes_of_all_units. */
size_t pf_max_code_bytes(size_t bytes_of_all_units);

/**
 * pf_encode_chunk() - Encode complete units.
 * @words: units, aligned to 4, in memory that nobody else writes. Only the
 *         lengths of the units are checked, their content may be anything.
 * @bytes: length of @words, a multiple of 4.
 * @code: [pf_max_code_bytes(bytes)] receives the code.
 *
 * Return: length of the code [bytes]; 0 if @words are not complete units.
 */
size_t pf_encode_chunk(struct pf_coder *, const void *words, size_t bytes,
		       void *code);

/**
 * pf_decode_chunk() - Decode a chunk to exactly the words that were encoded.
 * @code: [code_bytes] of any content; everything is checked.
 * @words: [bytes], aligned to 8; receives the units; if the code is invalid,
 *         those before the fault are valid.
 * @bytes: expected length of the units.
 *
 * Return: 0; -EBADMSG if @code is no code of @bytes of units.
 */
int pf_decode_chunk(struct pf_coder *, const void *code, size_t code_bytes,
		    void *words, size_t bytes);

#endif
