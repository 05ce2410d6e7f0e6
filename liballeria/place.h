/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - finds the chunk and the time of an instruction or access
 */
#ifndef LIBALLERIA_PLACE_H
#define LIBALLERIA_PLACE_H

#include "liballeria/profile.h"

/* A position in a profile: a chunk of a stream. */
struct ap_chunk_position {
	struct ap_stream *stream; /* NULL: the profile has no streams */
	uint32_t chunk;		  /* index of the chunk in the stream; units.n:
				     after the last one */
};

/* Return the number of accesses in @c; a modify, which is counted as a read and
   as a write, is one access. */
static inline uint64_t ap_access_count_modify_as_one(const struct pf_counts *c)
{
	return c->reads + c->writes - c->modifies;
}

/* Find the chunk that contains instruction @instr_number or access
   @access_number of the profile, counted from 0; the position after the last
   chunk if the number is the total; the next chunk if the chunk is lost by
   damage. Return: false if the number is higher than the total. */
bool ap_find_chunk_by_instr(const struct alleria_profile *,
			    uint64_t instr_number, struct ap_chunk_position *);
bool ap_find_chunk_by_access(const struct alleria_profile *,
			     uint64_t access_number,
			     struct ap_chunk_position *);

/* Return the estimated time at which instruction @instr_index of a chunk was
   executed [ns since the run began]. Instructions are assumed to be spread
   evenly between the begin and the end of the chunk. @instr_index: index from 0
   in the chunk; from its number of instructions on: the end of the chunk. */
uint64_t ap_chunk_estimate_instr_time_ns(const struct pf_head *,
					 uint64_t instr_index);

/* Return the index in a chunk of the first instruction whose estimated time is
   @time_ns or later; the chunk's number of instructions if there is none. */
uint64_t ap_chunk_first_instr_index_from_time(const struct pf_head *,
					      uint64_t time_ns);

#endif
