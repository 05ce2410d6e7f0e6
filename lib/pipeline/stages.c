/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stages.c - chooses jobs and notes which stages are done; see stages.h */

#include "lib/pipeline/stages.h"

/* State of an in-flight slot: FREE; BEGUN: stage load may begin; LOADING,
   RECOVERING, SCATTERING: its chunk is in this stage; else the last stage that
   is done for the chunk. LOADED: stage recover may begin. SCATTERED:
   partitions may process the chunk, or it was prepared with AN_CHUNK_SERIAL and
   skips them. GATHERED: stage tail may begin. */
enum state {
	FREE,
	BEGUN,
	LOADING,
	LOADED,
	RECOVERING,
	RECOVERED,
	PREPARED,
	SCATTERING,
	SCATTERED,
	GATHERED
};
enum store { STORED, TO_STORE, STORING };

void al_stages_begin_chunk(struct al_stages *s)
{
	s->in_flight[s->n_begun++ % s->max_in_flight].state =
		s->has_load ? BEGUN : LOADED;
}

static bool is_chunk_in_state(const struct al_stages *s, uint64_t chunk,
			      enum state state)
{
	return chunk < s->n_begun &&
	       s->in_flight[chunk % s->max_in_flight].state == state;
}

/* Return the number of chunks that every partition has passed; without
   partitions, the number of prepared chunks. */
static uint64_t count_chunks_passed_by_all_partitions(const struct al_stages *s)
{
	uint64_t done = s->n_prepared;

	for (unsigned p = 0; s->n_partitions > 1 && p < s->n_partitions; p++)
		if (s->partition[p].done < done)
			done = s->partition[p].done;
	return done;
}

static enum an_chunk_mode partition_mode_of_chunk(const struct al_stages *s,
						  uint64_t chunk)
{
	return s->in_flight[chunk % s->max_in_flight].mode;
}

/* Whether the stream has partitions, but @chunk, which is prepared and not yet
   gathered, skips them because its mode is AN_CHUNK_SERIAL, so that stage
   gather processes all of it. */
static bool is_serial_chunk_skipping_partitions(const struct al_stages *s,
						uint64_t chunk)
{
	return s->n_partitions > 1 && is_chunk_in_state(s, chunk, SCATTERED) &&
	       partition_mode_of_chunk(s, chunk) == AN_CHUNK_SERIAL;
}

static bool can_run_gather_of_next_chunk(const struct al_stages *s)
{
	return !s->gathering &&
	       s->in_flight[s->n_gathered % s->max_in_flight].store == STORED &&
	       (s->n_gathered < count_chunks_passed_by_all_partitions(s) ||
		is_serial_chunk_skipping_partitions(s, s->n_gathered));
}

static bool can_run_tail_of_next_chunk(const struct al_stages *s)
{
	return !s->tailing && is_chunk_in_state(s, s->n_ended, GATHERED);
}

static bool can_prepare_next_recovered_chunk(const struct al_stages *s)
{
	return !s->preparing && is_chunk_in_state(s, s->n_prepared, RECOVERED);
}

/* Whether @chunk is the first one in flight, or that before it is recovered. */
static bool is_chunk_next_to_recover(const struct al_stages *s, uint64_t chunk)
{
	return chunk == s->n_ended ||
	       s->in_flight[(chunk - 1) % s->max_in_flight].state >= RECOVERED;
}

static bool can_recover_loaded_chunk(const struct al_stages *s, uint64_t chunk)
{
	return is_chunk_in_state(s, chunk, LOADED) &&
	       ((s->n_partitions > 1 && !s->recovers_in_order) ||
		is_chunk_next_to_recover(s, chunk));
}

static bool can_partition_run_next_chunk(const struct al_stages *s,
					 unsigned partition_index)
{
	uint64_t chunk = s->partition[partition_index].done;

	return !s->partition[partition_index].busy &&
	       is_chunk_in_state(s, chunk, SCATTERED) &&
	       !is_serial_chunk_skipping_partitions(s, chunk) &&
	       (partition_mode_of_chunk(s, chunk) == AN_CHUNK_CONTINUE ||
		count_chunks_passed_by_all_partitions(s) >= chunk);
}

/* Return the number of the first chunk in flight that is in @state; n_begun if
   there is none. */
static uint64_t first_chunk_in_state_or_n_begun(const struct al_stages *s,
						enum state state)
{
	uint64_t chunk = s->n_ended;

	while (chunk < s->n_begun && !is_chunk_in_state(s, chunk, state))
		chunk++;
	return chunk;
}

/* Return the number of the first prepared chunk that waits for stage store;
   n_begun if there is none. */
