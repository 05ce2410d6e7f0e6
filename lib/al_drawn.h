/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_drawn.h - the stages of a stream, in an order that is drawn
 */
#ifndef AL_DRAWN_H
#define AL_DRAWN_H

#include "lib/al_byhand.h"

enum { JOBS = 8 };

/* Does the jobs that there are in an order that is drawn, and at most @jobs at
   once, until @free chunks can be begun. */
static void work(struct al_stream *s, unsigned jobs, unsigned *free)
{
	static uint32_t drawn = 1;
	struct al_job job[JOBS];
	unsigned n = 0, want = *free;

	while (*free == want || n > 0) {
		unsigned i;

		while (n < jobs && *free == want &&
		       al_stream_next(s, &job[n], n + 1))
			n++;
		if (n == 0)
			break;
		drawn = drawn * 1103515245 + 12345;
		i = (drawn >> 16) % n;
		al_stream_do(s, &job[i]);
		*free += al_stream_done(s, &job[i]);
		job[i] = job[--n];
	}
}

/* An image of so many chunks, of CHUNK bytes each, one after the other in
   @words. */
static struct al_stream *play(const struct al_settings *how,
			      const uint64_t *words, unsigned chunks,
			      unsigned jobs)
{
	struct al_stream *s = al_stream_new(how, symbols, AL_FIRST_LABEL);
	unsigned free = al_stream_ahead(s);

	al_stream_log(s, &block, sizeof(block));
	for (unsigned n = 0; n < chunks; n++) {
		al_stream_begin(s, words + n * CHUNK / 8, CHUNK, 0);
		free--;
		while (free == 0)
			work(s, jobs, &free);
	}
	while (free < al_stream_ahead(s))
		work(s, jobs, &free);
	al_stream_finish(s);
	return s;
}

#endif
