/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stages.c - chooses jobs and notes which stages are done; see stages.h */

#include "lib/pipeline/stages.h"

/* State of a lane. SPREAD: its parts may run; JOINED: its tail may run. */
enum state {
	FREE,
	BEGUN,
	LOADING,
	LOADED,
	RECOVERING,
	RECOVERED,
	PREPARED,
	SPREADING,
	SPREAD,
	JOINED
};
enum store { STORED, TO_STORE, STORING };

void al_stages_begin(struct al_stages *s)
{
	s->in_flight[s->n_begun++ % s->max_in_flight].state =
		s->has_load ? BEGUN : LOADED;
}

static bool is_in_state(const struct al_stages *s, uint64_t piece,
			enum state state)
{
	return piece < s->n_begun &&
	       s->in_flight[piece % s->max_in_flight].state == state;
}

/* Return the number of pieces that every part has done. */
static uint64_t parts_done(const struct al_stages *s)
{
	uint64_t done = s->n_prepared;

	for (unsigned p = 0; s->n_partitions > 1 && p < s->n_partitions; p++)
		if (s->partition[p].done < done)
			done = s->partition[p].done;
	return done;
}

static enum an_chunk_mode course_of(const struct al_stages *s, uint64_t piece)
{
	return s->in_flight[piece % s->max_in_flight].course;
}

/* Whether @piece skips the parts (AN_CHUNK_SERIAL). */
static bool is_whole(const struct al_stages *s, uint64_t piece)
{
	return s->n_partitions > 1 && is_in_state(s, piece, SPREAD) &&
	       course_of(s, piece) == AN_CHUNK_SERIAL;
}

static bool can_join(const struct al_stages *s)
{
	return !s->gathering &&
	       s->in_flight[s->n_gathered % s->max_in_flight].store == STORED &&
	       (s->n_gathered < parts_done(s) || is_whole(s, s->n_gathered));
}

static bool can_tail(const struct al_stages *s)
{
	return !s->tailing && is_in_state(s, s->n_ended, JOINED);
}

static bool can_prepare(const struct al_stages *s)
{
	return !s->preparing && is_in_state(s, s->n_prepared, RECOVERED);
}

static bool can_recover(const struct al_stages *s, uint64_t piece)
{
	return is_in_state(s, piece, LOADED) &&
	       ((s->n_partitions > 1 && !s->recovers_in_order) ||
		s->n_recovering == 0);
}

static bool can_part(const struct al_stages *s, unsigned p)
{
	uint64_t piece = s->partition[p].done;

	return !s->partition[p].busy && is_in_state(s, piece, SPREAD) &&
	       !is_whole(s, piece) &&
	       (course_of(s, piece) == AN_CHUNK_CONTINUE ||
		parts_done(s) >= piece);
}

/* Return the first piece that is in @state, or s->begun. */
static uint64_t first_in_state(const struct al_stages *s, enum state state)
{
	uint64_t piece = s->n_ended;

	while (piece < s->n_begun && !is_in_state(s, piece, state))
		piece++;
	return piece;
}

/* Return the first piece that can be stored, or s->begun. */
static uint64_t first_to_store(const struct al_stages *s)
{
	uint64_t piece = s->n_ended;

	while (piece < s->n_prepared &&
	       s->in_flight[piece % s->max_in_flight].store != TO_STORE)
		piece++;
	return piece < s->n_prepared ? piece : s->n_begun;
}

/* Whether @worker did an ordered stage last. @last: worker that did it last; 0,
   nobody, belongs to every worker. Worker 0 owns every stage. */
static bool is_own(unsigned last, unsigned worker)
{
	return worker == 0 || last == 0 || last == worker;
}

/* Return the part with the fewest pieces done among those that can begin and
   are @worker's own; s->parts if there is none. */
static unsigned slowest_own_part(const struct al_stages *s, unsigned worker)
{
	unsigned last = s->n_partitions;

	for (unsigned p = 0; s->n_partitions > 1 && p < s->n_partitions; p++)
		if (is_own(s->partition[p].worker, worker) && can_part(s, p) &&
		    (last == s->n_partitions ||
		     s->partition[p].done < s->partition[last].done))
			last = p;
	return last;
}

/* Assign part @p of the next piece, and of the pieces after it that can follow
   at once. */
static void assign_part(struct al_stages *s, struct al_job *job, unsigned p)
{
	uint64_t end = s->partition[p].done + 1;

	while (is_in_state(s, end, SPREAD) &&
	       course_of(s, end) == AN_CHUNK_CONTINUE)
		end++;
	*job = (struct al_job){AL_PARTITION, p, s->partition[p].done, end,
			       AN_CHUNK_CONTINUE};
	s->partition[p].busy = true;
}

static void assign(struct al_job *job, enum al_stage stage, uint64_t piece)
{
	*job = (struct al_job){stage, 0, piece, piece + 1, AN_CHUNK_CONTINUE};
}

