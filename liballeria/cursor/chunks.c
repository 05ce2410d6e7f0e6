/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunks.c - moves a cursor from chunk to chunk; see cursor.h
 *
 * Chunks are chosen by their heads and, if the filter names an object or a
 * function, by the descriptors before them. A chunk that is missing from the
 * file is noticed by the positions of its neighbours.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "liballeria/cursor/cursor.h"
#include "liballeria/cursor/skip_by_page.h"
#include "liballeria/descriptors.h"
#include "liballeria/place.h"

/* ---- chunks that pass the filter ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Return @to, the exclusive end of a range of the filter, or UINT64_MAX if it
   is 0, which means unbounded. */
static uint64_t range_end_or_max_if_zero(uint64_t to)
{
	return to ? to : UINT64_MAX;
}

/* Set c->bounds: the numbers of the instructions and accesses that pass, by the
   filter and the last seek, in the chunk whose block has the header @h.
   @first_instruction: number of the chunk's first instruction. */
static void set_chunk_bounds(struct alleria_cursor *c, const struct pf_head *h,
			     uint64_t first_instruction)
{
	const struct alleria_filter *u = &c->filter.user;
	struct ap_bounds *b = &c->bounds;

	*b = (struct ap_bounds){
		.access_from = larger(u->access_from, c->seek.access_from),
		.access_to = range_end_or_max_if_zero(u->access_to),
		.sought_access = c->seek.sought_access,
		.instruction_from =
			larger(u->instruction_from, c->seek.instruction_from),
		.instruction_to = range_end_or_max_if_zero(u->instruction_to),
	};
	if (!c->filter.on_time)
		return;
	b->instruction_from =
		larger(b->instruction_from,
		       first_instruction + ap_chunk_first_instr_index_from_time(
						   h, u->time_from));
	if (u->time_to && h->end_ns >= u->time_to)
		b->instruction_to =
			smaller(b->instruction_to,
				first_instruction +
					ap_chunk_first_instr_index_from_time(
						h, u->time_to));
}

/* Whether an instruction without accesses passes the lower bound for accesses:
   whether the access before it passes or, unless the cursor sought an access,
   access_from is 0. @next_access: number of the first access after the
   instruction. */
static bool is_accessless_instr_past_lower_bound(const struct ap_bounds *b,
						 uint64_t next_access)
{
	return next_access > b->access_from ||
	       (b->access_from == 0 && !b->sought_access);
}

/* Whether a chunk may have a record whose numbers lie within the bounds; also
   set is_within_bounds to whether all its numbers do. @first_instruction,
   @first_access: numbers of its first instruction and access. An event or
   branch may lie at the very end of the chunk. */
static bool chunk_may_pass_bounds_set_is_within(struct alleria_cursor *c,
						const struct pf_head *h,
						uint64_t first_instruction,
						uint64_t first_access)
{
	const struct ap_bounds *b = &c->bounds;
	uint64_t instructions = first_instruction + h->counts.instructions;
	uint64_t accesses =
		first_access + ap_access_count_modify_as_one(&h->counts);
	unsigned at_end = 1u << ALLERIA_BRANCHES | 1u << ALLERIA_EVENTS;

	c->is_within_bounds =
		first_instruction >= b->instruction_from &&
		instructions <= b->instruction_to &&
		is_accessless_instr_past_lower_bound(b, first_access) &&
		accesses <= b->access_to;
	if (first_instruction >= b->instruction_to ||
	    first_access > b->access_to)
		return false;
	if (c->kinds == 1u << ALLERIA_ACCESSES && first_access == b->access_to)
		return false;
	if (ap_cursor_returns_kind(c, ALLERIA_EVENTS) && h->marks > 0)
		return instructions >= b->instruction_from &&
		       accesses >= b->access_from;
	return instructions > b->instruction_from &&
	       (c->kinds & at_end
			? accesses >= b->access_from
			: is_accessless_instr_past_lower_bound(b, accesses));
}

/* Whether a chunk may have a record that passes the filter, according to its
   header without the pages listed there. Unless the requested kinds, threads or
   times exclude the chunk, also set c->bounds: the numbers of the instructions
   and accesses that pass in this chunk. */
