/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - opens a profile and runs the workers; see replay.h
 *
 * A worker does jobs of the chunks in flight. If there is none, it feeds the
 * next block; see replay_feed.c.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/system/clock.h"
#include "base/system/heap.h"
#include "base/text/message.h"
#include "lib/replay/replay_state.h"

enum { MAX_ADAPTIVE_WORKERS = 16 };

/* ---- workers ---- */

/* Find the next job in the streams. @job: receives it. @worker: number of the
   worker that does it, from 1. Return: the stream of the job; NULL: there is no
   job now. Context: lock held. */
static struct al_replay_stream *
find_next_job_and_its_stream(struct al_replay *r, struct al_job *job,
			     unsigned worker)
{
	for (uint32_t i = 0; i < r->n_streams; i++) {
		struct al_replay_stream *s = r->stream[i];

		if (s && !s->is_merged &&
		    al_stream_choose_job_for_worker(s->stream, job, worker))
			return s;
	}
	return NULL;
}

/* Do a job, count the chunk if it was the chunk's last job, stop the stream
   after an error, and wake the waiting threads. Context: lock held; released
   while the job is done. */
static void run_and_finish_job(struct al_replay *r, struct al_replay_stream *s,
			       struct al_job *job)
{
	pthread_mutex_unlock(&r->lock);
	al_stream_run_and_time_job(s->stream, job);
	pthread_mutex_lock(&r->lock);
	if (al_stream_finish_job_return_chunk_ended(s->stream, job))
		s->n_analysed++;
	if (al_stream_error(s->stream))
		al_replay_stream_mark_truncated(s, "the profile is damaged");
	pthread_cond_broadcast(&r->changed);
}

/* Pass the next block to its stream, and wake the waiting threads. An error is
   stored in r->error. Context: lock held; released while feeding. */
static void feed_next_block(struct al_replay *r)
{
	const struct pf_entry *e = &r->entry[r->next_entry];
	int err;

	r->feeding = true;
	pthread_mutex_unlock(&r->lock);
	err = al_replay_feed_block(r, e);
	pthread_mutex_lock(&r->lock);
	r->feeding = false;
	r->next_entry++;
	if (err)
		r->error = err;
	pthread_cond_broadcast(&r->changed);
}

/* Whether all blocks have been fed, or feeding stopped after an error, and all
   chunks fed have been analysed. Context: lock held. */
static bool has_replay_fed_and_analysed_all(const struct al_replay *r)
{
	bool ended = !r->feeding && (r->error || r->next_entry == r->n_entries);

	for (uint32_t i = 0; ended && i < r->n_streams; i++)
		ended = !r->stream[i] ||
			r->stream[i]->n_begun == r->stream[i]->n_analysed;
	return ended;
}

/* Wait until another thread changes the state, and add the time to r->idle_ns.
   Context: lock held; released while waiting. */
static void wait_for_change_and_add_idle_time(struct al_replay *r)
{
	uint64_t ns = al_now_ns();

	pthread_cond_wait(&r->changed, &r->lock);
	r->idle_ns += al_now_ns() - ns;
}

/* Do jobs, feed blocks and wait until the replay ends: the function of a worker
   thread. Return: NULL. */
static void *run_worker(void *replay)
{
	struct al_replay *r = replay;
	uint64_t start_ns = al_now_ns();
	struct al_replay_stream *s;
	struct al_job job;
	unsigned worker;

	pthread_mutex_lock(&r->lock);
	worker = ++r->n_running;
	while (!has_replay_fed_and_analysed_all(r)) {
		s = find_next_job_and_its_stream(r, &job, worker);
		if (s)
			run_and_finish_job(r, s, &job);
		else if (al_replay_can_feed_next_block(r))
			feed_next_block(r);
		else
			wait_for_change_and_add_idle_time(r);
	}
	r->n_running--;
	r->busy_ns += al_now_ns() - start_ns;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* ---- interface ---- */

/* Return the number of workers of the settings; if it is adaptive, one for each
   processor, from 1 to MAX_ADAPTIVE_WORKERS. */
static unsigned replay_worker_count(const struct al_settings *s)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (!s->adaptive.enabled)
		return s->workers;
	return n < 1			  ? 1
	       : n < MAX_ADAPTIVE_WORKERS ? (unsigned)n
					  : MAX_ADAPTIVE_WORKERS;
}

