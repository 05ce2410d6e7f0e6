/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unit_check.c - checks the chunks of a profile; see verify_state.h */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/recover/chunk_counts.h"
#include "lib/verify/verify_state.h"
#include "proto/unit.h"

/* ---- threads ---- */
static struct al_checked_thread *
find_thread_if_alive(struct al_checked_stream *s, uint32_t thread_number)
{
	struct al_checked_thread *t;

	if (thread_number == 0 || thread_number > s->n_threads)
		return NULL;
	t = &s->thread[thread_number - 1];
	return t->is_alive ? t : NULL;
}

static int add_thread_or_report_wrong_number(struct al_verifier *v,
					     struct al_checked_stream *s,
					     uint32_t thread_number)
{
	void *bigger;

	if (thread_number != s->n_threads + 1) {
		al_verify_count_and_print_fault(
			v,
			"expected thread %" PRIu32 " to start, found %" PRIu32,
			s->n_threads + 1, thread_number);
		s->is_incomplete = true;
		return 0;
	}
	bigger = realloc(s->thread, thread_number * sizeof(*s->thread));
	if (!bigger)
		return -ENOMEM;
	s->thread = bigger;
	s->thread[s->n_threads++] =
		(struct al_checked_thread){.is_alive = true};
	return 0;
}

/* Apply a mark (thread switch, signal and so on) to the threads and counts of
   windows of @s. Report a fault if a thread starts with a wrong number, or runs
   or ends without being alive, or if a named mark has no name. Return: 0;
   -ENOMEM. */
static int check_mark_and_update_stream(struct al_verifier *v,
					struct al_checked_stream *s,
					const struct an_mark *mark)
{
	struct al_checked_thread *t;

	switch (mark->kind) {
	case PT_THREAD_START:
		return add_thread_or_report_wrong_number(v, s, mark->id);
	case PT_THREAD:
		s->running = mark->id;
		break;
	case PT_THREAD_END:
		break;
	case PT_WINDOW_OPEN:
		s->openings[mark->id]++;
		return 0;
	case PT_SIGNAL:
		t = find_thread_if_alive(s, s->running);
		if (t)
			t->next_addr = 0;
		return 0;
	case PT_MARK:
		if (!al_marks_find(&s->recovery.blocks.marks, mark->id))
			al_verify_count_and_print_fault(
				v, "mark %" PRIu32 " has no name", mark->id);
		return 0;
	default:
		return 0;
	}
	t = find_thread_if_alive(s, mark->id);
	if (!t) {
		al_verify_count_and_print_fault(
			v, "thread %" PRIu32 " %s, but is not alive", mark->id,
			mark->kind == PT_THREAD ? "runs" : "ends");
		s->is_incomplete = true;
	} else if (mark->kind == PT_THREAD_END) {
		t->is_alive = false;
	}
	return 0;
}

/* ---- control flow ---- */

/* Whether a block of code that the log describes begins at @address. */
static bool is_start_of_described_block(const struct al_checked_stream *s,
					uint64_t address)
{
	const struct al_blocks *b = &s->recovery.blocks;

	for (uint32_t i = 0; i < b->n; i++)
		if (b->desc[i]->instr[0].addr == address)
			return true;
	return false;
}

/* Report a fault for an execution at @executed_address where control flow leads
   to @expected_address, unless there was one before for this @expected_address,
   reported or not. Valgrind redirects calls of functions that it replaces, so
   this is a fault only if a described block begins at @expected_address.
   Return: 0; -ENOMEM. */
static int report_wrong_flow_once_per_expected_addr(struct al_verifier *v,
						    struct al_checked_stream *s,
						    uint64_t expected_address,
						    uint64_t executed_address)
{
	uint32_t number;
	bool is_new;
	int err = al_key_table_find_or_add_pair(
		&s->redirected, expected_address, 0, &number, &is_new);

	if (err || !is_new || !is_start_of_described_block(s, expected_address))
		return err;
	al_verify_count_and_print_fault(
		v, "execution continues at %#" PRIx64 " instead of %#" PRIx64,
		executed_address, expected_address);
	s->is_incomplete = true;
	return 0;
}

