/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording.c - writes a run into a profile; see recording.h */

#include "lib/record/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/clock.h"
#include "lib/record/recording_state.h"

/* ---- packing ---- */

static void free_packer(struct al_packer *p)
{
	if (p == NULL)
		return;
	pf_coder_free(p->coder);
	pf_packer_free(p->packer);
	free(p->coded_units.header);
	free(p->code);
	free(p);
}

static struct al_packer *new_packer(int zstd_level)
{
	struct al_packer *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return NULL;
	p->coder = pf_coder_new();
	p->packer = pf_packer_new(zstd_level);
	if (p->coder != NULL && p->packer != NULL)
		return p;
	free_packer(p);
	return NULL;
}

struct al_packers *al_packers_new_empty_pool(int zstd_level)
{
	struct al_packers *all = calloc(1, sizeof(*all));

	if (all == NULL)
		return NULL;
	pthread_mutex_init(&all->lock, NULL);
	all->level = zstd_level;
	return all;
}

void al_packers_free(struct al_packers *all)
{
	if (all == NULL)
		return;
	for (struct al_packer *next, *p = all->idle; p != NULL; p = next) {
		next = p->next;
		free_packer(p);
	}
	pthread_mutex_destroy(&all->lock);
	free(all);
}

struct al_packer *al_packer_acquire_idle_or_new(struct al_recording *r)
{
	struct al_packers *all = r->packers;
	struct al_packer *p;

	pthread_mutex_lock(&all->lock);
	p = all->idle;
	if (p != NULL)
		all->idle = p->next;
	pthread_mutex_unlock(&all->lock);
	return p ? p : new_packer(all->level);
}

void al_packer_release_to_idle_list(struct al_recording *r, struct al_packer *p)
{
	struct al_packers *all = r->packers;

	if (p == NULL)
		return;
	pthread_mutex_lock(&all->lock);
	p->next = all->idle;
	all->idle = p;
	pthread_mutex_unlock(&all->lock);
}

/* ---- blocks ---- */

void al_recording_fail_and_drop_queue(struct al_recording *r, int err)
{
	pthread_mutex_lock(&r->lock);
	if (r->error == 0)
		r->error = err;
	pthread_mutex_unlock(&r->lock);
	pf_writer_set_first_error(r->writer, err);
}

void al_recording_ignore_further_writes(struct al_recording *r)
{
	pthread_mutex_lock(&r->lock);
	r->error = -ESTALE;
	r->is_stopped = true;
	pthread_mutex_unlock(&r->lock);
}

int al_recording_error(struct al_recording *r)
{
	int err;

	pthread_mutex_lock(&r->lock);
	err = r->error;
	pthread_mutex_unlock(&r->lock);
	return err;
}

uint64_t al_recording_ns_since_start(const struct al_recording *r,
				     uint64_t at_ns)
{
	return at_ns > r->start_ns ? at_ns - r->start_ns : 0;
}

uint64_t al_recording_elapsed_ns(const struct al_recording *r)
{
	return al_recording_ns_since_start(r, al_now_ns());
}

static bool is_writing_to_profile_stopped(struct al_recording *r)
{
	bool stopped;

	pthread_mutex_lock(&r->lock);
	stopped = r->is_stopped;
	pthread_mutex_unlock(&r->lock);
	return stopped;
}

void al_recording_write_queue_down_to_max(struct al_recording *r)
{
	int err = is_writing_to_profile_stopped(r)
			  ? 0
			  : pf_writer_write_until_queue_within_limit(r->writer);

	if (err)
		al_recording_fail_and_drop_queue(r, err);
}

void al_recording_write_whole_queue(struct al_recording *r)
{
	int err = is_writing_to_profile_stopped(r)
			  ? 0
			  : pf_writer_write_whole_queue(r->writer);

	if (err)
		al_recording_fail_and_drop_queue(r, err);
}

/* Compress @payload into a block, which is not one of units, and add a copy of
   it to the writer's queue by calling @queue_block. Return: 0 or -errno. */
