/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.c - reads the records about the run, its images and their ends
 */
#include "liballeria/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "liballeria/windows.h"
#include "profile/format/facts.h"
#include "proto/hello.h"

/* Read one record of a block into the profile or into the last argument.
   Return: false if the record is malformed. */
typedef bool read_fn(struct alleria_profile *, struct pf_fact_reader *, void *);

/* Call @read_one for each record of file block @entry_index, also for those
   after a malformed one. Return: 0; -EBADMSG: at least one record is malformed;
   another -errno of reading. */
static int read_all_records_of_block(struct alleria_profile *p,
				     uint32_t entry_index, read_fn *read_one,
				     void *arg)
{
	struct pf_fact_reader f;
	const void *payload;
	size_t offset = 0;
	bool all_valid = true;
	int err = ap_load_block(p, entry_index, &payload), result;

	if (err)
		return err;
	while ((result = pf_records_read_next_fact_or_0_at_end(
			payload, ap_entry_head(p, entry_index)->bytes, &offset,
			&f)) > 0)
		all_valid &= read_one(p, &f, arg);
	return result < 0 || !all_valid ? -EBADMSG : 0;
}

static bool read_and_intern_string(struct alleria_profile *p,
				   struct pf_fact_reader *f, const char **to)
{
	const char *string;

	if (!pf_fact_read_string(f, &string))
		return false;
	*to = ap_intern_or_question_marks(p, string);
	return true;
}

/* Read all strings up to the end of a record into a new list, and replace *@to
   by it; the old list is freed. Return: false if the last string has no end;
   then, too, the list is replaced. If memory is short, *@to is unchanged and
   true is returned. */
static bool read_string_list(struct alleria_profile *p,
			     struct pf_fact_reader *f, const char *const **to)
{
	size_t max = (size_t)(f->end - f->pos) + 1, n = 0;
	const char **list = NULL;

	for (const char *c = f->pos; c < f->end; c++)
		n += *c == 0;
	if (n < max)
		list = calloc(n + 1, sizeof(*list));
	if (!list)
		return true;
	for (size_t i = 0; i < n; i++)
		read_and_intern_string(p, f, &list[i]);
	if (*to != ap_no_strings)
		free((void *)*to);
	*to = list;
	return f->pos == f->end;
}

static bool read_number_truncate_to_u32(struct pf_fact_reader *f, uint32_t *to)
{
	uint64_t n;

	if (!pf_fact_read_u64(f, &n))
		return false;
	*to = (uint32_t)n;
	return true;
}

/* ---- the run ---- */
static bool read_run_fact_return_is_valid(struct alleria_profile *p,
					  struct pf_fact_reader *f,
					  void *unused_arg)
{
	struct alleria_run *r = &p->run;

	(void)unused_arg;
	switch (f->kind) {
	case PF_VERSION:
		return read_and_intern_string(p, f, &r->version);
	case PF_STARTED:
		return pf_fact_read_u64(f, &r->started_ns);
	case PF_MACHINE:
		return read_and_intern_string(p, f, &r->system) &&
		       read_and_intern_string(p, f, &r->release) &&
		       read_and_intern_string(p, f, &r->machine) &&
		       read_and_intern_string(p, f, &r->processor);
	case PF_ENVIRONMENT:
		return pf_fact_read_u64(f, &r->environment);
	case PF_OPTIONS:
		return read_string_list(p, f, &r->options);
	case PF_PROCESSORS:
		return read_number_truncate_to_u32(f, &r->processors);
	case PF_MEMORY:
		return pf_fact_read_u64(f, &r->memory);
	case PF_PAGE_SIZE:
		return read_number_truncate_to_u32(f, &r->page_size);
	}
	return true;
}

int ap_read_block_of_run_facts(struct alleria_profile *p, uint32_t entry_index)
{
	p->run.format_major = ap_entry_head(p, entry_index)->major;
	p->run.format_minor = ap_entry_head(p, entry_index)->minor;
	return read_all_records_of_block(p, entry_index,
					 read_run_fact_return_is_valid, NULL);
}

