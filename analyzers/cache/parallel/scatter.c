/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scatter.c - lists the uses of cache lines of data in a chunk, by partition
 *
 * An access to the line that its set used last hits and changes nothing, unless
 * the line was clean and is now written. So a table of each set's last use,
 * emptied at the beginning of a chunk, makes most uses unnecessary: these are
 * not listed. If the table is shorter than the level, sets share an entry, and
 * more uses are listed.
 */

#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/simulation.h"
#include "base/tables/array.h"

enum {
	AHEAD = 256, /* words of 4 bytes from the slots being read to those
			being prefetched */
	FULL_BUFFER = 1024,
	MAX_LISTED_ACCESSES = 1 << 19, /* a chunk with at most so many accesses
					  is always partitioned; see
					  has_too_many_uses_to_list() */
	BUFFER_SIZE = FULL_BUFFER +
		      2 * PT_MAX_ACCESSES, /* a full buffer and at most the uses
					      of one execution */
};

/* Uses of cache lines that have not yet been distributed to the partitions'
   lists. */
struct use_buffer {
	const struct an_cachesim *sim;
	struct an_partition_inflight *inflight;
	uint64_t *last_use;
	uint64_t last_use_mask;
	size_t n;
	uint64_t line[BUFFER_SIZE];
	uint32_t position[BUFFER_SIZE];
};

static int reserve_room_in_use_list(struct an_line_uses *u, size_t added_uses)
{
	size_t size = u->size;

	return al_array_reserve(u->line, size, u->n + added_uses)
		       ?: al_array_reserve(u->position, u->size,
					   u->n + added_uses);
}

/* Move the buffered uses to the lists of their partitions. Return: 0 or
   -ENOMEM. */
static int move_buffered_uses_to_partition_lists(struct use_buffer *p)
{
	struct an_partition_inflight *l = p->inflight;
	uint64_t mask = p->sim->partitions.groups - 1;
	int err = 0;

	for (unsigned i = 0; i < p->sim->partitions.n && !err; i++)
		err = reserve_room_in_use_list(&l->uses[i], p->n);
	for (size_t i = 0; i < p->n && !err; i++) {
		uint64_t group = p->line[i] >> AN_USE_LINE_SHIFT & mask;
		struct an_line_uses *u = &l->uses[l->map[group]];

		l->group_uses[group]++;
		u->line[u->n] = p->line[i];
		u->position[u->n++] = p->position[i];
	}
	p->n = 0;
	return err;
}

/* Whether a use repeats the last recorded use of its set: the set's last use
   was of @line and, if @flags is AN_USE_WRITES, it was a write. @flags:
   AN_USE_WRITES or 0, a read, which may repeat a read or a write. */
static inline bool is_use_repeating_last_use_of_set(const struct use_buffer *p,
						    uint64_t line,
						    unsigned flags)
{
	uint64_t use = line << AN_USE_LINE_SHIFT | flags;

	return ((p->last_use[line & p->last_use_mask] ^ use) &
		~(uint64_t)(AN_USE_WRITES ^ flags)) == 0;
}

static inline void append_use_and_record_as_last(struct use_buffer *p,
						 uint64_t line, unsigned flags,
						 uint32_t position)
{
	uint64_t use = line << AN_USE_LINE_SHIFT | flags;

	p->last_use[line & p->last_use_mask] =
		use & ~(uint64_t)AN_USE_STRADDLES;
	p->line[p->n] = use;
	p->position[p->n++] = position;
}

/* Append the line uses of an access, unless they repeat the last uses of their
   sets. */
static void append_unrepeated_line_uses(struct use_buffer *p,
					const struct an_ref *r,
					unsigned line_shift, uint32_t position)
{
	uint64_t first = r->addr >> line_shift;
	uint64_t last = (r->addr + r->size - 1) >> line_shift;
	unsigned flags = r->write ? AN_USE_WRITES : 0;

	if (is_use_repeating_last_use_of_set(p, first, flags) &&
	    is_use_repeating_last_use_of_set(p, last, flags))
		return;
	if (first == last) {
		append_use_and_record_as_last(p, first, flags, position);
		return;
	}
	append_use_and_record_as_last(p, first, flags | AN_USE_STRADDLES,
				      position);
	append_use_and_record_as_last(p, last, flags | AN_USE_STRADDLES,
				      position);
}

/* Whether an access run that crosses a line border repeats the last uses of the
   sets of both its lines. False for a guarded run. */
static bool is_crossing_run_repeated(const struct use_buffer *p,
				     const struct an_run *r,
				     const uint32_t *slots, unsigned line_shift)
{
	uint64_t addr = an_run_read_base_or_0_if_absolute(r, slots) + r->delta;

	return r->span != AN_SPAN_GUARDED &&
	       is_use_repeating_last_use_of_set(p, addr >> line_shift,
						r->writes) &&
	       is_use_repeating_last_use_of_set(
		       p, (addr + r->span) >> line_shift, r->writes);
}