/* Report a fault if the object (the mapped file) that holds the executed block
   @d was unmapped, according to the log, before the descriptor of a block
   executed earlier was written. Also raise s->required_log to the end of the
   descriptor of @d. A block inherited at a fork is not checked: it belongs to
   the log of another stream. */
static void report_if_executed_object_was_unmapped(struct al_verifier *v,
						   struct al_checked_stream *s,
						   const struct al_desc *d)
{
	const struct al_mapping *m = d->mapping;

	if (d->first_route < s->inherited_routes)
		return;
	if (d->log_end > s->required_log)
		s->required_log = d->log_end;
	if (!m || m->log_end >= s->required_log)
		return;
	al_verify_count_and_print_fault(v,
					"code at %#" PRIx64
					" is executed after its object was "
					"unmapped",
					d->instr[0].addr);
	s->is_incomplete = true;
}

/* Report a fault if the running thread is not alive, the object of the code is
   unmapped, or the code is not where the thread must continue. Then set the
   address at which it must continue. Return: 0; -ENOMEM. */
static int check_execution_and_set_next_addr(struct al_verifier *v,
					     struct al_checked_stream *s,
					     struct an_exec e)
{
	const struct al_desc *d = s->recovery.executed.block[e.block]->desc;
	const struct pt_exit *exit = &d->exit[an_exec_exit_number(e)];
	struct al_checked_thread *t = find_thread_if_alive(s, s->running);
	uint64_t from;

	if (!t) {
		al_verify_count_and_print_fault(
			v,
			"code is executed by thread %" PRIu32
			", which is not alive",
			s->running);
		s->is_incomplete = true;
		return 0;
	}
	report_if_executed_object_was_unmapped(v, s, d);
	from = t->next_addr;
	t->next_addr =
		exit->jump == PT_JUMP_BORING || exit->jump == PT_JUMP_CALL
			? exit->target
			: 0;
	return from && from != d->instr[0].addr && !s->has_windows
		       ? report_wrong_flow_once_per_expected_addr(
				 v, s, from, d->instr[0].addr)
		       : 0;
}

static int check_chunk_marks_and_executions(struct al_verifier *v,
					    struct al_checked_stream *s)
{
	const struct al_recovered_chunk *p = &s->chunk;
	size_t m = 0;
	int err = 0;

	for (size_t i = 0; i <= p->n_execs && !err && !s->is_incomplete; i++) {
		while (!err && m < p->n_marks && p->mark[m].before_exec == i)
			err = check_mark_and_update_stream(v, s, &p->mark[m++]);
		if (!err && !s->is_incomplete && i < p->n_execs)
			err = check_execution_and_set_next_addr(v, s,
								p->exec[i]);
	}
	return err;
}

/* ---- heads ---- */

/* Report a fault if the threads or the number of marks (control units) in the
   chunk's head @h differ from those of its units. @first_thread_number: number
   of the thread that runs at the chunk's start. */
static void check_head_threads_and_number_of_marks(
	struct al_verifier *v, const struct al_checked_stream *s,
	const struct pf_head *h, uint32_t first_thread_number)
{
	const struct al_recovered_chunk *p = &s->chunk;
	uint64_t threads =
		pf_thread_mask_bit_64_and_above_shared(first_thread_number);

	for (size_t i = 0; i < p->n_marks; i++)
		if (p->mark[i].kind == PT_THREAD && p->mark[i].id)
			threads |= pf_thread_mask_bit_64_and_above_shared(
				p->mark[i].id);
	if (h->thread != first_thread_number || h->threads != threads ||
	    h->marks != al_recovered_chunk_count_profile_marks(p))
		al_verify_count_and_print_fault(
			v, "its head and its units differ in their threads or "
			   "number of marks");
}

static bool are_counts_equal(const struct pf_counts *a,
			     const struct pf_counts *b)
{
	return a->instructions == b->instructions && a->reads == b->reads &&
	       a->writes == b->writes && a->modifies == b->modifies;
}

static void add_counts(struct pf_counts *to, const struct pf_counts *c)
{
	to->instructions += c->instructions;
	to->reads += c->reads;
	to->writes += c->writes;
	to->modifies += c->modifies;
}

/* Report a fault if the chunk's head has wrong counts of the chunk, or of the
   chunks before it. */