static int append_wait_status_copy(struct alleria_profile *p,
				   const struct ap_wait_status *seen)
{
	void *bigger = reallocarray(p->wait_status, p->n_wait_statuses + 1,
				    sizeof(*p->wait_status));

	if (!bigger)
		return -ENOMEM;
	p->wait_status = bigger;
	p->wait_status[p->n_wait_statuses++] = *seen;
	return 0;
}

/* Read a wait status and append it to the profile's. Return: false if the
   record is truncated. If memory is short, *@no_memory_error is set, and true
   is returned. */
static bool read_wait_status(struct alleria_profile *p,
			     struct pf_fact_reader *f, int *no_memory_error)
{
	struct ap_wait_status seen;

	if (!pf_fact_read_u64(f, &seen.tree) ||
	    !pf_fact_read_u64(f, &seen.number) ||
	    !pf_fact_read_u64(f, &seen.status))
		return false;
	if (append_wait_status_copy(p, &seen))
		*no_memory_error = -ENOMEM;
	return true;
}

static bool read_run_end_fact_return_is_valid(struct alleria_profile *p,
					      struct pf_fact_reader *f,
					      void *no_memory_error)
{
	switch (f->kind) {
	case PF_STATUS:
		return read_and_intern_string(p, f, &p->status) &&
		       read_and_intern_string(p, f, &p->reason);
	case PF_WALL:
		return p->has_wall = pf_fact_read_u64(f, &p->run.wall_ns);
	case PF_SEEN:
		return read_wait_status(p, f, no_memory_error);
	}
	return true;
}

int ap_read_run_end_block(struct alleria_profile *p, uint32_t entry_index)
{
	int failed = 0,
	    err = read_all_records_of_block(
		    p, entry_index, read_run_end_fact_return_is_valid, &failed);

	p->done = true;
	return failed ? failed : err;
}

/* ---- images ---- */

/* Set the members of a stream that began by a fork. If the stream of its parent
   is missing, also set log_error, because descriptors of this stream cannot be
   decoded. */
static void set_fork_parent_stream_and_log_offset(struct alleria_profile *p,
						  struct ap_stream *s,
						  const struct pf_image *i)
{
	s->fork_blocks = (uint32_t)i->n_blocks;
	s->fork_log = i->fork_log;
	s->fork_of = i->fork_of < p->n_streams ? p->stream[i->fork_of] : NULL;
	s->depth = s->fork_of ? s->fork_of->depth + 1 : 0;
	s->log_error = s->fork_of ? 0 : -EBADMSG;
}

static void set_image_facts_except_plan(struct alleria_profile *p,
					struct ap_stream *s, struct pf_image *i)
{
	s->pid = (uint32_t)i->pid;
	s->tree = (uint32_t)i->tree;
	s->number = (uint32_t)i->number;
	s->parent = (uint32_t)i->parent;
	if (i->has_command)
		read_string_list(p, &i->command, &s->pub.command);
	if (i->directory)
		s->pub.directory = ap_intern_or_question_marks(p, i->directory);
	if (i->valgrind)
		s->pub.valgrind = ap_intern_or_question_marks(p, i->valgrind);
	s->pub.has = (uint32_t)i->fields & (ALLERIA_HAS_INSTRUCTIONS - 1);
	if (i->fields & PT_FIELD_DATA)
		s->pub.has |= ALLERIA_HAS_DATA;
	if (i->forked)
		set_fork_parent_stream_and_log_offset(p, s, i);
}

/* Read the records of a PF_IMAGE block into a stream, with its recording plan.
   Return: 0; -EBADMSG: malformed; -ENOMEM; another -errno. */
static int read_image_block_into_stream(struct alleria_profile *p,
					uint32_t entry_index,
					struct ap_stream *s)
{
	struct pf_image image;
	const void *payload;
	int err = ap_load_block(p, entry_index, &payload);

	if (!err)
		err = pf_image_facts_decode(
			payload, ap_entry_head(p, entry_index)->bytes, &image);
	if (!err)
		set_image_facts_except_plan(p, s, &image);
	return err ? err : ap_windows_copy_plan_and_set_has_flags(s, &image);
}

