/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream_writer.c - writes one stream into a recording; see recording.h */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/recover/counts.h"
#include "lib/record/recording_state.h"
#include "lib/recover/executed_blocks.h"
#include "lib/recover/page_index.h"
#include "lib/recover/recovered_chunk.h"
#include "lib/symbols/perf_map.h"

/* Length [bytes] of log that may wait in memory for the next chunk. When more
   log would exceed it, the log that waits is first added to the queue. */
enum { MAX_WAITING_LOG = 1 << 20 };

static void add_strings_of_null_ended_array(struct pf_records *a,
					    const char *const *strings)
{
	for (; *strings != NULL; strings++)
		pf_records_append_string_to_fact(a, *strings);
}

static void queue_image_start_block(struct al_stream_writer *t,
				    const struct al_stream_writer_start *s)
{
	struct pf_records a = {0};

	pf_records_begin_fact(&a, PF_PROCESS);
	pf_records_append_u64_to_fact(&a, (uint64_t)s->pid);
	pf_records_append_u64_to_fact(&a, s->tree);
	pf_records_append_u64_to_fact(&a, s->number);
	pf_records_append_u64_to_fact(&a, s->parent);
	pf_records_begin_fact(&a, PF_COMMAND);
	add_strings_of_null_ended_array(&a, s->argv);
	if (s->directory != NULL) {
		pf_records_begin_fact(&a, PF_DIRECTORY);
		pf_records_append_string_to_fact(&a, s->directory);
	}
	if (s->valgrind != NULL) {
		pf_records_begin_fact(&a, PF_VALGRIND);
		pf_records_append_string_to_fact(&a, s->valgrind);
	}
	pf_records_begin_fact(&a, PF_FIELDS);
	pf_records_append_u64_to_fact(&a, s->fields);
	if (s->plan != NULL) {
		pf_records_begin_fact(&a, PF_PLAN);
		pf_records_append_raw_to_fact(&a, s->plan, s->plan->bytes);
	}
	if (s->fork_parent != NULL) {
		pf_records_begin_fact(&a, PF_FORK);
		pf_records_append_u64_to_fact(&a, s->fork_parent->stream);
		pf_records_append_u64_to_fact(&a, s->n_blocks);
		pf_records_append_u64_to_fact(&a, s->fork_log_bytes);
	}
	al_recording_queue_and_release_records(t->recording, PF_IMAGE,
					       t->stream, &a);
}

/* Add the waiting log to the writer's queue. Context: lock held. */
static void queue_waiting_log(struct al_stream_writer *t)
{
	struct pf_head head = {
		.kind = PF_LOG,
		.stream = t->stream,
		.position = t->queued_log_bytes,
	};

	if (t->log_bytes == 0)
		return;
	al_recording_compress_and_queue_block(t->recording, &head, t->log,
					      t->log_bytes);
	t->queued_log_bytes += t->log_bytes;
	t->log_bytes = 0;
}

void al_stream_writer_queue_waiting_log(struct al_stream_writer *t)
{
	pthread_mutex_lock(&t->lock);
	queue_waiting_log(t);
	pthread_mutex_unlock(&t->lock);
}

struct al_stream_writer *
al_recording_start_image_stream(struct al_recording *r,
				const struct al_stream_writer_start *start)
{
	struct al_stream_writer *t = calloc(1, sizeof(*t));

	if (t == NULL) {
		al_recording_fail_and_drop_queue(r, -ENOMEM);
		return NULL;
	}
	pthread_mutex_init(&t->lock, NULL);
	t->recording = r;
	t->thread = 1;
	t->last_begin_ns = al_recording_elapsed_ns(r);
	if (start->fork_parent != NULL)
		al_stream_writer_queue_waiting_log(start->fork_parent);
	pthread_mutex_lock(&r->lock);
	t->stream = r->n_streams++;
	pthread_mutex_unlock(&r->lock);
	queue_image_start_block(t, start);
	return t;
}

/* Make room for @additional_bytes after the log that waits. Return: 0; -ENOMEM.
   Context: lock held. */
