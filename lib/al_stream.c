/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_stream.c - an image's analyzers and what feeds them; see al_stream.h */

#include "lib/al_stream.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/al_analyst.h"
#include "lib/al_counts.h"
#include "lib/al_piece.h"
#include "lib/al_recover.h"
#include "lib/al_symbols.h"

enum { COUNTS_EVERY_NS = 300000000 }; /* for the status line */

struct al_stream {
	struct al_host host;
	bool names; /* of code are wanted */

	/* Of recovery. */
	struct al_recovery recovery;
	int error;	      /* broken: -errno */
	uint64_t n_recovered; /* pieces */
	uint64_t unit_bytes;
	uint64_t recovery_ns;
	uint64_t counted_ns; /* when `published` was last made */

	/* Of preparation. */
	uint64_t n_prepared; /* pieces */

	/* Of analysis, but for what al_analyst_prepare() needs. */
	struct al_analyst analyst[AL_MAX_ANALYSES];
	uint64_t n_analysed; /* pieces */

	/* Of each in turn; see al_stream_recover(). */
	struct al_piece piece[AL_PIECES];

	pthread_mutex_t lock; /* guards published */
	struct al_counts published;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static struct al_stream *new_stream(const struct al_settings *settings,
				    struct al_symbols *symbols,
				    const char *label)
{
	struct al_stream *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->host.settings = settings;
	s->host.symbols = symbols;
	snprintf(s->host.label, sizeof(s->host.label), "%s", label);
	s->host.recovery = &s->recovery;
	pthread_mutex_init(&s->lock, NULL);
	al_blocks_init(&s->recovery.blocks, symbols);
	for (size_t i = 0; i < settings->n_analyses; i++)
		s->names |= settings->analysis[i].class->names;
	for (size_t i = 0; i < settings->n_analyses; i++)
		if (al_analyst_open(&s->analyst[i], &s->host, i) != 0) {
			al_stream_free(s);
			errno = ENOMEM;
			return NULL;
		}
	return s;
}

static void release_pieces(struct al_stream *s)
{
	for (size_t i = 0; i < AL_PIECES; i++)
		al_piece_release(&s->piece[i]);
}

struct al_stream *al_stream_new(const struct al_settings *settings,
				struct al_symbols *symbols, const char *label)
{
	return new_stream(settings, symbols, label);
}

struct al_stream *al_stream_fork(const struct al_stream *parent,
				 uint32_t n_blocks, const char *label)
{
	struct al_stream *s =
		new_stream(parent->host.settings, parent->host.symbols, label);
	int err;

	if (s == NULL)
		return NULL;
	err = al_blocks_borrow(&s->recovery.blocks, &parent->recovery.blocks,
			       n_blocks);
	if (err == 0)
		return s;
	al_stream_free(s);
	errno = -err;
	return NULL;
}

struct al_stream *al_stream_total(const struct al_settings *settings)
{
	return new_stream(settings, NULL, "");
}

/* Objects mapped since there were @n. */
static void read_names_ahead(struct al_stream *s, size_t n)
{
	const struct al_blocks *b = &s->recovery.blocks;

	for (; n < b->n_mappings; n++)
		al_symbols_ahead(s->host.symbols, b->mapping[n]->path);
}

int al_stream_log(struct al_stream *s, const void *log, size_t bytes)
{
	size_t n_mappings = s->recovery.blocks.n_mappings;

	if (s->error == 0)
		s->error = al_blocks_take(&s->recovery.blocks, log, bytes);
	if (s->names)
		read_names_ahead(s, n_mappings);
	return s->error;
}

/* The figures, but for the time of the other stages. */
static void publish_counts(struct al_stream *s, uint64_t at_ns)
{
	struct al_counts c = {
		.unit_bytes = s->unit_bytes,
		.recovery_ns = s->recovery_ns,
	};

	al_recovery_settle(&s->recovery);
	al_counts_recovered(&c, &s->recovery);
	s->counted_ns = at_ns;
	pthread_mutex_lock(&s->lock);
	c.analysis_ns = s->published.analysis_ns;
	s->published = c;
	pthread_mutex_unlock(&s->lock);
}

static int recover(struct al_stream *s, struct al_piece *p,
		   const uint32_t *base, size_t bytes, size_t end)
{
	uint64_t committed = end ? end : pt_slot(base + 2);
	struct al_cursor c = {base, PT_CHUNK_HEAD / 4, committed / 4};
	int err = al_piece_start(p, base, bytes);

	if (err || s->error)
		return s->error ? s->error : err;
	/* An execution may read one slot more than it has. */
	if (pt_half(base) != pt_control_header(PT_CHUNK, PT_CHUNK_HEAD) ||
	    committed % 4 != 0 || committed < PT_CHUNK_HEAD ||
	    committed > bytes - 8)
		return -EPROTO;
	err = al_recover(&s->recovery, &c, p);
	s->unit_bytes += c.at * 4;
	return err;
}

int al_stream_recover(struct al_stream *s, const uint64_t *words, size_t bytes,
		      size_t end)
{
	unsigned lane = s->n_recovered++ % AL_PIECES;
	struct al_piece *p = &s->piece[lane];
	uint64_t start = now_ns(), done;

	p->lane = lane;

	s->error = recover(s, p, (const uint32_t *)words, bytes, end);
	done = now_ns();
	s->recovery_ns += done - start;
	if (done - s->counted_ns > COUNTS_EVERY_NS)
		publish_counts(s, done);
	return s->error;
}

static void note_analysis(struct al_stream *s, uint64_t start_ns)
{
	uint64_t ns = now_ns() - start_ns;

	pthread_mutex_lock(&s->lock);
	s->published.analysis_ns += ns;
	pthread_mutex_unlock(&s->lock);
}

void al_stream_prepare(struct al_stream *s)
{
	struct al_piece *p = &s->piece[s->n_prepared++ % AL_PIECES];
	uint64_t start = now_ns();

	for (size_t i = 0; i < s->host.settings->n_analyses; i++)
		al_analyst_prepare(&s->analyst[i], p);
	note_analysis(s, start);
}

void al_stream_analyse(struct al_stream *s)
{
	struct al_piece *p = &s->piece[s->n_analysed++ % AL_PIECES];
	size_t n = s->host.settings->n_analyses;
	uint64_t start = now_ns();
	struct an_batch batch;

	for (size_t i = 0; i < n; i++)
		al_analyst_begin(&s->analyst[i], p);
	while (al_piece_batch(p, &batch))
		for (size_t i = 0; i < n; i++)
			al_analyst_batch(&s->analyst[i], &batch);
	for (size_t i = 0; i < n; i++)
		p->error[i] = s->analyst[i].error;
	note_analysis(s, start);
}

int al_stream_chunk(struct al_stream *s, const uint64_t *words, size_t bytes,
		    size_t end)
{
	int err = al_stream_recover(s, words, bytes, end);

	al_stream_prepare(s);
	al_stream_analyse(s);
	return err;
}

void al_stream_finish(struct al_stream *s)
{
	uint64_t start = now_ns();

	release_pieces(s);
	publish_counts(s, start);
	for (size_t i = 0; i < s->host.settings->n_analyses; i++)
		al_analyst_finish(&s->analyst[i]);
	note_analysis(s, start);
}

void al_stream_merge(struct al_stream *into, const struct al_stream *from)
{
	struct al_counts c = al_stream_counts(from);

	pthread_mutex_lock(&into->lock);
	al_counts_add(&into->published, &c);
	pthread_mutex_unlock(&into->lock);
	for (size_t i = 0; i < into->host.settings->n_analyses; i++)
		al_analyst_merge(&into->analyst[i], &from->analyst[i]);
}

struct al_counts al_stream_counts(const struct al_stream *s)
{
	pthread_mutex_t *lock = (pthread_mutex_t *)&s->lock;
	struct al_counts c;

	pthread_mutex_lock(lock);
	c = s->published;
	pthread_mutex_unlock(lock);
	return c;
}

int al_stream_last_signal(const struct al_stream *s)
{
	const struct al_recovery *r = &s->recovery;

	if (r->n_blocks == 0)
		return 0;
	return r->block[r->last.block]->desc->exit[an_exit(r->last)].signal;
}

size_t al_stream_child_exits(const struct al_stream *s,
			     const struct al_child_exit **exits)
{
	*exits = s->recovery.child;
	return s->recovery.n_children;
}

int al_stream_state(const struct al_stream *s, size_t i, const void **state)
{
	*state = s->analyst[i].state;
	return s->analyst[i].error;
}

int al_stream_save(struct al_stream *s, size_t i)
{
	return al_analyst_save(&s->analyst[i]);
}

void al_stream_free(struct al_stream *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->host.settings->n_analyses; i++)
		al_analyst_close(&s->analyst[i]);
	release_pieces(s);
	al_recovery_release(&s->recovery);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