void ap_stream_free(struct ap_stream *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->n_blocks; i++)
		free(s->block[i]);
	for (size_t i = 0; i < s->n_objects; i++)
		free(s->object[i]);
	free(s->block);
	free(s->object);
	for (uint32_t i = 0; i < s->n_marks; i++)
		free(s->mark[i]);
	free(s->mark);
	free((void *)s->pub.command);
	free(s->units.entry);
	free(s->logs.entry);
	al_executed_free_blocks_and_numbers(&s->executed);
	al_blocks_release(&s->blocks);
	ap_windows_free_stream_data(s);
	free(s);
}

/* Enlarge the list of streams, by elements that are NULL, so that it has index
   @number. Return: 0; -EBADMSG: more than MAX_GAP numbers would be skipped,
   which only a forged file does; -ENOMEM. */
static int grow_streams_to_number(struct alleria_profile *p, uint32_t number)
{
	enum { MAX_GAP = 1 << 16 };

	if (number >= p->n_streams && number - p->n_streams > MAX_GAP)
		return -EBADMSG;
	if (al_array_reserve(p->stream, p->streams_size, number + 1))
		return -ENOMEM;
	while (p->n_streams <= number)
		p->stream[p->n_streams++] = NULL;
	return 0;
}

static struct ap_stream *
alloc_unread_stream_of_image_block(struct alleria_profile *p,
				   uint32_t entry_index)
{
	struct ap_stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->profile = p;
	s->index = ap_entry_head(p, entry_index)->stream;
	s->entry = entry_index;
	s->pub.directory = s->pub.valgrind = "";
	s->pub.begin_ns = s->pub.end_ns =
		ap_entry_head(p, entry_index)->begin_ns;
	s->pub.counts.threads = s->pub.counts.signals = ALLERIA_NOT;
	s->truncated = s->lossy = "";
	al_blocks_init(&s->blocks, &p->strings);
	al_lanes_init(&s->thread_filters, NULL);
	s->executed.lanes = &s->thread_filters;
	return s;
}

int ap_add_stream_from_image_block_once(struct alleria_profile *p,
					uint32_t entry_index)
{
	uint32_t number = ap_entry_head(p, entry_index)->stream;
	int err = grow_streams_to_number(p, number);
	struct ap_stream *s;

	if (err || p->stream[number])
		return err;
	s = alloc_unread_stream_of_image_block(p, entry_index);
	if (!s)
		return -ENOMEM;
	err = read_image_block_into_stream(p, entry_index, s);
	if (!err && (s->tree == 0 || s->number == 0))
		err = -EBADMSG;
	if (!err && !s->pub.command) {
		s->pub.command = calloc(1, sizeof(ap_no_strings));
		err = s->pub.command ? 0 : -ENOMEM;
	}
	if (!err)
		p->stream[number] = s;
	else
		ap_stream_free(s);
	return err;
}

static void set_stream_end_facts(struct alleria_profile *p, struct ap_stream *s,
				 const struct pf_end *e)
{
	if (e->ending >= PF_EXITED && e->ending <= PF_EXECED) {
		s->pub.ending = (uint32_t)e->ending;
		s->pub.value = (int32_t)e->value;
	}
	s->lost = e->lost;
	if (e->lossy)
		s->lossy = ap_intern_or_question_marks(p, e->lossy);
	if (e->truncated)
		s->truncated = ap_intern_or_question_marks(p, e->truncated);
	s->waited_ns = e->wait_ns;
	if (e->has_counts) {
		s->pub.counts.threads = e->threads;
		s->pub.counts.signals = e->signals;
	}
}

int ap_read_image_end_block(struct alleria_profile *p, struct ap_stream *s,
			    uint32_t entry_index)
{
	const struct pf_head *h = ap_entry_head(p, entry_index);
	const void *payload;
	struct pf_end end;
	int err;

	s->ended = true;
	s->pub.end_ns = h->end_ns;
	err = ap_load_block(p, entry_index, &payload);
	if (!err) {
		err = pf_stream_end_facts_decode(payload, h->bytes, &end);
		set_stream_end_facts(p, s, &end);
	}
	if (!err)
		err = ap_windows_copy_end_counts(s, &end);
	if (err == -EBADMSG && !s->truncated[0])
		s->truncated = "its end is damaged";
	return err;
}
