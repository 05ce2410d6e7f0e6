/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - where in a profile something was executed, and when
 */
#ifndef LIBALLERIA_PLACE_H
#define LIBALLERIA_PLACE_H

#include "liballeria/profile.h"

struct ap_place {
	struct ap_stream *stream; /* NULL: there is nothing at all */
	uint32_t chunk;		  /* units.n: behind the last */
};

static inline uint64_t ap_accesses(const struct pf_counts *c)
{
	return c->reads + c->writes - c->modifies;
}

/* The chunk that instruction, or access, @number is in, or the end. false: it
   is beyond the end. */
bool ap_find_instruction(const struct alleria_profile *, uint64_t number,
			 struct ap_place *);
bool ap_find_access(const struct alleria_profile *, uint64_t number,
		    struct ap_place *);

/* When instruction @i of a chunk, counted in it, was executed; of the end, too.
   [ns] */
uint64_t ap_time_in(const struct pf_head *, uint64_t i);

/* The first instruction of a chunk that was executed at @ns or later; its
   number of instructions when there is none. */
uint64_t ap_first_at(const struct pf_head *, uint64_t ns);

#endif