static uint64_t first_chunk_to_store_or_n_begun(const struct al_stages *s)
{
	uint64_t chunk = s->n_ended;

	while (chunk < s->n_prepared &&
	       s->in_flight[chunk % s->max_in_flight].store != TO_STORE)
		chunk++;
	return chunk < s->n_prepared ? chunk : s->n_begun;
}

/* Whether worker @worker_or_0 prefers an ordered stage: it did the stage last,
   or no worker did. @last_worker_or_0: worker that did the stage last, 0: none.
   @worker_or_0: 0: the result is true for every stage. */
static bool is_stage_preferred_by_worker(unsigned last_worker_or_0,
					 unsigned worker_or_0)
{
	return worker_or_0 == 0 || last_worker_or_0 == 0 ||
	       last_worker_or_0 == worker_or_0;
}

/* Return the index of the partition (a part of the analyses' work) that has
   passed the fewest chunks, among the partitions that can run now and that
   @worker_or_0 prefers; n_partitions if there is none. */
static unsigned
slowest_runnable_partition_or_n_if_none(const struct al_stages *s,
					unsigned worker_or_0)
{
	unsigned last_worker = s->n_partitions;

	for (unsigned p = 0; s->n_partitions > 1 && p < s->n_partitions; p++)
		if (is_stage_preferred_by_worker(s->partition[p].worker,
						 worker_or_0) &&
		    can_partition_run_next_chunk(s, p) &&
		    (last_worker == s->n_partitions ||
		     s->partition[p].done < s->partition[last_worker].done))
			last_worker = p;
	return last_worker;
}

/* Set @job to the work of partition @partition_index on its next chunk, and on
   the chunks that directly follow, as long as they have passed stage scatter
   and have the mode AN_CHUNK_CONTINUE. Mark the partition as busy. */
static void assign_partition_chunks_to_job(struct al_stages *s,
					   struct al_job *job,
					   unsigned partition_index)
{
	uint64_t end = s->partition[partition_index].done + 1;

	while (is_chunk_in_state(s, end, SCATTERED) &&
	       partition_mode_of_chunk(s, end) == AN_CHUNK_CONTINUE)
		end++;
	*job = (struct al_job){AL_PARTITION, partition_index,
			       s->partition[partition_index].done, end,
			       AN_CHUNK_CONTINUE};
	s->partition[partition_index].busy = true;
}

static void set_job_to_stage_of_chunk(struct al_job *job, enum al_stage stage,
				      uint64_t chunk)
{
	*job = (struct al_job){stage, 0, chunk, chunk + 1, AN_CHUNK_CONTINUE};
}

/* Set @job to an ordered stage, one that does the chunks in order (tail,
   gather, prepare or a partition), that can begin and that @worker_or_0 did
   last or no worker did yet; with @worker_or_0 0 that any worker did last. Mark
   it as begun. Tail, gather and prepare come before partitions, because other
   stages wait for them. Return: false if there is none. */
static bool assign_preferred_ordered_stage(struct al_stages *s,
					   struct al_job *job,
					   unsigned worker_or_0)
{
	unsigned partition =
		slowest_runnable_partition_or_n_if_none(s, worker_or_0);

	if (can_run_tail_of_next_chunk(s) &&
	    is_stage_preferred_by_worker(s->last_tailer, worker_or_0)) {
		set_job_to_stage_of_chunk(job, AL_TAIL, s->n_ended);
		s->tailing = true;
	} else if (can_run_gather_of_next_chunk(s) &&
		   is_stage_preferred_by_worker(s->last_gatherer,
						worker_or_0)) {
		set_job_to_stage_of_chunk(job, AL_GATHER, s->n_gathered);
		s->gathering = true;
	} else if (can_prepare_next_recovered_chunk(s) &&
		   is_stage_preferred_by_worker(s->last_preparer,
						worker_or_0)) {
		set_job_to_stage_of_chunk(job, AL_PREPARE, s->n_prepared);
		s->preparing = true;
	} else if (s->n_partitions > 1 && partition < s->n_partitions) {
		assign_partition_chunks_to_job(s, job, partition);
	} else {
		return false;
	}
	return true;
}

/* Set @job to a stage that may be done in any order of chunks, and mark it as
   begun. Later stages come first, because their chunk is closest to its end:
   store, scatter, recover, load. Return: false if none can begin. */
static bool assign_store_scatter_recover_or_load(struct al_stages *s,
						 struct al_job *job)
{
	uint64_t store = first_chunk_to_store_or_n_begun(s),
		 scattered = first_chunk_in_state_or_n_begun(s, PREPARED),
		 loaded = first_chunk_in_state_or_n_begun(s, LOADED),
		 begun = first_chunk_in_state_or_n_begun(s, BEGUN);