static void check_head_counts(struct al_verifier *v,
			      struct al_checked_stream *s,
			      const struct pf_head *h)
{
	if (!are_counts_equal(&h->counts, &s->chunk.counts))
		al_verify_count_and_print_fault(
			v,
			"its head counts %" PRIu64 " instructions, %" PRIu64
			" reads, %" PRIu64 " writes, its units are %" PRIu64
			", %" PRIu64 ", %" PRIu64,
			h->counts.instructions, h->counts.reads,
			h->counts.writes, s->chunk.counts.instructions,
			s->chunk.counts.reads, s->chunk.counts.writes);
	if (!are_counts_equal(&h->before, &s->totals))
		al_verify_count_and_print_fault(
			v, "its head has wrong totals of the chunks before it");
}

/* ---- a chunk ---- */

/* Load the chunk in block @e and decode its units into v->words. Return: 0;
   -EBADMSG: damaged, which was reported as a fault; another -errno. */
static int load_chunk_units_or_report_fault(struct al_verifier *v,
					    const struct pf_entry *e)
{
	size_t bytes = e->head.words + 16; /* al_recover_units() may read 16
					      bytes after the units */
	const void *payload;
	int err;

	if (v->words_size < bytes) {
		free(v->words);
		v->words = malloc(bytes);
		v->words_size = v->words ? bytes : 0;
	}
	if (!v->words)
		return -ENOMEM;
	err = al_verify_load_payload_or_report(v, e, &payload);
	if (err)
		return err;
	memset((char *)v->words + e->head.words, 0, 16);
	err = e->head.words % 4
		      ? -EBADMSG
		      : pf_decode_chunk(v->coder, payload, e->head.bytes,
					v->words, e->head.words);
	if (err == -EBADMSG)
		al_verify_count_and_print_fault(v,
						"its units cannot be decoded");
	return err;
}

/* Recover the executions, control units and counts of the chunk from the units
   in v->words. Return: 0; -EPROTO: a unit contradicts the descriptors,
   which is a fault unless the profile may lack blocks; another -errno. */
static int recover_chunk_executions_and_counts(struct al_verifier *v,
					       struct al_checked_stream *s,
					       size_t unit_bytes)
{
	struct al_recovered_chunk *p = &s->chunk;
	struct al_unit_reader c = {(const uint32_t *)v->words, 0,
				   unit_bytes / 4};
	int err;

	p->base = c.base;
	p->bytes = unit_bytes;
	err = al_recovered_chunk_clear_and_reserve(p);
	if (!err && unit_bytes)
		err = al_recover_units(&s->recoverer, &c, p);
	if (err == -EPROTO && !al_verify_is_missing_block_allowed(v))
		al_verify_count_and_print_fault(
			v,
			"the unit %zu bytes into the chunk does not match a "
			"known block",
			4 * c.next);
	return err ? err
		   : al_recoverer_set_counts_and_far_pages(&s->recoverer, p);
}

/* If the chunk is not the next one of its stream, set is_incomplete, and report
   a fault unless the profile may lack blocks. */
static void check_chunk_number_is_next(struct al_verifier *v,
				       struct al_checked_stream *s,
				       const struct pf_head *h)
{
	if (h->position == s->n_chunks)
		return;
	s->is_incomplete = true;
	if (!al_verify_is_missing_block_allowed(v))
		al_verify_count_and_print_fault(
			v, "expected chunk %" PRIu64 ", found %" PRIu64,
			s->n_chunks, h->position);
}

int al_verify_check_next_chunk(struct al_verifier *v,
			       struct al_checked_stream *s,
			       const struct pf_entry *e)
{
	const struct pf_head *h = &e->head;
	uint32_t first = s->running;
	int err = load_chunk_units_or_report_fault(v, e);

	check_chunk_number_is_next(v, s, h);
	s->n_chunks = h->position + 1;
	if (err)
		s->is_incomplete = true;
	if (s->is_incomplete)
		return err;
	err = recover_chunk_executions_and_counts(v, s, h->words);
	if (err) {
		s->is_incomplete = true;
		return err == -EPROTO ? 0 : err;
	}
	check_head_counts(v, s, h);
	add_counts(&s->totals, &s->chunk.counts);
	check_head_threads_and_number_of_marks(v, s, h, first);
	al_verify_check_head_extents(v, s, &h->touched);
	return check_chunk_marks_and_executions(v, s);
}
