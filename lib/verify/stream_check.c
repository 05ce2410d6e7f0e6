/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream_check.c - checks the streams of a profile; see verify_state.h */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/process_plan.h"
#include "lib/recover/counts.h"
#include "lib/verify/verify_state.h"
#include "profile/format/facts.h"

static void decode_and_check_image_record(struct al_verifier *v,
					  const void *payload, size_t bytes,
					  struct pf_image *s)
{
	if (pf_image_facts_decode(payload, bytes, s))
		al_verify_count_and_print_fault(v, "its records are invalid");
	else if (!s->has_process || !s->number || !s->has_command)
		al_verify_count_and_print_fault(
			v, "it has no process, or no command");
}

/* ---- a stream ---- */

static void free_checking_state(struct al_checked_stream *s)
{
	al_recoverer_release(&s->recoverer);
	s->recoverer = (struct al_recoverer){0};
	al_recovered_chunk_release(&s->chunk);
	al_key_table_release(&s->redirected);
	free(s->thread);
	s->thread = NULL;
	s->n_threads = 0;
}

static void free_checked_stream(struct al_checked_stream *s)
{
	if (!s)
		return;
	free_checking_state(s);
	al_recovery_release(&s->recovery);
	free(s);
}

static struct al_checked_stream *
alloc_unstored_checked_stream(struct al_verifier *v)
{
	struct al_checked_stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	al_recovery_init(&s->recovery, al_symbols_intern_table(v->symbols));
	s->recoverer.recovery = &s->recovery;
	s->running = 1;
	return s;
}

static struct al_checked_stream *find_stream(const struct al_verifier *v,
					     uint64_t stream_number)
{
	return stream_number < v->n_streams ? v->stream[stream_number] : NULL;
}

static int borrow_parent_blocks_or_report(struct al_verifier *v,
					  struct al_checked_stream *s,
					  const struct pf_image *start)
{
	const struct al_checked_stream *parent = find_stream(v, start->fork_of);
	int err = -EPROTO;

	if (parent && start->n_blocks <= UINT32_MAX)
		err = al_blocks_borrow_blocks_and_mappings(
			&s->recovery.blocks, &parent->recovery.blocks,
			(uint32_t)start->n_blocks, start->fork_log);
	s->inherited_routes = s->recovery.blocks.n_routes;
	if (err != -EPROTO)
		return err;
	s->is_incomplete = true;
	if (!al_verify_is_missing_block_allowed(v) &&
	    !(parent && parent->is_incomplete))
		al_verify_count_and_print_fault(
			v, "its parent stream, or code inherited from it, is "
			   "missing");
	return 0;
}

static int
apply_image_plan_or_report_invalid(struct al_verifier *v,
				   struct al_checked_stream *s,
				   const struct pf_image *image_record)
{
	struct pt_plan *plan;

	if (!image_record->plan)
		return 0;
	s->has_windows = true;
	plan = al_process_plan_copy_if_valid(image_record->plan,
					     image_record->plan_bytes);
	if (plan)
		al_recovery_set_thread_filters_from_plan(&s->recovery, plan);
	else if (errno == ENOMEM)
		return -ENOMEM;
	else
		al_verify_count_and_print_fault(
			v, "its recording plan is invalid");
	s->is_incomplete |= !plan;
	free(plan);
	return 0;
}

static int store_stream(struct al_verifier *v, uint32_t stream_number,
			struct al_checked_stream *s)
{
	void *bigger = realloc(v->stream, (stream_number + 1) * sizeof(s));

	if (!bigger)
		return -ENOMEM;
	v->stream = bigger;
	while (v->n_streams <= stream_number)
		v->stream[v->n_streams++] = NULL;
	v->stream[stream_number] = s;
	return 0;
}

/* Whether the stream number of @e is the next number or, in a profile that is
   lossy or truncated and so may lack streams, at most 2^16 larger (2^24 larger
   if @e has sequence number 2^20 or above). */
static bool is_stream_number_next_or_after_missing(const struct al_verifier *v,
						   const struct pf_entry *e)
{
	uint32_t most = v->n_streams;

	if (al_verify_is_missing_block_allowed(v))
		most += e->head.sequence < 1 << 20 ? 1 << 16 : 1 << 24;
	return e->head.stream >= v->n_streams && e->head.stream <= most;
}

static int check_and_begin_stream(struct al_verifier *v,
				  const struct pf_entry *e, const void *payload)
{
	struct pf_image start;
	struct al_checked_stream *s;
	int err = 0;

	if (!is_stream_number_next_or_after_missing(v, e)) {
		al_verify_count_and_print_fault(
			v, "expected stream %" PRIu32 ", found %" PRIu32,
			v->n_streams, e->head.stream);
		return 0;
	}
	decode_and_check_image_record(v, payload, e->head.bytes, &start);
	s = alloc_unstored_checked_stream(v);
	if (!s)
		return -ENOMEM;
	s->last_end_ns = e->head.begin_ns;
	if (start.forked)
		err = borrow_parent_blocks_or_report(v, s, &start);
	if (!err)
		err = apply_image_plan_or_report_invalid(v, s, &start);
	if (!err)
		err = store_stream(v, e->head.stream, s);
	if (err)
		free_checked_stream(s);
	return err;
}

/* ---- blocks of a stream ---- */

