/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * long_history.h - a history of branches, folded for tables of different
 * lengths
 *
 * Each table has a history length and hashes of that many last bits, which are
 * updated with each bit (Michaud, JILP 2005): a hash of b bits is the
 * exclusive or of the history's pieces of b bits.
 */
#ifndef ANALYZERS_BRANCH_MODEL_LONG_HISTORY_H
#define ANALYZERS_BRANCH_MODEL_LONG_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AN_HISTORY_BITS = 1024, /* a power of two, above the longest length */
	AN_MAX_HISTORY_HASHES = 24,
};

struct an_history_hash {
	uint32_t value;
	uint16_t length; /* [bits] of history, less than AN_HISTORY_BITS */
	uint16_t bits;	 /* of the hash */
};

struct an_long_history {
	uint8_t bit[AN_HISTORY_BITS]; /* ring; the newest at `newest` */
	uint32_t newest;
	unsigned n_hashes;
	struct an_history_hash hash[AN_MAX_HISTORY_HASHES];
};

/* Add a hash of @hash_bits bits over the last @history_bits bits of the
   history, which is all zeros still. */
static inline void an_history_add_hash(struct an_long_history *h,
				       unsigned history_bits,
				       unsigned hash_bits)
{
	h->hash[h->n_hashes++] = (struct an_history_hash){
		0, (uint16_t)history_bits, (uint16_t)hash_bits};
}

/* Append a bit to the history, and update all hashes. */
static inline void an_history_append_bit(struct an_long_history *h, bool bit)
{
	h->newest = (h->newest - 1) & (AN_HISTORY_BITS - 1);
	h->bit[h->newest] = bit;
	for (unsigned i = 0; i < h->n_hashes; i++) {
		struct an_history_hash *x = &h->hash[i];
		uint32_t oldest =
			h->bit[(h->newest + x->length) & (AN_HISTORY_BITS - 1)];

		x->value = x->value << 1 | bit;
		x->value ^= oldest << x->length % x->bits;
		x->value ^= x->value >> x->bits;
		x->value &= (1u << x->bits) - 1;
	}
}

#endif
