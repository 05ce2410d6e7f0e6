/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_position.c - tracks the position of each thread, for branches
 *
 * A cursor that seeks or skips chunks does not know the last instruction of the
 * threads that run in the next chunk. The masks of threads in the heads of
 * chunks show in which chunk each thread ran last; that chunk is decoded only
 * to recompute the position. Threads from 64 on share a bit of the mask: for
 * them, all skipped chunks are decoded.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "liballeria/cursor/cursor.h"

enum { MAX_THREADS = 1 << 20 };

/* The bit of a mask that all threads with numbers from 64 on share; thread 1
   has bit 0. */
#define SHARED_BIT (1ull << 63)

/* ---- positions ---- */
int ap_position_find_or_add_or_dummy(struct alleria_cursor *c,
				     uint32_t thread_number,
				     struct ap_thread_position **out)
{
	struct ap_thread_positions *t = &c->positions;
	int err = 0;

	if (thread_number > MAX_THREADS)
		return -EPROTO;
	err = al_array_reserve_zeroed(t->position, t->n, thread_number + 1);
	if (err)
		return err;
	*out = t->recomputed && !(t->recomputed &
				  pf_thread_mask_bit_64_and_above_shared(
					  thread_number))
		       ? &t->ignored
		       : &t->position[thread_number];
	return 0;
}

int ap_position_mark_thread_as_just_started(struct alleria_cursor *c,
					    uint32_t thread_number)
{
	struct ap_thread_position *t;
	int err = ap_position_find_or_add_or_dummy(c, thread_number, &t);

	if (!err)
		*t = (struct ap_thread_position){.is_new = true};
	return err;
}

int ap_position_mark_thread_as_in_signal(struct alleria_cursor *c,
					 uint32_t thread_number)
{
	struct ap_thread_position *t;
	int err = ap_position_find_or_add_or_dummy(c, thread_number, &t);

	if (!err)
		t->in_signal = true;
	return err;
}

static void forget_positions_in_mask(struct ap_thread_positions *t,
				     uint64_t thread_mask)
{
	for (uint32_t i = 1; i < t->n; i++)
		if (thread_mask & pf_thread_mask_bit_64_and_above_shared(i))
			t->position[i] = (struct ap_thread_position){0};
}

void ap_position_forget_all_threads(struct alleria_cursor *c)
{
	forget_positions_in_mask(&c->positions, UINT64_MAX);
	c->positions.unknown = 0;
}

void ap_position_forget_chunk_threads(struct alleria_cursor *c,
				      const struct pf_head *h)
{
	forget_positions_in_mask(&c->positions, h->threads);
	c->positions.unknown &= ~h->threads | SHARED_BIT;
}

static bool is_position_known(const struct ap_thread_position *t)
{
	return t->block || t->is_new;
}

/* Record that the chunk with head @head_or_null_for_all is skipped, or all
   chunks before the next one if @head_or_null_for_all is NULL. Set the
   positions of the threads below 64 that ran in the chunk, or of all threads
   for NULL, to unknown. Set `unknown` to the mask of the threads below 64
   without a known position, and always bit 63: for threads from 64 on, the
   skipped chunks are decoded from chunk shared_read_to on. */
void ap_position_set_unknown_in_skipped_chunk(
	struct alleria_cursor *c, const struct pf_head *head_or_null_for_all)
{
	struct ap_thread_positions *t = &c->positions;

	if (!head_or_null_for_all)
		t->shared_read_to = 0;
	else if (!(t->unknown & SHARED_BIT))
		t->shared_read_to = c->chunk;
	forget_positions_in_mask(t, head_or_null_for_all
					    ? head_or_null_for_all->threads &
						      ~SHARED_BIT
					    : UINT64_MAX);
	t->unknown = UINT64_MAX;
	for (uint32_t i = 1; i < t->n && i < 64; i++)
		if (is_position_known(&t->position[i]))
			t->unknown &=
				~pf_thread_mask_bit_64_and_above_shared(i);
}

void ap_position_release(struct alleria_cursor *c)
{
	free(c->positions.position);
}

/* ---- positions from skipped chunks ---- */

/* Set the positions of the threads in @thread_mask to those at the end of a
   chunk, by decoding it; to unknown on an error. @chunk_index: its index in the
   stream. Return: as ap_cursor_load_decode_and_open_chunk(). */
static int decode_chunk_for_positions(struct alleria_cursor *c,
				      uint32_t chunk_index,
				      uint64_t thread_mask)
{
	int err;

	c->positions.recomputed = thread_mask;
	err = ap_cursor_load_decode_and_open_chunk(c, chunk_index);
	while (!err && c->next_unit < c->end)
		err = ap_cursor_decode_open_chunk(c);
	c->positions.recomputed = 0;
	c->next_unit = c->end;
	if (err)
		forget_positions_in_mask(&c->positions, thread_mask);
	return err;
}

/* Return the index of the lowest chunk such that no chunk of the stream is
   missing between it and the cursor's next chunk. */
static uint32_t
first_chunk_index_without_gap_to_cursor(const struct alleria_cursor *c)
{
	uint32_t i = c->chunk;

	while (i > 0 && ap_chunk_head(c->stream, i - 1)->position + 1 ==
				ap_chunk_head(c->stream, i)->position)
		i--;
	return i;
}