static int apply_log_block_or_report_damage(struct al_verifier *v,
					    struct al_checked_stream *s,
					    const struct pf_entry *e,
					    const void *payload)
{
	const struct pf_head *h = &e->head;
	int err;

	if (h->position != s->log_bytes) {
		s->is_incomplete = true;
		if (!al_verify_is_missing_block_allowed(v))
			al_verify_count_and_print_fault(
				v,
				"expected log byte %" PRIu64 ", found %" PRIu64,
				s->log_bytes, h->position);
	}
	s->log_bytes = h->position + h->bytes;
	if (s->is_incomplete)
		return 0;
	err = al_blocks_parse_and_store_log(&s->recovery.blocks, payload,
					    h->bytes);
	if (err != -EPROTO)
		return err;
	s->is_incomplete = true;
	al_verify_count_and_print_fault(v, "descriptors contradict each other");
	return 0;
}

/* Report a fault if the end of the stream has another number of windows than
   its plan, or else for each window whose counts there differ from the counts
   of the stream's units. Do nothing if the stream has no windows or is
   incomplete, or if the profile states that it is: its last units may be
   missing. */
static void check_window_counts_at_end(struct al_verifier *v,
				       struct al_checked_stream *s,
				       const struct pf_end *end)
{
	struct al_window_counts c[PT_MAX_WINDOWS] = {{0}};

	if (!s->has_windows || s->is_incomplete ||
	    v->stated_status != AL_VERIFY_COMPLETE)
		return;
	if (end->n_windows != s->recovery.lanes.n_windows) {
		al_verify_count_and_print_fault(
			v, "its end has %zu windows, its plan %u",
			end->n_windows, (unsigned)s->recovery.lanes.n_windows);
		return;
	}
	al_recoverer_add_counts_to_blocks(&s->recoverer);
	al_counts_add_executed_by_window(c, &s->recovery.executed);
	for (size_t i = 0; i < end->n_windows; i++) {
		struct pf_window w;
		const struct pf_window is = {
			s->openings[i],
			{c[i].instructions, c[i].reads, c[i].writes,
			 c[i].modifies},
		};

		memcpy(&w, (const char *)end->windows + i * sizeof(w),
		       sizeof(w));
		if (memcmp(&w, &is, sizeof(w)))
			al_verify_count_and_print_fault(
				v,
				"its end and its units have different counts "
				"of window %zu",
				i + 1);
	}
}

static void check_end_block_and_end_stream(struct al_verifier *v,
					   struct al_checked_stream *s,
					   const struct pf_entry *e,
					   const void *payload)
{
	struct pf_end end;

	if (pf_stream_end_facts_decode(payload, e->head.bytes, &end))
		al_verify_count_and_print_fault(v, "its records are invalid");
	if (end.ending > PF_EXECED)
		al_verify_count_and_print_fault(
			v, "its kind of process end, %" PRIu64 ", is unknown",
			end.ending);
	if (end.lossy && v->worst_status < AL_VERIFY_LOSSY)
		v->worst_status = AL_VERIFY_LOSSY;
	if (end.truncated)
		v->worst_status = AL_VERIFY_TRUNCATED;
	check_window_counts_at_end(v, s, &end);
	free_checking_state(s);
	s->has_ended = true;
}

/* Report a fault if block @e ends before the last block of the stream ended,
   and store its end. Do nothing for a block of log, which has no time. */
static void check_and_store_end_time_of_block(struct al_verifier *v,
					      struct al_checked_stream *s,
					      const struct pf_entry *e)
{
	if (e->head.kind == PF_LOG)
		return;
	if (e->head.end_ns < s->last_end_ns)
		al_verify_count_and_print_fault(
			v, "its end time is before that of the preceding block "
			   "of its stream");
	s->last_end_ns = e->head.end_ns;
}

static int check_stream_block_by_kind(struct al_verifier *v,
				      struct al_checked_stream *s,
				      const struct pf_entry *e)
{
	const void *payload;
	int err;

	check_and_store_end_time_of_block(v, s, e);
	if (e->head.kind == PF_UNITS)
		return al_verify_check_next_chunk(v, s, e);
	err = al_verify_load_payload_or_report(v, e, &payload);
	if (err)
		return err;
	if (e->head.kind == PF_LOG)
		return apply_log_block_or_report_damage(v, s, e, payload);
	check_end_block_and_end_stream(v, s, e, payload);
	return 0;
}

int al_verify_check_and_report_stream_block(struct al_verifier *v,
					    const struct pf_entry *e)
{
	struct al_checked_stream *s = find_stream(v, e->head.stream);
	const void *payload;
	int err;

	if (e->head.kind != PF_IMAGE && s && !s->has_ended)
		return check_stream_block_by_kind(v, s, e);
	err = al_verify_load_payload_or_report(v, e, &payload);
	if (err)
		return err;
	if (e->head.kind == PF_IMAGE)
		return check_and_begin_stream(v, e, payload);
	if (s)
		al_verify_count_and_print_fault(v, "its stream has ended");
	else if (!al_verify_is_missing_block_allowed(v))
		al_verify_count_and_print_fault(v, "its stream has not begun");
	return 0;
}

void al_verify_report_unended_streams(struct al_verifier *v)
{
	for (uint32_t i = 0; i < v->n_streams; i++)
		if (v->stream[i] && !v->stream[i]->has_ended &&
		    !al_verify_is_missing_block_allowed(v))
			al_verify_count_and_print_fault(
				v, "stream %" PRIu32 " does not end", i);
}

void al_verify_streams_free(struct al_verifier *v)
{
	for (uint32_t i = 0; i < v->n_streams; i++)
		free_checked_stream(v->stream[i]);
	free(v->stream);
}