/* Append the line uses of an access run that is guarded (conditional) or
   crosses a line border, access by access, except accesses that were not done
   or repeat the last uses of their sets. @shifted_exec_index: index of the
   execution << AN_ACCESS_BITS. */
static __attribute__((noinline)) void
append_run_uses_by_access(struct use_buffer *p, const struct an_block *b,
			  const struct an_run *r, const uint32_t *slots,
			  uint32_t shifted_exec_index)
{
	const struct an_cachesim *s = p->sim;
	unsigned shift = s->hierarchy.l1[AN_DATA].shift;
	struct an_ref ref;

	if (is_crossing_run_repeated(p, r, slots, shift))
		return;
	for (unsigned i = r[0].first_row; i < r[1].first_row; i++)
		if (an_block_compute_access_ref(b, s->hierarchy.smallest_line,
						i, slots, &ref))
			append_unrepeated_line_uses(p, &ref, shift,
						    shifted_exec_index | i);
}

/* Append the line uses of an execution that leaves its block by exit @exit to
   the buffer, except those that repeat the last use of the line's set.
   @shifted_exec_index: index of the execution << AN_ACCESS_BITS. @shift: log2
   of the line size; a constant 6 for the usual 64 bytes, for which this
   function is inlined. */
static inline __attribute__((always_inline)) void
append_exec_line_uses(struct use_buffer *p, const struct an_path_plan *path,
		      unsigned exit, const uint32_t *slots,
		      uint32_t shifted_exec_index, unsigned shift)
{
	const struct an_run *r = an_path_plan_runs(path);
	const struct an_run *end = r + path->n_runs[exit];

	__builtin_prefetch(slots + AHEAD);
	for (; r < end; r++) {
		uint64_t addr =
			an_run_read_base_or_0_if_absolute(r, slots) + r->delta;
		uint64_t line = addr >> shift;

		if (line != (addr + r->span) >> shift)
			append_run_uses_by_access(p, path->block, r, slots,
						  shifted_exec_index);
		else if (!is_use_repeating_last_use_of_set(p, line, r->writes))
			append_use_and_record_as_last(p, line, r->writes,
						      shifted_exec_index |
							      r->first_row);
	}
}

/* List the line uses of a batch without compiled code; the last ones stay in
   the buffer, and the caller moves them to the lists of the partitions. Return:
   0 or -ENOMEM. */
static int buffer_interpreted_line_uses(struct use_buffer *p,
					const struct an_batch *batch)
{
	const struct an_plan *plan =
		p->sim->inflight[batch->inflight_slot].plan;
	unsigned shift = p->sim->hierarchy.l1[AN_DATA].shift;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs && !err; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_path_plan *path = plan[e.block].data;
		const uint32_t *slots =
			batch->slots + an_exec_first_slot_word_index(e);
		uint32_t exec = (uint32_t)(batch->first_exec + i)
				<< AN_ACCESS_BITS;

		if (shift == 6)
			append_exec_line_uses(p, path, an_exec_exit_number(e),
					      slots, exec, 6);
		else
			append_exec_line_uses(p, path, an_exec_exit_number(e),
					      slots, exec, shift);
		if (p->n >= FULL_BUFFER)
			err = move_buffered_uses_to_partition_lists(p);
	}
	return err;
}

/* ---- with compiled code ---- */

/* Return the buffer of line uses, whose end is set after the uses that compiled
   code has appended. sync_jit_frame_from_use_buffer() does the reverse. */
static struct use_buffer *
sync_use_buffer_from_jit_frame(struct an_jit_frame *frame)
{
	struct use_buffer *p = frame->caller;

	p->n = (size_t)(frame->line - p->line);
	return p;
}

static void sync_jit_frame_from_use_buffer(struct an_jit_frame *frame,
					   struct use_buffer *p)
{
	frame->line = p->line + p->n;
	frame->position = p->position + p->n;
}

static void add_uses_of_slow_path_run(struct an_jit_frame *frame,
				      const struct an_exec *e,
				      uint32_t run_desc, const uint32_t *slots,
				      uint64_t line, uint64_t last)
{
	const struct an_path_plan *path = frame->plan[e->block].data;
	struct use_buffer *p = sync_use_buffer_from_jit_frame(frame);

	(void)line;
	(void)last;
	append_run_uses_by_access(p, path->block,
				  an_run_desc_find_run(run_desc, path), slots,
				  frame->exec_position);
	sync_jit_frame_from_use_buffer(frame, p);
}