/* All signals are blocked in the workers, so that other threads handle them. */
int al_replay_start_workers(struct al_replay *r)
{
	sigset_t all, old;
	int err = 0;

	r->n_workers = replay_worker_count(r->settings);
	r->worker = calloc(r->n_workers, sizeof(*r->worker));
	if (!r->worker)
		return -ENOMEM;
	r->start_ns = al_now_ns();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (unsigned i = 0; !err && i < r->n_workers; i++) {
		err = pthread_create(&r->worker[i], NULL, run_worker, r);
		if (err)
			r->n_workers = i;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r->n_workers ? 0 : -err;
}

bool al_replay_wait_until_ended_or_timeout(struct al_replay *r,
					   unsigned timeout_ms,
					   struct al_replay_progress *progress)
{
	uint64_t end_ns = al_now_ns() + timeout_ms * UINT64_C(1000000);
	bool ended;

	pthread_mutex_lock(&r->lock);
	while (!has_replay_fed_and_analysed_all(r) &&
	       al_cond_wait_until_is_signalled(&r->changed, &r->lock, end_ns))
		;
	ended = has_replay_fed_and_analysed_all(r);
	progress->bytes = pf_reader_state_with_damage(r->reader).bytes;
	progress->fed_bytes = r->next_entry < r->n_entries
				      ? r->entry[r->next_entry].offset
				      : progress->bytes;
	pthread_mutex_unlock(&r->lock);
	return ended;
}

static void join_workers(struct al_replay *r)
{
	for (unsigned i = 0; i < r->n_workers; i++)
		pthread_join(r->worker[i], NULL);
	r->n_workers = 0;
}

static void set_profile_status_of_run(struct al_replay *r)
{
	if (al_replay_has_damaged_bytes(r))
		al_run_set_profile_status(r->run, AL_TRUNCATED,
					  "the profile is damaged");
	else if (r->incomplete_reason)
		al_run_set_profile_status(r->run, r->profile_status,
					  r->incomplete_reason);
}

struct al_run *al_replay_finish_and_borrow_run(struct al_replay *r)
{
	uint64_t wall_ns = al_now_ns() - r->start_ns;

	join_workers(r);
	for (uint32_t i = 0; i < r->n_streams; i++)
		if (r->stream[i] && !r->stream[i]->is_merged)
			al_replay_stream_finish_truncated(
				r->stream[i],
				r->error ? "out of memory"
				: r->incomplete_reason
					? r->incomplete_reason
					: "the profile has no end");
	set_profile_status_of_run(r);
	al_run_set_times(r->run, wall_ns, r->idle_ns, r->busy_ns - r->idle_ns);
	return r->run;
}

bool al_replay_has_damaged_bytes(const struct al_replay *r)
{
	return pf_reader_state_with_damage(r->reader).damage == PF_BROKEN;
}

/* Create the run, read the profile's names and processor, count its forks, and
   check the output files of windows. Return: 0; nonzero with @message. */
static int create_run_and_read_metadata(struct al_replay *r, char *message)
{
	r->symbols = al_symbols_new();
	if (r->symbols)
		r->run = al_run_new(r->settings, r->symbols);
	if (!r->run || al_loader_alloc_unpacker_and_coder(&r->feeder) ||
	    al_replay_read_names_forbid_file_reading(r))
		return al_message_return_einval(message, "out of memory");
	al_replay_read_processor(r);
	if (al_run_begin_shared_profile_if_set(r->run, message))
		return -1;
	r->run->profile_bytes = pf_reader_state_with_damage(r->reader).bytes;
	r->entry = pf_reader_entries(r->reader, &r->n_entries);
	if (al_replay_init_pending_fork_counts(r))
		return al_message_return_einval(message, "out of memory");
	return al_replay_check_window_output_paths(r, message);
}

struct al_replay *al_replay_open(const char *path,
				 const struct al_settings *settings,
				 char *message)
{
	struct al_replay *r = calloc(1, sizeof(*r));

	al_heap_set_one_arena_and_mmap_limit();
	if (!r) {
		al_message_return_einval(message, "out of memory");
		return NULL;
	}
	pthread_mutex_init(&r->lock, NULL);
	al_cond_init_monotonic(&r->changed);
	r->settings = settings;
	r->reader = pf_reader_open(path, message);
	if (r->reader && !create_run_and_read_metadata(r, message))
		return r;
	al_replay_free(r);
	return NULL;
}

/* Free a stream's buffers and its al_replay_stream, but not its al_stream and
   its process. @s: may be NULL. */
static void free_replay_stream_and_chunk_words(struct al_replay_stream *s)
{
	for (unsigned i = 0; s && i < AL_MAX_IN_FLIGHT; i++)
		free(s->in_flight[i].words);
	free(s);
}

void al_replay_free(struct al_replay *r)
{
	if (!r)
		return;
	join_workers(r);
	free(r->worker);
	for (uint32_t i = 0; i < r->n_streams; i++)
		free_replay_stream_and_chunk_words(r->stream[i]);
	free(r->stream);
	free(r->pending_forks);
	for (struct al_loader *next, *l = r->idle; l; l = next) {
		next = l->next;
		al_loader_release(l);
		free(l);
	}
	al_loader_release(&r->feeder);
	al_run_free(r->run);
	al_symbols_free(r->symbols);
	if (r->reader)
		pf_reader_close(r->reader);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