static int reserve_more_log_bytes(struct al_stream_writer *t,
				  size_t additional_bytes)
{
	return al_array_reserve(t->log, t->log_size,
				t->log_bytes + additional_bytes);
}

void al_stream_writer_add_log(struct al_stream_writer *t, const void *log,
			      size_t bytes)
{
	bool is_full;
	int err;

	pthread_mutex_lock(&t->lock);
	is_full = t->log_bytes + bytes > MAX_WAITING_LOG;
	if (is_full)
		queue_waiting_log(t);
	err = reserve_more_log_bytes(t, bytes);
	if (!err) {
		memcpy(t->log + t->log_bytes, log, bytes);
		t->log_bytes += bytes;
	}
	pthread_mutex_unlock(&t->lock);
	if (err)
		al_recording_fail_and_drop_queue(t->recording, err);
	if (is_full)
		al_recording_write_queue_down_to_max(t->recording);
}

/* Make the packer's list of unit headers long enough for a chunk of
   @chunk_bytes; if it is enlarged, its contents are lost. Return: 0;
   -ENOMEM. */
static int reserve_headers_for_chunk_bytes(struct al_packer *p,
					   size_t chunk_bytes)
{
	size_t size = pf_max_unit_headers_in_bytes(chunk_bytes);

	if (p->headers_size >= size)
		return 0;
	free(p->coded_units.header);
	p->coded_units.header = malloc(size * sizeof(p->coded_units.header[0]));
	p->headers_size = p->coded_units.header ? size : 0;
	return p->coded_units.header ? 0 : -ENOMEM;
}

/* Encode the units at @words, @bytes long, into p->code, and collect their
   headers and pages in p->coded_units. @encoded_bytes: receives the length of
   the code. Return: 0; -EPROTO: they cannot be encoded; -ENOMEM. */
static int encode_units_into_packer_code(struct al_packer *p, const void *words,
					 size_t bytes, size_t *encoded_bytes)
{
	size_t bound = pf_max_code_bytes(bytes);

	if (reserve_headers_for_chunk_bytes(p, bytes) != 0)
		return -ENOMEM;
	pf_coder_set_content_output(p->coder, &p->coded_units);
	if (p->code_size < bound) {
		free(p->code);
		p->code = malloc(bound);
		p->code_size = p->code ? bound : 0;
	}
	if (p->code == NULL)
		return -ENOMEM;
	*encoded_bytes = pf_encode_chunk(p->coder, words, bytes, p->code);
	return *encoded_bytes ? 0 : -EPROTO;
}

/* Encode and compress the recovered units of a chunk into a new block. The
   chunk's first unit, its PT_CHUNK header, is left out, because the head of the
   block replaces it. Return: 0 with @out; -errno. */
static int encode_and_compress_chunk(struct al_packer *p,
				     struct al_page_index *page_index,
				     const struct al_recovered_chunk *c,
				     uint32_t stream_number,
				     struct pf_block **out)
{
	struct pf_head head = {
		.kind = PF_UNITS,
		.stream = stream_number,
		.words = c->recovered_bytes - PT_CHUNK_HEAD,
		.counts = c->counts,
	};
	struct pf_packed packed;
	size_t code_bytes;
	int err = encode_units_into_packer_code(
		p, (const char *)c->base + PT_CHUNK_HEAD, head.words,
		&code_bytes);

	if (!err)
		err = al_page_index_compute_chunk_extents(
			page_index, c, &p->coded_units, &head.touched);
	if (!err)
		err = pf_pack_payload(p->packer, &head, p->code, code_bytes,
				      &packed);
	if (err)
		return err;
	*out = pf_block_new_copy(&packed);
	return *out ? 0 : -ENOMEM;
}

static bool has_units(const struct al_recovered_chunk *c)
{
	return c->recovered_bytes > PT_CHUNK_HEAD;
}

int al_stream_writer_pack_chunk(struct al_stream_writer *t,
				struct al_page_index *page_list_cache,
				const struct al_recovered_chunk *c,
				struct pf_block **block_or_null)
{
	struct al_recording *r = t->recording;
	struct al_packer *p;
	int err;