/* Assign an ordered stage that is @worker's own. Tail, join and prepare come
   before parts, because other stages wait for them. */
static bool next_in_order(struct al_stages *s, struct al_job *job,
			  unsigned worker)
{
	unsigned part = slowest_own_part(s, worker);

	if (can_tail(s) && is_own(s->last_tailer, worker)) {
		assign(job, AL_TAIL, s->n_ended);
		s->tailing = true;
	} else if (can_join(s) && is_own(s->last_gatherer, worker)) {
		assign(job, AL_GATHER, s->n_gathered);
		s->gathering = true;
	} else if (can_prepare(s) && is_own(s->last_preparer, worker)) {
		assign(job, AL_PREPARE, s->n_prepared);
		s->preparing = true;
	} else if (s->n_partitions > 1 && part < s->n_partitions) {
		assign_part(s, job, part);
	} else {
		return false;
	}
	return true;
}

/* Assign an unordered stage. Later stages come first: their piece is closest to
   its end. */
static bool next_in_any_order(struct al_stages *s, struct al_job *job)
{
	uint64_t store = first_to_store(s),
		 spread = first_in_state(s, PREPARED),
		 loaded = first_in_state(s, LOADED),
		 begun = first_in_state(s, BEGUN);

	if (store < s->n_begun) {
		assign(job, AL_STORE, store);
		s->in_flight[store % s->max_in_flight].store = STORING;
	} else if (s->n_partitions > 1 && spread < s->n_begun) {
		assign(job, AL_SCATTER, spread);
		s->in_flight[spread % s->max_in_flight].state = SPREADING;
	} else if (can_recover(s, loaded)) {
		assign(job, AL_RECOVER, loaded);
		s->in_flight[loaded % s->max_in_flight].state = RECOVERING;
		s->n_recovering++;
	} else if (begun < s->n_begun) {
		assign(job, AL_LOAD, begun);
		s->in_flight[begun % s->max_in_flight].state = LOADING;
	} else {
		return false;
	}
	return true;
}

static void note_worker(struct al_stages *s, const struct al_job *job,
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

bool al_stages_next(struct al_stages *s, struct al_job *job, unsigned worker)
{
	bool found = next_in_order(s, job, worker) ||
		     next_in_any_order(s, job) || next_in_order(s, job, 0);

	if (found)
		note_worker(s, job, worker);
	return found;
}

static void end_piece(struct al_stages *s, unsigned lane)
{
	s->in_flight[lane].state = FREE;
	s->n_ended++;
}

bool al_stages_done(struct al_stages *s, const struct al_job *job)
{
	unsigned lane = job->first_chunk % s->max_in_flight;
	uint64_t ended = s->n_ended;

	switch (job->stage) {
	case AL_LOAD:
		s->in_flight[lane].state = LOADED;
		break;
	case AL_RECOVER:
		s->in_flight[lane].state = RECOVERED;
		s->n_recovering--;
		break;
	case AL_PREPARE:
		s->in_flight[lane].state =
			job->course == AN_CHUNK_SERIAL ? SPREAD : PREPARED;
		s->in_flight[lane].course = job->course;
		s->in_flight[lane].store = s->has_store ? TO_STORE : STORED;
		s->n_prepared++;
		s->preparing = false;
		break;
	case AL_STORE:
		s->in_flight[lane].store = STORED;
		break;
	case AL_SCATTER:
		s->in_flight[lane].state = SPREAD;
		break;
	case AL_PARTITION:
		s->partition[job->partition].done = job->end_chunk;
		s->partition[job->partition].busy = false;
		break;
	case AL_GATHER:
		for (unsigned p = 0; p < s->n_partitions; p++)
			if (s->partition[p].done == job->first_chunk)
				s->partition[p].done++; /* AN_CHUNK_SERIAL */
		s->n_gathered++;
		s->gathering = false;
		if (s->has_tail)
			s->in_flight[lane].state = JOINED;
		else
			end_piece(s, lane);
		break;
	case AL_TAIL:
		s->tailing = false;
		end_piece(s, lane);
		break;
	case AL_STAGES:
		break;
	}
	return s->n_ended > ended;
}

unsigned al_stages_count_jobs(const struct al_stages *s)
{
	unsigned n = can_tail(s) + can_join(s) + can_prepare(s), recover = 0;

	for (unsigned p = 0; s->n_partitions > 1 && p < s->n_partitions; p++)
		n += can_part(s, p);
	for (uint64_t piece = s->n_ended; piece < s->n_begun; piece++) {
		n += s->n_partitions > 1 && is_in_state(s, piece, PREPARED);
		n += is_in_state(s, piece, BEGUN);
		n += piece < s->n_prepared &&
		     s->in_flight[piece % s->max_in_flight].store == TO_STORE;
		recover += can_recover(s, piece);
	}
	return n + (s->n_partitions > 1 ? recover : recover > 0);
}