	if (store < s->n_begun) {
		set_job_to_stage_of_chunk(job, AL_STORE, store);
		s->in_flight[store % s->max_in_flight].store = STORING;
	} else if (s->n_partitions > 1 && scattered < s->n_begun) {
		set_job_to_stage_of_chunk(job, AL_SCATTER, scattered);
		s->in_flight[scattered % s->max_in_flight].state = SCATTERING;
	} else if (can_recover_loaded_chunk(s, loaded)) {
		set_job_to_stage_of_chunk(job, AL_RECOVER, loaded);
		s->in_flight[loaded % s->max_in_flight].state = RECOVERING;
	} else if (begun < s->n_begun) {
		set_job_to_stage_of_chunk(job, AL_LOAD, begun);
		s->in_flight[begun % s->max_in_flight].state = LOADING;
	} else {
		return false;
	}
	return true;
}

static void store_last_worker_of_ordered_stage(struct al_stages *s,
					       const struct al_job *job,
					       unsigned worker)
{
	if (job->stage == AL_GATHER)
		s->last_gatherer = worker;
	else if (job->stage == AL_TAIL)
		s->last_tailer = worker;
	else if (job->stage == AL_PREPARE)
		s->last_preparer = worker;
	else if (job->stage == AL_PARTITION)
		s->partition[job->partition].worker = worker;
}

bool al_stages_assign_job(struct al_stages *s, struct al_job *job,
			  unsigned worker)
{
	bool found = assign_preferred_ordered_stage(s, job, worker) ||
		     assign_store_scatter_recover_or_load(s, job) ||
		     assign_preferred_ordered_stage(s, job, 0);

	if (found)
		store_last_worker_of_ordered_stage(s, job, worker);
	return found;
}

static void free_slot_and_count_ended_chunk(struct al_stages *s, unsigned slot)
{
	s->in_flight[slot].state = FREE;
	s->n_ended++;
}

bool al_stages_finish_job_return_chunk_ended(struct al_stages *s,
					     const struct al_job *job)
{
	unsigned slot = job->first_chunk % s->max_in_flight;
	uint64_t ended = s->n_ended;

	switch (job->stage) {
	case AL_LOAD:
		s->in_flight[slot].state = LOADED;
		break;
	case AL_RECOVER:
		s->in_flight[slot].state = RECOVERED;
		break;
	case AL_PREPARE:
		s->in_flight[slot].state =
			job->mode == AN_CHUNK_SERIAL ? SCATTERED : PREPARED;
		s->in_flight[slot].mode = job->mode;
		s->in_flight[slot].store = s->has_store ? TO_STORE : STORED;
		s->n_prepared++;
		s->preparing = false;
		break;
	case AL_STORE:
		s->in_flight[slot].store = STORED;
		break;
	case AL_SCATTER:
		s->in_flight[slot].state = SCATTERED;
		break;
	case AL_PARTITION:
		s->partition[job->partition].done = job->end_chunk;
		s->partition[job->partition].busy = false;
		break;
	case AL_GATHER:
		for (unsigned p = 0; p < s->n_partitions; p++)
			if (s->partition[p].done == job->first_chunk)
				/* A chunk with mode AN_CHUNK_SERIAL was
				   processed by no partition: count it as
				   passed. */
				s->partition[p].done++;
		s->n_gathered++;
		s->gathering = false;
		if (s->has_tail)
			s->in_flight[slot].state = GATHERED;
		else
			free_slot_and_count_ended_chunk(s, slot);
		break;
	case AL_TAIL:
		s->tailing = false;
		free_slot_and_count_ended_chunk(s, slot);
		break;
	case AL_STAGES:
		break;
	}
	return s->n_ended > ended;
}

unsigned al_stages_count_runnable_jobs(const struct al_stages *s)
{
	unsigned n = can_run_tail_of_next_chunk(s) +
		     can_run_gather_of_next_chunk(s) +
		     can_prepare_next_recovered_chunk(s);

	for (unsigned p = 0; s->n_partitions > 1 && p < s->n_partitions; p++)
		n += can_partition_run_next_chunk(s, p);
	for (uint64_t chunk = s->n_ended; chunk < s->n_begun; chunk++) {
		n += s->n_partitions > 1 &&
		     is_chunk_in_state(s, chunk, PREPARED);
		n += is_chunk_in_state(s, chunk, BEGUN);
		n += chunk < s->n_prepared &&
		     s->in_flight[chunk % s->max_in_flight].store == TO_STORE;
		n += can_recover_loaded_chunk(s, chunk);
	}
	return n;
}