static int compress_and_queue_block(struct al_recording *r,
				    const struct pf_head *head,
				    const void *payload, size_t bytes,
				    void (*queue_block)(struct pf_writer *,
							struct pf_block *))
{
	struct al_packer *p = al_packer_acquire_idle_or_new(r);
	struct pf_packed packed;
	int err = p ? pf_pack_payload(p->packer, head, payload, bytes, &packed)
		    : -ENOMEM;

	if (!err)
		queue_block(r->writer, pf_block_new_copy(&packed));
	al_packer_release_to_idle_list(r, p);
	return err;
}

void al_recording_compress_and_queue_block(struct al_recording *r,
					   const struct pf_head *head,
					   const void *payload, size_t bytes)
{
	int err = al_recording_error(r);

	if (!err)
		err = compress_and_queue_block(
			r, head, payload, bytes,
			pf_writer_queue_or_free_if_failed);
	if (err)
		al_recording_fail_and_drop_queue(r, err);
}

void al_recording_queue_and_release_records(struct al_recording *r,
					    enum pf_kind block_kind,
					    uint32_t stream_number,
					    struct pf_records *records)
{
	uint64_t ns = al_recording_elapsed_ns(r);
	struct pf_head head = {
		.kind = block_kind,
		.stream = stream_number,
		.begin_ns = ns,
		.end_ns = ns,
	};

	if (records->failed)
		al_recording_fail_and_drop_queue(r, -ENOMEM);
	else
		al_recording_compress_and_queue_block(r, &head, records->data,
						      records->bytes);
	pf_records_free_memory_and_zero(records);
}

/* ---- the run ---- */

static void queue_run_facts_block(struct al_recording *r)
{
	struct pf_records a = {0};

	al_machine_append_run_facts(&a);
	al_recording_queue_and_release_records(r, PF_RUN, PF_NO_STREAM, &a);
}

/* Return a new recording that starts now and has no pf_writer (no file) yet;
   NULL when memory is short. */
static struct al_recording *
new_recording_without_writer(const char *path, struct al_packers *packers)
{
	struct al_recording *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return NULL;
	pthread_mutex_init(&r->lock, NULL);
	pthread_mutex_init(&r->names_lock, NULL);
	r->packers = packers;
	r->start_ns = al_now_ns();
	r->path = strdup(path);
	if (r->path != NULL)
		return r;
	al_recording_flush_close_free(r);
	return NULL;
}

struct al_recording *
al_recording_new_and_create_file(const char *path, struct al_packers *packers,
				 char *message)
{
	struct al_recording *r = new_recording_without_writer(path, packers);
	int err;

	if (r == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	r->writer = pf_writer_new_and_create_file(path, message);
	if (r->writer == NULL) {
		err = errno;
		al_recording_flush_close_free(r);
		errno = err;
		return NULL;
	}
	queue_run_facts_block(r);
	al_recording_write_queue_down_to_max(r);
	return r;
}

struct al_recording *
al_recording_new_create_file_later(const char *path, struct al_packers *packers)
{
	struct al_recording *r = new_recording_without_writer(path, packers);

	if (r != NULL)
		r->writer = pf_writer_new_create_file_later(path);
	if (r == NULL || r->writer == NULL) {
		al_recording_flush_close_free(r);
		errno = ENOMEM;
		return NULL;
	}
	queue_run_facts_block(r);
	return r;
}

void al_recording_queue_end_block(struct al_recording *r,
				  const struct pf_records *last_records)
{
	struct pf_head head = {.kind = PF_DONE, .stream = PF_NO_STREAM};
	int err = compress_and_queue_block(r, &head, last_records->data,
					   last_records->bytes,
					   pf_writer_queue_end_for_later_write);

	if (err)
		al_recording_fail_and_drop_queue(r, err);
}

uint64_t al_recording_bytes_written(struct al_recording *r)
{
	return pf_writer_bytes_written(r->writer);
}

void al_recording_flush_close_free(struct al_recording *r)
{
	if (r == NULL)
		return;
	al_name_table_release(&r->name_table);
	pf_writer_flush_close_free(r->writer);
	free(r->path);
	pthread_mutex_destroy(&r->names_lock);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