static void append_uncompiled_block_uses(struct an_jit_frame *frame,
					 const struct an_exec *e)
{
	struct use_buffer *p = sync_use_buffer_from_jit_frame(frame);

	append_exec_line_uses(
		p, frame->plan[e->block].data, an_exec_exit_number(*e),
		frame->batch->slots + an_exec_first_slot_word_index(*e),
		frame->exec_position, p->sim->hierarchy.l1[AN_DATA].shift);
	if (p->inflight->n_cold < AN_MAX_COLD_BLOCKS)
		p->inflight->cold_block[p->inflight->n_cold++] = e->block;
	sync_jit_frame_from_use_buffer(frame, p);
}

static int list_batch_line_uses_compiled_and_flush(struct use_buffer *p,
						   const struct an_batch *batch)
{
	struct an_jit_frame frame = {
		.search = add_uses_of_slow_path_run,
		.other = append_uncompiled_block_uses,
		.last_use = p->last_use,
		.full = p->line + FULL_BUFFER,
		.exec_position = (uint32_t)batch->first_exec << AN_ACCESS_BITS,
		.hints = p->last_use_mask,
		.base = batch->slots,
		.end = batch->exec + batch->n_execs,
		.entry = p->inflight->code_entry,
		.next = batch->exec,
		.batch = batch,
		.plan = p->sim->inflight[batch->inflight_slot].plan,
		.caller = p,
	};
	int err = 0;

	while (frame.next < frame.end && !err) {
		sync_jit_frame_from_use_buffer(&frame, p);
		an_compiler_run_code_to_list_line_uses(&p->sim->compiler,
						       &frame);
		err = move_buffered_uses_to_partition_lists(
			sync_use_buffer_from_jit_frame(&frame));
	}
	return err;
}

int an_scatter_list_batch_uses(struct an_cachesim *s,
			       const struct an_batch *batch)
{
	struct an_partition_inflight *l =
		&s->partitions.inflight[batch->inflight_slot];
	struct use_buffer p;
	int err;

	p.sim = s;
	p.inflight = l;
	p.last_use = l->last_use;
	p.last_use_mask = s->partitions.last_use_mask;
	p.n = 0;
	if (l->code_entry != NULL)
		return list_batch_line_uses_compiled_and_flush(&p, batch);
	err = buffer_interpreted_line_uses(&p, batch);
	return err ? err : move_buffered_uses_to_partition_lists(&p);
}

/* Count the executions without compiled code of the chunk that had in-flight
   slot @l before, by block, and compile the blocks that have many; then empty
   their list. Set l->code_entry to the entries of compiled code; NULL: there is
   none. */
static void
compile_hot_blocks_and_set_code_entry(struct an_cachesim *s,
				      struct an_partition_inflight *l)
{
	const struct an_l1 level = {
		.shift = s->hierarchy.l1[AN_DATA].shift,
		.hint_mask = s->partitions.last_use_mask,
	};

	l->code_entry = NULL;
	if (an_compiler_can_compile_ensure_entries(&s->compiler,
						   (uint32_t)s->n_plans)) {
		for (unsigned i = 0; i < l->n_cold; i++)
			an_compiler_count_block_compile_if_hot(
				&s->compiler, l->cold_block[i],
				s->plan[l->cold_block[i]].data, &level);
		l->code_entry = s->compiler.entry;
	}
	l->n_cold = 0;
}

/*
 * Whether a chunk may have so many accesses that the lists of their line uses
 * would need much more memory than the chunk itself. Only executions of blocks
 * are counted that make more accesses than they have bytes in the stream (the
 * recording); nearly all blocks have fewer.
 */
static bool has_too_many_uses_to_list(const struct an_cachesim *s,
				      const struct an_batch *chunk)
{
	size_t n = chunk->n_execs;
	uint64_t bytes = n ? 4 * an_exec_first_slot_word_index(
					 chunk->exec[n - 1])
			   : 0,
		 accesses = 0;

	for (size_t i = 0; s->any_many_accesses && i < n; i++)
		accesses += s->many_accesses[chunk->exec[i].block];
	return accesses > bytes && accesses > MAX_LISTED_ACCESSES;
}

enum an_chunk_mode an_scatter_begin_chunk(struct an_cachesim *s,
					  const struct an_batch *chunk)
{
	bool moved;

	compile_hot_blocks_and_set_code_entry(
		s, &s->partitions.inflight[chunk->inflight_slot]);
	moved = an_partitions_begin_chunk_is_rebalanced(&s->partitions,
							chunk->inflight_slot);
	if (has_too_many_uses_to_list(s, chunk))
		return AN_CHUNK_SERIAL;
	return moved ? AN_CHUNK_BARRIER : AN_CHUNK_CONTINUE;
}