	*block_or_null = NULL;
	if (!has_units(c) || al_recording_error(r))
		return 0;
	p = al_packer_acquire_idle_or_new(r);
	err = p && page_list_cache
		      ? encode_and_compress_chunk(p, page_list_cache, c,
						  t->stream, block_or_null)
		      : -ENOMEM;
	al_packer_release_to_idle_list(r, p);
	if (err != -ENOMEM)
		return err;
	al_recording_fail_and_drop_queue(r, err);
	return 0;
}

static void add_chunk_counts(struct pf_counts *to, const struct pf_counts *c)
{
	to->instructions += c->instructions;
	to->reads += c->reads;
	to->writes += c->writes;
	to->modifies += c->modifies;
}

/* Set in @head the thread that runs at the start of the chunk, the set of
   threads that run in it, and the number that
   al_recovered_chunk_count_profile_marks() counts. Set t->thread to the thread
   that runs at its end. */
static void set_head_threads_and_mark_count(struct al_stream_writer *t,
					    const struct al_recovered_chunk *c,
					    struct pf_head *head)
{
	head->thread = t->thread;
	head->threads = pf_thread_mask_bit_64_and_above_shared(t->thread);
	for (size_t i = 0; i < c->n_marks; i++)
		if (c->mark[i].kind == PT_THREAD && c->mark[i].id > 0) {
			t->thread = c->mark[i].id;
			head->threads |= pf_thread_mask_bit_64_and_above_shared(
				t->thread);
		}
	head->marks = (uint32_t)al_recovered_chunk_count_profile_marks(c);
}

/* Set the members of @head that encoding did not set: position, sums before the
   chunk, times, threads and marks. Add the chunk to the number and sums of
   chunks in @t. */
static void
set_head_position_times_marks_add_totals(struct al_stream_writer *t,
					 const struct al_recovered_chunk *c,
					 struct pf_head *head)
{
	head->position = t->chunks++;
	head->before = t->totals;
	head->begin_ns = t->last_begin_ns;
	head->end_ns = t->last_begin_ns =
		al_recording_ns_since_start(t->recording, c->begin_ns);
	set_head_threads_and_mark_count(t, c, head);
	add_chunk_counts(&t->totals, &head->counts);
}

void al_stream_writer_queue_block_of_chunk(
	struct al_stream_writer *t, const struct al_recovered_chunk *c,
	struct pf_block *block_null_if_empty_or_failed)
{
	struct al_recording *r = t->recording;

	al_stream_writer_queue_waiting_log(t);
	t->has_gap |= block_null_if_empty_or_failed == NULL && has_units(c);
	if (block_null_if_empty_or_failed != NULL && !t->has_gap) {
		set_head_position_times_marks_add_totals(
			t, c, &block_null_if_empty_or_failed->packed.head);
		pf_writer_queue_or_free_if_failed(
			r->writer, block_null_if_empty_or_failed);
		block_null_if_empty_or_failed = NULL;
	}
	free(block_null_if_empty_or_failed);
	al_recording_write_queue_down_to_max(r);
}

void al_stream_writer_add_missing_names(struct al_stream_writer *t,
					const struct al_executed *x,
					const struct al_site_code *sites,
					struct al_symbols *symbols)
{
	struct al_recording *r = t->recording;
	struct al_unnamed_code code = {.executed = x, .sites = sites};
	int more = 1;

	while (more > 0 && !al_recording_error(r)) {
		struct pf_records a = {0};

		pthread_mutex_lock(&r->names_lock);
		more = al_name_table_append_names_return_more(
			&r->name_table, &code, symbols, &a);
		if (a.bytes > 0)
			al_recording_queue_and_release_records(
				r, PF_NAMES, PF_NO_STREAM, &a);
		pthread_mutex_unlock(&r->names_lock);
		al_recording_write_queue_down_to_max(r);
	}
	if (more < 0)
		al_recording_fail_and_drop_queue(r, more);
}