static bool chunk_may_pass_filter_set_bounds(struct alleria_cursor *c,
					     const struct pf_head *h)
{
	const struct ap_filter *f = &c->filter;
	const struct ap_stream *s = c->stream;
	uint64_t instruction =
		s->pub.first_instruction + h->before.instructions;

	if (c->kinds == 1u << ALLERIA_EVENTS && h->marks == 0)
		return false;
	if (f->threads && h->threads && (f->threads & h->threads) == 0)
		return false;
	if (f->on_time && (h->end_ns < f->user.time_from ||
			   (f->user.time_to && h->begin_ns >= f->user.time_to)))
		return false;
	set_chunk_bounds(c, h, instruction);
	return chunk_may_pass_bounds_set_is_within(
		c, h, instruction,
		s->pub.first_access +
			ap_access_count_modify_as_one(&h->before));
}

/* ---- a chunk ---- */

static int ensure_unit_buffer_capacity(struct alleria_cursor *c,
				       size_t byte_count)
{
	if (byte_count <= c->words_size)
		return 0;
	free(c->words);
	c->words = malloc(byte_count);
	c->words_size = c->words ? byte_count : 0;
	return c->words ? 0 : -ENOMEM;
}

/* Load file block @entry_index, a chunk, and decode its units into c->words.
   Return: 0; -EBADMSG: it is damaged; another -errno. */
static int load_chunk_and_decode_its_units(struct alleria_cursor *c,
					   uint32_t entry_index)
{
	struct alleria_profile *p = c->profile;
	const struct pf_head *h = ap_entry_head(p, entry_index);
	const void *code;
	size_t n;
	int err;

	if (h->words == 0 || h->words > PF_MAX_BYTES || h->words % 4)
		return -EBADMSG;
	/* at least 8 bytes more than the units, which have h->words bytes: the
	   decoder may read a slot of 8 bytes after the last execution */
	err = ensure_unit_buffer_capacity(c, (h->words + 15) / 8 * 8);
	if (!err)
		err = pf_reader_load_block(
			p->reader, c->unpacker,
			&pf_reader_entries(p->reader, &n)[entry_index], &code);
	if (!err)
		err = pf_decode_chunk(c->coder, code, h->bytes, c->words,
				      h->words);
	return err;
}

int ap_cursor_load_decode_and_open_chunk(struct alleria_cursor *c,
					 uint32_t valid_chunk_index)
{
	struct ap_stream *s = c->stream;
	uint32_t entry = s->units.entry[valid_chunk_index];
	const struct pf_head *h = ap_entry_head(c->profile, entry);
	int err;

	pthread_mutex_lock(&c->profile->lock);
	err = ap_stream_read_log_before_entry(s, entry);
	c->mappings_change = al_mappings_find_next_change(&s->blocks.mappings,
							  c->log_offset);
	pthread_mutex_unlock(&c->profile->lock);
	if (!err)
		err = load_chunk_and_decode_its_units(c, entry);
	if (err)
		return err;
	c->head = h;
	c->base = (const uint32_t *)c->words;
	c->next_unit = 0;
	c->end = h->words / 4;
	c->instruction = s->pub.first_instruction + h->before.instructions;
	c->access =
		s->pub.first_access + ap_access_count_modify_as_one(&h->before);
	c->thread = h->thread ? h->thread : 1;
	c->thread_passes = ap_filter_passes_thread(&c->filter, c->thread);
	err = ap_exits_switch_to_thread_class(c);
	if (err)
		return err;
	if (h->position > 0 || !ap_cursor_returns_kind(c, ALLERIA_BRANCHES))
		return 0;
	return ap_position_mark_thread_as_just_started(c, c->thread);
}

/* ---- from chunk to chunk ---- */

void ap_cursor_move_to_chunk(struct alleria_cursor *c, struct ap_stream *s,
			     uint32_t chunk_index)
{
	if (s != c->stream)
		ap_routes_free_current_stream_caches(c);
	else
		ap_routes_free_current_stream_exits(c);
	c->log_offset = 0;
	ap_position_forget_all_threads(c);
	if (chunk_index > 0)
		ap_position_set_unknown_in_skipped_chunk(c, NULL);
	c->stream = s;
	c->emitted_begin = chunk_index > 0;
	c->emitted_end = c->has_gap = c->reported_loss = false;
	c->chunk = chunk_index;
	c->expected = s && chunk_index < s->units.n && chunk_index > 0
			      ? ap_chunk_head(s, chunk_index)->position
			      : 0;
	if (s && chunk_index > 0 && chunk_index == s->units.n)
		c->expected = ap_chunk_head(s, chunk_index - 1)->position + 1;
	c->next_unit = c->end = 0;
	c->has_fault = false;
	c->head = NULL;
	c->thread = 0;
}