/* Set that the threads in @thread_mask, which are numbered below 64, have just
   started, because they ran in no earlier chunk. Return: 0; -errno. */
static int set_masked_threads_just_started(struct alleria_cursor *c,
					   uint64_t thread_mask)
{
	int err = 0;

	for (uint32_t i = 1; !err && i < 64; i++)
		if (thread_mask & pf_thread_mask_bit_64_and_above_shared(i))
			err = ap_position_mark_thread_as_just_started(c, i);
	return err;
}

/* Return the mask of those threads in @thread_mask, numbered below 64, whose
   positions are known now. A thread to which a signal is being delivered at the
   end of the decoded chunk is added to *@pending_signal_mask, because it may
   have run in that chunk only to receive the signal; in_signal is then set
   again in the position that a later call finds in an earlier chunk. */
static uint64_t find_known_threads(struct ap_thread_positions *t,
				   uint64_t thread_mask,
				   uint64_t *pending_signal_mask)
{
	uint64_t found = 0;

	for (uint32_t i = 1; i < t->n && i < 64; i++) {
		struct ap_thread_position *position = &t->position[i];
		uint64_t bit =
			thread_mask & pf_thread_mask_bit_64_and_above_shared(i);

		if (bit && position->in_signal)
			*pending_signal_mask |= bit;
		position->in_signal |= (*pending_signal_mask & bit) != 0;
		if (is_position_known(position))
			found |= bit;
	}
	return found;
}

/* Decode skipped chunks backwards, from the one before the cursor's next chunk
   down to @lowest_chunk_to_decode, until the positions (last executed
   instructions) of all threads in @thread_mask, which are numbered below 64,
   are known. Threads not found have just started if @lowest_chunk_to_decode is
   the first chunk of the stream. Return: 0; -errno. */
static int find_positions_of_threads_below_64(struct alleria_cursor *c,
					      uint32_t lowest_chunk_to_decode,
					      uint64_t thread_mask)
{
	uint64_t handlers = 0;
	int err = 0;

	for (uint32_t i = c->chunk;
	     !err && thread_mask && i > lowest_chunk_to_decode; i--) {
		uint64_t in_chunk =
			ap_chunk_head(c->stream, i - 1)->threads & thread_mask;

		if (in_chunk)
			err = decode_chunk_for_positions(c, i - 1, in_chunk);
		thread_mask &=
			~find_known_threads(&c->positions, in_chunk, &handlers);
	}
	if (!err && lowest_chunk_to_decode == 0 &&
	    ap_chunk_head(c->stream, 0)->position == 0)
		err = set_masked_threads_just_started(c, thread_mask);
	return err;
}

/* Decode all skipped chunks from @first_chunk_to_decode, or the first one not
   read for them if that is later, up to the cursor's next chunk, for the
   threads numbered 64 and above. Return: 0; -errno. */
static int
find_positions_of_threads_64_and_above(struct alleria_cursor *c,
				       uint32_t first_chunk_to_decode)
{
	uint32_t i = c->positions.shared_read_to;
	int err = 0;

	if (i < first_chunk_to_decode) {
		forget_positions_in_mask(&c->positions, SHARED_BIT);
		i = first_chunk_to_decode;
	}
	for (; !err && i < c->chunk; i++)
		err = decode_chunk_for_positions(c, i, SHARED_BIT);
	return err;
}

static int recompute_last_instrs_of_threads_in_mask(struct alleria_cursor *c,
						    uint64_t thread_mask)
{
	uint32_t first = first_chunk_index_without_gap_to_cursor(c);
	int err = thread_mask & SHARED_BIT
			  ? find_positions_of_threads_64_and_above(c, first)
			  : 0;

	return err ? err
		   : find_positions_of_threads_below_64(
			     c, first, thread_mask & ~SHARED_BIT);
}

/* Recompute the positions of the threads in @thread_mask without emitting
   records, and restore the cursor's own position. Return: 0; -errno. */
static int recompute_thread_positions(struct alleria_cursor *c,
				      uint64_t thread_mask)
{
	const struct alleria_cursor saved = *c;
	int err;

	c->kinds = 1u << ALLERIA_BRANCHES;
	c->is_within_bounds = false;
	c->bounds = (struct ap_bounds){.access_from = UINT64_MAX,
				       .access_to = UINT64_MAX,
				       .instruction_from = UINT64_MAX,
				       .instruction_to = UINT64_MAX};
	err = recompute_last_instrs_of_threads_in_mask(c, thread_mask);
	c->kinds = saved.kinds;
	c->is_within_bounds = saved.is_within_bounds;
	c->bounds = saved.bounds;
	c->head = saved.head;
	c->instruction = saved.instruction;
	c->access = saved.access;
	c->thread = saved.thread;
	return err;
}

int ap_position_recompute_unknown_of_threads(struct alleria_cursor *c)
{
	const struct pf_head *h = ap_chunk_head(c->stream, c->chunk);
	uint64_t threads = c->positions.unknown & h->threads;
	int err;

	if (c->filter.threads)
		threads &= c->filter.threads;
	if (!threads || !ap_cursor_returns_kind(c, ALLERIA_BRANCHES))
		return 0;
	c->positions.unknown &= ~threads;
	err = recompute_thread_positions(c, threads);
	/* After damage the positions stay unknown, which is no error. */
	return err == -EBADMSG || err == -EPROTO ? 0 : err;
}
