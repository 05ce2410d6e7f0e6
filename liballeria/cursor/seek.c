/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seek.c - moves a cursor to an access, an instruction or a time
 *
 * The functions read nothing: the chunk that holds the target becomes the next
 * to be opened, and records before the target do not pass.
 */
#include "liballeria/cursor/cursor.h"
#include "liballeria/place.h"

/* Drop the records that were not returned yet, and earlier errors and seeks,
   and move the cursor to chunk @to. */
static void drop_records_and_move_to_chunk(struct alleria_cursor *c,
					   const struct ap_chunk_position *to)
{
	for (unsigned i = 0; i < AP_KINDS; i++)
		c->batch[i].n = c->batch[i].returned = 0;
	c->error = 0;
	c->message[0] = 0;
	c->seek = (struct ap_bounds){0};
	if (!to->stream)
		return;
	ap_cursor_move_to_chunk(c, to->stream, to->chunk);
	/* If the filter excludes the process, skip the chunks of this image and
	   the events of its begin and end. */
	if (!ap_filter_passes_process(&c->filter, to->stream->pub.process)) {
		c->emitted_begin = c->emitted_end = true;
		c->chunk = to->stream->units.n;
	}
}

int alleria_seek_access(struct alleria_cursor *c, uint64_t number)
{
	struct ap_chunk_position to;

	if (!ap_find_chunk_by_access(c->profile, number, &to))
		return ALLERIA_E_RANGE;
	drop_records_and_move_to_chunk(c, &to);
	c->seek.access_from = number;
	c->seek.sought_access = true;
	return 0;
}

int alleria_seek_instruction(struct alleria_cursor *c, uint64_t number)
{
	struct ap_chunk_position to;

	if (!ap_find_chunk_by_instr(c->profile, number, &to))
		return ALLERIA_E_RANGE;
	drop_records_and_move_to_chunk(c, &to);
	c->seek.instruction_from = number;
	return 0;
}

/* Set *@number to the number of the first instruction of an image that was
   executed at @ns or later. Return: false if there is none; then *@number is
   unchanged. */
static bool find_first_instr_of_image_since(const struct ap_stream *s,
					    uint64_t ns, uint64_t *number)
{
	for (uint32_t i = 0; i < s->units.n; i++) {
		const struct pf_head *h = ap_chunk_head(s, i);
		uint64_t first =
			h->end_ns < ns
				? h->counts.instructions
				: ap_chunk_first_instr_index_from_time(h, ns);

		if (first == h->counts.instructions)
			continue;
		*number = s->pub.first_instruction + h->before.instructions +
			  first;
		return true;
	}
	return false;
}

int alleria_seek_time(struct alleria_cursor *c, uint32_t process,
		      uint64_t time_ns)
{
	const struct alleria_profile *p = c->profile;
	const struct ap_process *a = ap_find_process(p, process);
	uint64_t number;

	if (!a || time_ns > a->pub.end_ns)
		return ALLERIA_E_RANGE;
	number = a->pub.first_instruction + a->pub.counts.instructions;
	for (uint32_t i = 0; i < a->pub.images; i++)
		if (a->image[i]->pub.end_ns >= time_ns &&
		    find_first_instr_of_image_since(a->image[i], time_ns,
						    &number))
			break;
	return alleria_seek_instruction(c, number);
}