/* At the end of the profile, report that the exec image of a process is left
   out because its first block is damaged or missing, if there is such an image
   and it was not reported yet. Return: 0; ALLERIA_E_DAMAGED if it was reported
   now. */
static int report_lost_exec_image_once(struct alleria_cursor *c)
{
	char text[ALLERIA_MESSAGE];

	if (!c->profile->lost_image || c->reported_loss)
		return 0;
	c->reported_loss = true;
	snprintf(text, sizeof(text),
		 "stream %" PRIu32 " has no beginning, and is left out",
		 c->profile->lost_stream);
	return ap_cursor_set_message_return_error(c, ALLERIA_E_DAMAGED, text);
}

/* Move to the start of the next stream whose process passes the filter. Return:
   1; 0: there is none; ALLERIA_E_DAMAGED: there is none, and an image of the
   profile is missing. */
static int move_to_next_stream_of_passing_process(struct alleria_cursor *c)
{
	struct alleria_profile *p = c->profile;
	uint32_t i = c->stream ? c->stream->rank + 1 : 0;

	while (i < p->n_order &&
	       !ap_filter_passes_process(&c->filter, p->order[i]->pub.process))
		i++;
	if (i >= p->n_order)
		return report_lost_exec_image_once(c);
	ap_cursor_move_to_chunk(c, p->order[i], 0);
	return 1;
}

static void set_next_chunk_and_expected_position(struct alleria_cursor *c,
						 const struct pf_head *h)
{
	c->expected = h->position + 1;
	c->chunk++;
}

/* Set the cursor's message to a text that names the chunk at position
   @chunk_position and ends with @damage_text, and set has_gap, because records
   are missing. Return: ALLERIA_E_DAMAGED. */
static int set_gap_and_message_return_damage(struct alleria_cursor *c,
					     uint64_t chunk_position,
					     const char *damage_text)
{
	char text[ALLERIA_MESSAGE];

	snprintf(text, sizeof(text), "process %u, image %u, part %llu %s",
		 (unsigned)c->stream->number, (unsigned)c->stream->pub.number,
		 (unsigned long long)chunk_position, damage_text);
	c->has_gap = true;
	return ap_cursor_set_message_return_error(c, ALLERIA_E_DAMAGED, text);
}

/* Store the message for @err, the -errno with which opening the chunk failed. A
   damaged chunk is skipped; if a descriptor is damaged or missing, all later
   chunks of the stream are skipped too, because they cannot be decoded. After
   another error the chunk may be opened again. Return: enum alleria_error. */
static int handle_chunk_open_error(struct alleria_cursor *c,
				   const struct pf_head *h, int err)
{
	uint64_t position = h->position;
	bool lost;

	if (err != -EBADMSG && err != -EPROTO)
		return ap_cursor_set_message_return_error(
			c, ap_alleria_error_of_negative_errno(err),
			"cannot read");
	pthread_mutex_lock(&c->profile->lock);
	lost = c->stream->log_error != 0;
	pthread_mutex_unlock(&c->profile->lock);
	c->gap_size = h->counts.instructions;
	set_next_chunk_and_expected_position(c, h);
	ap_position_forget_all_threads(c);
	if (!lost)
		return set_gap_and_message_return_damage(c, position,
							 "is broken");
	c->chunk = c->stream->units.n;
	return set_gap_and_message_return_damage(
		c, position,
		"and all later parts cannot be decoded: descriptors of "
		"code are broken or missing");
}

/* Open the next chunk of the stream that may have records which pass the
   filter, and pass over the others. Return: 1; 0: there is none; enum
   alleria_error: also if a chunk is missing or damaged. */
static int open_next_passing_chunk(struct alleria_cursor *c)
{
	struct ap_stream *s = c->stream;
	int err;

	while (c->chunk < s->units.n) {
		const struct pf_head *h = ap_chunk_head(s, c->chunk);

		if (!chunk_may_pass_filter_set_bounds(c, h)) {
			ap_position_set_unknown_in_skipped_chunk(c, h);
			set_next_chunk_and_expected_position(c, h);
			continue;
		}
		err = ap_position_recompute_unknown_of_threads(c);
		if (err)
			return ap_cursor_set_message_return_error(
				c, ap_alleria_error_of_negative_errno(err),
				"cannot read");
		if (!ap_chunk_pages_may_pass_filter(c,
						    s->units.entry[c->chunk])) {
			set_next_chunk_and_expected_position(c, h);
			ap_position_forget_chunk_threads(c, h);
			continue;
		}
		if (h->position > c->expected) {
			c->expected = h->position;
			c->gap_size = 0;
			ap_position_forget_all_threads(c);
			return set_gap_and_message_return_damage(
				c, h->position - 1, "is missing");
		}
		err = ap_cursor_load_decode_and_open_chunk(c, c->chunk);
		if (err)
			return handle_chunk_open_error(c, h, err);
		set_next_chunk_and_expected_position(c, h);
		return 1;
	}
	return 0;
}