static void append_window_counts(struct pf_records *a,
				 const struct al_stream_writer_end *e)
{
	if (e->n_windows > 0)
		pf_records_begin_fact(a, PF_WINDOWS);
	for (size_t i = 0; i < e->n_windows; i++) {
		const struct al_window_counts *c = &e->window[i];
		const struct pf_window w = {
			c->openings,
			{c->instructions, c->reads, c->writes, c->modifies},
		};

		pf_records_append_raw_to_fact(a, &w, sizeof(w));
	}
}

/* Append a fact PF_MADE for each name of code made at run time, in the order of
   the process's perf map or jitdump file, so that a reader can prefer the later
   of two names of one address. Append none if memory is short. */
static void
append_runtime_names_in_line_order(struct pf_records *a,
				   const struct al_perfmap *jit_names)
{
	const struct al_perfname **by_line;

	by_line = calloc(jit_names->n + 1, sizeof(struct al_perfname *));
	if (by_line == NULL)
		return;
	for (size_t i = 0; i < jit_names->n; i++)
		by_line[jit_names->item[i].order] = &jit_names->item[i];
	for (size_t i = 0; i < jit_names->n; i++) {
		pf_records_begin_fact(a, PF_MADE);
		pf_records_append_u64_to_fact(a, by_line[i]->start);
		pf_records_append_u64_to_fact(a, by_line[i]->size);
		pf_records_append_string_to_fact(a, by_line[i]->name);
	}
	free(by_line);
}

static void append_image_end_facts(struct pf_records *a,
				   const struct al_stream_writer_end *e)
{
	if (e->ending) {
		pf_records_begin_fact(a, PF_ENDING);
		pf_records_append_u64_to_fact(a, e->ending);
		pf_records_append_u64_to_fact(a, e->value);
	}
	if (e->lossy != NULL) {
		pf_records_begin_fact(a, PF_LOST);
		pf_records_append_u64_to_fact(a, e->lost_accesses);
		pf_records_append_string_to_fact(a, e->lossy);
	}
	if (e->truncated != NULL) {
		pf_records_begin_fact(a, PF_CUT_SHORT);
		pf_records_append_string_to_fact(a, e->truncated);
	}
	if (e->title != NULL) {
		pf_records_begin_fact(a, PF_TITLE);
		pf_records_append_string_to_fact(a, e->title);
	}
	if (e->lost_messages > 0) {
		pf_records_begin_fact(a, PF_LOST_MESSAGES);
		pf_records_append_u64_to_fact(a, e->lost_messages);
	}
	if (e->environment_hash > 0) {
		pf_records_begin_fact(a, PF_VARIABLES);
		pf_records_append_u64_to_fact(a, e->variables);
		pf_records_append_u64_to_fact(a, e->environment_bytes);
		pf_records_append_u64_to_fact(a, e->environment_hash);
	}
	pf_records_begin_fact(a, PF_WAITED);
	pf_records_append_u64_to_fact(a, e->wait_ns);
	pf_records_append_u64_to_fact(a, e->waits);
	pf_records_begin_fact(a, PF_BUFFERS);
	pf_records_append_u64_to_fact(a, e->buffers);
	pf_records_append_u64_to_fact(a, e->buffer_bytes);
	pf_records_begin_fact(a, PF_MET);
	pf_records_append_u64_to_fact(a, e->threads);
	pf_records_append_u64_to_fact(a, e->signals);
	append_window_counts(a, e);
	if (e->jit_names != NULL)
		append_runtime_names_in_line_order(a, e->jit_names);
}

void al_stream_writer_append_image_end(struct al_stream_writer *t,
				       const struct al_stream_writer_end *end)
{
	struct pf_records a = {0};

	al_stream_writer_queue_waiting_log(t);
	append_image_end_facts(&a, end);
	al_recording_queue_and_release_records(t->recording, PF_END, t->stream,
					       &a);
}

void al_stream_writer_free(struct al_stream_writer *t)
{
	if (t == NULL)
		return;
	pthread_mutex_destroy(&t->lock);
	free(t->log);
	free(t);
}
