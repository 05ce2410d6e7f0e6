/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.c - finds the chunk and the time of an instruction; see place.h
 */
#include "liballeria/place.h"

enum unit { INSTRUCTIONS, ACCESSES };

static uint64_t get_instr_or_access_count(const struct pf_counts *c,
					  enum unit instr_or_access)
{
	return instr_or_access == ACCESSES ? ap_access_count_modify_as_one(c)
					   : c->instructions;
}

static uint64_t get_first_instr_or_access_of_stream(const struct ap_stream *s,
						    enum unit instr_or_access)
{
	return instr_or_access == ACCESSES ? s->pub.first_access
					   : s->pub.first_instruction;
}

static uint64_t get_stream_instr_or_access_count(const struct ap_stream *s,
						 enum unit instr_or_access)
{
	return instr_or_access == ACCESSES ? s->pub.counts.accesses
					   : s->pub.counts.instructions;
}

/* Return the index of the first chunk of @s that has an instruction or an
   access, by @instr_or_access, with number @number_in_stream or above, counted
   from 0 in the stream; units.n if there is none. */
static uint32_t find_index_of_chunk_ending_after(const struct ap_stream *s,
						 uint64_t number_in_stream,
						 enum unit instr_or_access)
{
	uint32_t low = 0, high = s->units.n; /* the result is at least low and
						at most high */

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct pf_head *h = ap_chunk_head(s, middle);

		if (get_instr_or_access_count(&h->before, instr_or_access) +
			    get_instr_or_access_count(&h->counts,
						      instr_or_access) <=
		    number_in_stream)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return the index in p->order of the first stream that has an instruction or
   access with number @number or above, counted over the profile; n_order if
   there is none. */
static uint32_t
find_index_of_stream_ending_after(const struct alleria_profile *p,
				  uint64_t number, enum unit instr_or_access)
{
	uint32_t low = 0, high = p->n_order;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct ap_stream *s = p->order[middle];

		if (get_first_instr_or_access_of_stream(s, instr_or_access) +
			    get_stream_instr_or_access_count(s,
							     instr_or_access) <=
		    number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
find_chunk_or_end_if_number_is_total(const struct alleria_profile *p,
				     uint64_t number, enum unit instr_or_access,
				     struct ap_chunk_position *position)
{
	uint32_t i =
		find_index_of_stream_ending_after(p, number, instr_or_access);
	const struct alleria_counts *all = &p->run.counts;

	if (number >
	    (instr_or_access == ACCESSES ? all->accesses : all->instructions))
		return false;
	*position = (struct ap_chunk_position){0};
	if (p->n_order == 0)
		return true;
	if (i == p->n_order) {
		position->stream = p->order[i - 1];
		position->chunk = position->stream->units.n;
		return true;
	}
	position->stream = p->order[i];
	position->chunk = find_index_of_chunk_ending_after(
		position->stream,
		number - get_first_instr_or_access_of_stream(position->stream,
							     instr_or_access),
		instr_or_access);
	return true;
}

bool ap_find_chunk_by_instr(const struct alleria_profile *p,
			    uint64_t instr_number,
			    struct ap_chunk_position *position)
{
	return find_chunk_or_end_if_number_is_total(p, instr_number,
						    INSTRUCTIONS, position);
}

bool ap_find_chunk_by_access(const struct alleria_profile *p,
			     uint64_t access_number,
			     struct ap_chunk_position *position)
{
	return find_chunk_or_end_if_number_is_total(p, access_number, ACCESSES,
						    position);
}

/* ---- time ---- */
uint64_t ap_chunk_estimate_instr_time_ns(const struct pf_head *h,
					 uint64_t instr_index)
{
	uint64_t n = h->counts.instructions;
	uint64_t ns = h->end_ns > h->begin_ns ? h->end_ns - h->begin_ns : 0;

	if (instr_index >= n)
		return h->begin_ns + ns;
	return h->begin_ns +
	       (uint64_t)((unsigned __int128)ns * instr_index / n);
}

uint64_t ap_chunk_first_instr_index_from_time(const struct pf_head *h,
					      uint64_t time_ns)
{
	uint64_t low = 0, high = h->counts.instructions;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (ap_chunk_estimate_instr_time_ns(h, middle) < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t alleria_time_of(const struct alleria_profile *p, uint64_t instruction)
{
	const struct pf_head *h;
	struct ap_chunk_position position;
	uint64_t i;

	if (!ap_find_chunk_by_instr(p, instruction, &position) ||
	    !position.stream || position.chunk >= position.stream->units.n)
		return ALLERIA_NOT;
	h = ap_chunk_head(position.stream, position.chunk);
	i = instruction - position.stream->pub.first_instruction;
	/* If the instruction's chunk is lost by damage, h is the next chunk,
	   and its begin is returned. */
	return ap_chunk_estimate_instr_time_ns(
		h, i > h->before.instructions ? i - h->before.instructions : 0);
}