/* ---- begin and end of an image ---- */

static void emit_image_begin_event(struct alleria_cursor *c)
{
	const struct alleria_image *i = &c->stream->pub;

	c->emitted_begin = true;
	c->instruction = i->first_instruction;
	c->access = i->first_access;
	ap_emit_event_if_passing(c, ALLERIA_IMAGE_BEGIN, 0, 0);
}

static void emit_gap_event_clear_has_gap(struct alleria_cursor *c)
{
	c->has_gap = false;
	ap_emit_event_if_passing(c, ALLERIA_GAP, c->gap_size, 0);
}

static void emit_gap_and_image_end_events(struct alleria_cursor *c)
{
	const struct alleria_image *i = &c->stream->pub;

	c->emitted_end = true;
	c->instruction = i->first_instruction + i->counts.instructions;
	c->access = i->first_access + i->counts.accesses;
	c->head = NULL;
	c->thread = 0;
	if (c->has_gap)
		emit_gap_event_clear_has_gap(c);
	ap_emit_event_if_passing(c, ALLERIA_IMAGE_END, (uint64_t)i->value,
				 i->ending);
}

/* At the end of a chunk, do one step: emit the event of the image's begin, open
   a chunk, emit the event of the image's end, or move to the next stream.
   Return: 1; 0 at the end of the profile; enum alleria_error. */
static int emit_image_event_or_open_next_chunk(struct alleria_cursor *c)
{
	int got;

	if (!c->stream)
		return move_to_next_stream_of_passing_process(c);
	if (!c->emitted_begin) {
		emit_image_begin_event(c);
		return 1;
	}
	got = open_next_passing_chunk(c);
	if (got != 0)
		return got;
	if (c->stream->ended && !c->emitted_end) {
		emit_gap_and_image_end_events(c);
		return 1;
	}
	return move_to_next_stream_of_passing_process(c);
}

/* Decode units of the open chunk into the batches. If a unit contradicts its
   descriptor, skip the rest of the chunk and return ALLERIA_E_DAMAGED. Return:
   0; enum alleria_error. */
static int decode_units_or_skip_damaged_chunk(struct alleria_cursor *c)
{
	int err = ap_cursor_decode_open_chunk(c);

	if (err == -EPROTO) {
		c->gap_size = 0;
		c->next_unit = c->end;
		c->has_fault = false;
		ap_position_forget_all_threads(c);
		return set_gap_and_message_return_damage(
			c, c->head->position, "contradicts its descriptors");
	}
	return err ? ap_cursor_set_message_return_error(
			     c, ap_alleria_error_of_negative_errno(err),
			     "cannot read")
		   : 0;
}

/* Advance by one step: decode a part of the open chunk, emit the event of a
   gap, or move to the next chunk. Return: as
   ap_cursor_fill_record_batches_0_at_end(). */
static int decode_part_or_open_next_chunk_0_at_end(struct alleria_cursor *c)
{
	int err;

	if (c->next_unit >= c->end && !c->has_fault)
		return emit_image_event_or_open_next_chunk(c);
	if (c->has_gap) {
		emit_gap_event_clear_has_gap(c);
		return 1;
	}
	err = decode_units_or_skip_damaged_chunk(c);
	return err ? err : 1;
}

int ap_cursor_fill_record_batches_0_at_end(struct alleria_cursor *c)
{
	int got = c->error ? c->error : 1;

	c->error = 0;
	if (got > 0)
		c->message[0] = 0;
	for (unsigned i = 0; i < AP_KINDS; i++)
		c->batch[i].n = c->batch[i].returned = 0;
	c->n_instr_accesses = 0;
	while (got > 0 && !ap_cursor_has_records_in_any_batch(c))
		got = decode_part_or_open_next_chunk_0_at_end(c);
	if (!ap_cursor_has_records_in_any_batch(c))
		return got;
	c->error = got < 0 ? got : 0;
	return 1;
}
