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
	s->lane[s->begun++ % s->lanes].state = s->loads ? BEGUN : LOADED;
}

static bool is_in_state(const struct al_stages *s, uint64_t piece,
			enum state state)
{
	return piece < s->begun && s->lane[piece % s->lanes].state == state;
}

/* Return the number of pieces that every part has done. */
static uint64_t parts_done(const struct al_stages *s)
{
	uint64_t done = s->prepared;

	for (unsigned p = 0; s->parts > 1 && p < s->parts; p++)
		if (s->part[p].done < done)
			done = s->part[p].done;
	return done;
}

static enum an_course course_of(const struct al_stages *s, uint64_t piece)
{
	return s->lane[piece % s->lanes].course;
}

/* Whether @piece skips the parts (AN_WHOLE). */
static bool is_whole(const struct al_stages *s, uint64_t piece)
{
	return s->parts > 1 && is_in_state(s, piece, SPREAD) &&
	       course_of(s, piece) == AN_WHOLE;
}

static bool can_join(const struct al_stages *s)
{
	return !s->joining && s->lane[s->joined % s->lanes].store == STORED &&
	       (s->joined < parts_done(s) || is_whole(s, s->joined));
}

static bool can_tail(const struct al_stages *s)
{
	return !s->tailing && is_in_state(s, s->ended, JOINED);
}

static bool can_prepare(const struct al_stages *s)
{
	return !s->preparing && is_in_state(s, s->prepared, RECOVERED);
}

static bool can_recover(const struct al_stages *s, uint64_t piece)
{
	return is_in_state(s, piece, LOADED) &&
	       ((s->parts > 1 && !s->follows) || s->recovering == 0);
}

static bool can_part(const struct al_stages *s, unsigned p)
{
	uint64_t piece = s->part[p].done;

	return !s->part[p].busy && is_in_state(s, piece, SPREAD) &&
	       !is_whole(s, piece) &&
	       (course_of(s, piece) == AN_ON || parts_done(s) >= piece);
}

/* Return the first piece that is in @state, or s->begun. */
static uint64_t first_in_state(const struct al_stages *s, enum state state)
{
	uint64_t piece = s->ended;

	while (piece < s->begun && !is_in_state(s, piece, state))
		piece++;
	return piece;
}

/* Return the first piece that can be stored, or s->begun. */
static uint64_t first_to_store(const struct al_stages *s)
{
	uint64_t piece = s->ended;

	while (piece < s->prepared &&
	       s->lane[piece % s->lanes].store != TO_STORE)
		piece++;
	return piece < s->prepared ? piece : s->begun;
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
	unsigned last = s->parts;

	for (unsigned p = 0; s->parts > 1 && p < s->parts; p++)
		if (is_own(s->part[p].worker, worker) && can_part(s, p) &&
		    (last == s->parts || s->part[p].done < s->part[last].done))
			last = p;
	return last;
}

/* Assign part @p of the next piece, and of the pieces after it that can follow
   at once. */
static void assign_part(struct al_stages *s, struct al_job *job, unsigned p)
{
	uint64_t end = s->part[p].done + 1;

	while (is_in_state(s, end, SPREAD) && course_of(s, end) == AN_ON)
		end++;
	*job = (struct al_job){AL_PART, p, s->part[p].done, end, AN_ON};
	s->part[p].busy = true;
}

static void assign(struct al_job *job, enum al_stage stage, uint64_t piece)
{
	*job = (struct al_job){stage, 0, piece, piece + 1, AN_ON};
}

/* Assign an ordered stage that is @worker's own. Tail, join and prepare come
   before parts, because other stages wait for them. */
static bool next_in_order(struct al_stages *s, struct al_job *job,
			  unsigned worker)
{
	unsigned part = slowest_own_part(s, worker);

	if (can_tail(s) && is_own(s->tailer, worker)) {
		assign(job, AL_TAIL, s->ended);
		s->tailing = true;
	} else if (can_join(s) && is_own(s->joiner, worker)) {
		assign(job, AL_JOIN, s->joined);
		s->joining = true;
	} else if (can_prepare(s) && is_own(s->preparer, worker)) {
		assign(job, AL_PREPARE, s->prepared);
		s->preparing = true;
	} else if (s->parts > 1 && part < s->parts) {
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

	if (store < s->begun) {
		assign(job, AL_STORE, store);
		s->lane[store % s->lanes].store = STORING;
	} else if (s->parts > 1 && spread < s->begun) {
		assign(job, AL_SPREAD, spread);
		s->lane[spread % s->lanes].state = SPREADING;
	} else if (can_recover(s, loaded)) {
		assign(job, AL_RECOVER, loaded);
		s->lane[loaded % s->lanes].state = RECOVERING;
		s->recovering++;
	} else if (begun < s->begun) {
		assign(job, AL_LOAD, begun);
		s->lane[begun % s->lanes].state = LOADING;
	} else {
		return false;
	}
	return true;
}

static void note_worker(struct al_stages *s, const struct al_job *job,
			unsigned worker)
{
	if (job->stage == AL_JOIN)
		s->joiner = worker;
	else if (job->stage == AL_TAIL)
		s->tailer = worker;
	else if (job->stage == AL_PREPARE)
		s->preparer = worker;
	else if (job->stage == AL_PART)
		s->part[job->part].worker = worker;
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
	s->lane[lane].state = FREE;
	s->ended++;
}

bool al_stages_done(struct al_stages *s, const struct al_job *job)
{
	unsigned lane = job->piece % s->lanes;
	uint64_t ended = s->ended;

	switch (job->stage) {
	case AL_LOAD:
		s->lane[lane].state = LOADED;
		break;
	case AL_RECOVER:
		s->lane[lane].state = RECOVERED;
		s->recovering--;
		break;
	case AL_PREPARE:
		s->lane[lane].state =
			job->course == AN_WHOLE ? SPREAD : PREPARED;
		s->lane[lane].course = job->course;
		s->lane[lane].store = s->stores ? TO_STORE : STORED;
		s->prepared++;
		s->preparing = false;
		break;
	case AL_STORE:
		s->lane[lane].store = STORED;
		break;
	case AL_SPREAD:
		s->lane[lane].state = SPREAD;
		break;
	case AL_PART:
		s->part[job->part].done = job->end;
		s->part[job->part].busy = false;
		break;
	case AL_JOIN:
		for (unsigned p = 0; p < s->parts; p++)
			if (s->part[p].done == job->piece)
				s->part[p].done++; /* AN_WHOLE */
		s->joined++;
		s->joining = false;
		if (s->tails)
			s->lane[lane].state = JOINED;
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
	return s->ended > ended;
}

unsigned al_stages_ready(const struct al_stages *s)
{
	unsigned n = can_tail(s) + can_join(s) + can_prepare(s), recover = 0;

	for (unsigned p = 0; s->parts > 1 && p < s->parts; p++)
		n += can_part(s, p);
	for (uint64_t piece = s->ended; piece < s->begun; piece++) {
		n += s->parts > 1 && is_in_state(s, piece, PREPARED);
		n += is_in_state(s, piece, BEGUN);
		n += piece < s->prepared &&
		     s->lane[piece % s->lanes].store == TO_STORE;
		recover += can_recover(s, piece);
	}
	return n + (s->parts > 1 ? recover : recover > 0);
}
