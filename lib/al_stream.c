/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_stream.c - an image's analyzers and what feeds them; see al_stream.h */

#include "lib/al_stream.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/al_output.h"
#include "lib/al_recover.h"
#include "lib/al_symbols.h"

enum {
	STATE_ALIGN = 64,	     /* [bytes] */
	COUNTS_EVERY_NS = 300000000, /* for the status line */
};

/* One analysis of the image. */
struct analysis {
	const struct al_analysis *spec;
	struct al_stream *stream;
	struct an_env env;
	struct al_output output;
	void *state;
	int error; /* stopped: -errno */
};

struct al_stream {
	const struct al_settings *settings;
	struct al_symbols *symbols;
	unsigned number;
	struct al_recovery recovery;
	struct analysis analysis[AL_MAX_ANALYSES];
	int error; /* broken: -errno */
	struct al_counts now;
	uint64_t counted_ns; /* when `published` was last made */

	pthread_mutex_t lock; /* guards published */
	struct al_counts published;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static const char *option(void *host, const char *key)
{
	const struct al_analysis *a = ((struct analysis *)host)->spec;

	for (size_t i = 0; i < a->n_options; i++)
		if (strcmp(a->option[i].key, key) == 0)
			return a->option[i].value;
	return NULL;
}

static int write_output(void *host, const void *data, size_t len)
{
	struct analysis *a = host;

	if (a->output.file == NULL) {
		int err = al_output_open(&a->output, option(a, "file"),
					 a->stream->number);

		if (err)
			return err;
	}
	return al_output_write(&a->output, data, len);
}

static void name_symbol(void *host, const struct an_block *block,
			unsigned instr, struct an_symbol *out)
{
	struct al_stream *s = ((struct analysis *)host)->stream;
	const struct al_mapping *m =
		s->recovery.block[block->id]->desc->mapping;
	uint64_t addr = block->instr[instr].addr;

	if (m != NULL && addr - m->start < m->size)
		al_symbols_find(s->symbols, m->path, addr - m->bias, out);
	else
		al_symbols_find(s->symbols, NULL, addr, out);
}

static int open_analysis(struct analysis *a, struct al_stream *s, size_t i)
{
	const struct an_class *c = s->settings->analysis[i].class;
	size_t size =
		(c->state_size + STATE_ALIGN) & ~(size_t)(STATE_ALIGN - 1);

	a->spec = &s->settings->analysis[i];
	a->stream = s;
	a->env = (struct an_env){
		.host = a,
		.geometry = &s->settings->geometry,
		.option = option,
		.write = write_output,
		.symbol = name_symbol,
	};
	a->state = aligned_alloc(STATE_ALIGN, size);
	if (a->state == NULL)
		return -ENOMEM;
	memset(a->state, 0, size);
	a->error = c->open ? c->open(a->state, &a->env) : 0;
	return 0;
}

/* Hands a block to every analysis; one that fails is stopped. */
static int tell_block(void *user, const struct an_block *block)
{
	struct al_stream *s = user;

	for (size_t i = 0; i < s->settings->n_analyses; i++) {
		struct analysis *a = &s->analysis[i];

		if (!a->error && a->spec->class->block)
			a->error = a->spec->class->block(a->state, block);
	}
	return 0;
}

static struct al_stream *new_stream(const struct al_settings *settings,
				    struct al_symbols *symbols, unsigned number)
{
	struct al_stream *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->settings = settings;
	s->symbols = symbols;
	s->number = number;
	pthread_mutex_init(&s->lock, NULL);
	al_blocks_init(&s->recovery.blocks, symbols);
	s->recovery.user = s;
	s->recovery.on_block = tell_block;
	for (size_t i = 0; i < settings->n_analyses; i++)
		if (open_analysis(&s->analysis[i], s, i) != 0) {
			al_stream_free(s);
			errno = ENOMEM;
			return NULL;
		}
	return s;
}

struct al_stream *al_stream_new(const struct al_settings *settings,
				struct al_symbols *symbols, unsigned number)
{
	return new_stream(settings, symbols, number);
}

struct al_stream *al_stream_fork(const struct al_stream *parent,
				 uint32_t n_blocks, unsigned number)
{
	struct al_stream *s =
		new_stream(parent->settings, parent->symbols, number);
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
	return new_stream(settings, NULL, 0);
}

int al_stream_log(struct al_stream *s, const void *log, size_t bytes)
{
	if (s->error == 0)
		s->error = al_blocks_take(&s->recovery.blocks, log, bytes);
	return s->error;
}

/* Adds up what one way out of a block did, @times over. */
static void count_exit(struct al_counts *c, const struct al_block *b,
		       unsigned exit, uint64_t times)
{
	const struct pt_exit *e = &b->desc->exit[exit];

	c->blocks += times;
	c->instructions += times * e->n_instrs;
	for (unsigned i = 0; i < e->n_accesses; i++) {
		unsigned kind = b->desc->access[i].kind;

		c->reads += times * (kind != PT_STORE);
		c->writes += times * (kind != PT_LOAD);
		c->modifies += times * (kind == PT_MODIFY);
	}
}

static void uncount_skips(struct al_counts *c, const struct al_block *b)
{
	for (unsigned i = 0; b->skipped != NULL && i < b->desc->n_accesses; i++)
		if (b->desc->access[i].kind == PT_STORE)
			c->writes -= b->skipped[i];
		else
			c->reads -= b->skipped[i];
}

static void publish_counts(struct al_stream *s, uint64_t at_ns)
{
	struct al_counts c = {
		.threads = s->now.threads + s->recovery.threads,
		.signals = s->now.signals + s->recovery.signals,
		.unit_bytes = s->now.unit_bytes,
		.recovery_ns = s->now.recovery_ns,
		.analysis_ns = s->now.analysis_ns,
		.instructions = s->now.instructions,
		.reads = s->now.reads,
		.writes = s->now.writes,
		.modifies = s->now.modifies,
		.blocks = s->now.blocks,
	};

	al_recovery_settle(&s->recovery);
	for (uint32_t i = 0; i < s->recovery.n_blocks; i++) {
		const struct al_block *b = s->recovery.block[i];

		for (unsigned e = 0; e < b->desc->n_exits; e++)
			if (b->left[e] != 0)
				count_exit(&c, b, e, b->left[e]);
		uncount_skips(&c, b);
	}
	s->counted_ns = at_ns;
	pthread_mutex_lock(&s->lock);
	s->published = c;
	pthread_mutex_unlock(&s->lock);
}

static void analyse_batch(struct al_stream *s, const uint32_t *base)
{
	const struct al_recovery *r = &s->recovery;
	struct an_batch batch = {
		.exec = r->exec,
		.n_execs = r->n_execs,
		.base = base,
		.mark = r->mark,
		.n_marks = r->n_marks,
	};

	for (size_t i = 0; i < s->settings->n_analyses; i++) {
		struct analysis *a = &s->analysis[i];

		if (!a->error && a->spec->class->batch)
			a->error = a->spec->class->batch(a->state, &batch);
	}
}

static int analyse(struct al_stream *s, struct al_cursor *c)
{
	uint64_t start = now_ns(), recovered, done;
	int err;

	do {
		err = al_recover(&s->recovery, c);
		recovered = now_ns();
		if (s->recovery.n_execs + s->recovery.n_marks > 0)
			analyse_batch(s, c->base);
		done = now_ns();
		s->now.recovery_ns += recovered - start;
		s->now.analysis_ns += done - recovered;
		start = done;
	} while (err == 0 && c->at < c->end);
	if (done - s->counted_ns > COUNTS_EVERY_NS)
		publish_counts(s, done);
	return err;
}

int al_stream_chunk(struct al_stream *s, const uint64_t *words, size_t bytes,
		    size_t end)
{
	const uint32_t *base = (const uint32_t *)words;
	uint64_t committed = end ? end : pt_slot(base + 2);
	struct al_cursor c = {base, PT_CHUNK_HEAD / 4, committed / 4};

	if (s->error)
		return s->error;
	/* An execution may read one slot more than it has. */
	if (pt_half(base) != pt_control_header(PT_CHUNK, PT_CHUNK_HEAD) ||
	    committed % 4 != 0 || committed < PT_CHUNK_HEAD ||
	    committed > bytes - 8) {
		s->error = -EPROTO;
		return s->error;
	}
	s->error = analyse(s, &c);
	s->now.unit_bytes += c.at * 4;
	return s->error;
}

void al_stream_finish(struct al_stream *s)
{
	uint64_t start = now_ns();

	al_recovery_settle(&s->recovery);
	for (size_t i = 0; i < s->settings->n_analyses; i++) {
		struct analysis *a = &s->analysis[i];
		int err;

		if (!a->error && a->spec->class->finish)
			a->error = a->spec->class->finish(a->state);
		err = al_output_close(&a->output);
		if (!a->error)
			a->error = err;
	}
	s->now.analysis_ns += now_ns() - start;
	publish_counts(s, start);
}

static void add_counts(struct al_counts *to, const struct al_counts *c)
{
	to->instructions += c->instructions;
	to->reads += c->reads;
	to->writes += c->writes;
	to->modifies += c->modifies;
	to->blocks += c->blocks;
	to->threads += c->threads;
	to->signals += c->signals;
	to->unit_bytes += c->unit_bytes;
	to->recovery_ns += c->recovery_ns;
	to->analysis_ns += c->analysis_ns;
}

void al_stream_merge(struct al_stream *into, const struct al_stream *from)
{
	struct al_counts c = al_stream_counts(from);

	add_counts(&into->now, &c);
	publish_counts(into, 0);
	for (size_t i = 0; i < into->settings->n_analyses; i++) {
		struct analysis *a = &into->analysis[i];

		if (!a->error)
			a->error = from->analysis[i].error;
		if (!a->error && a->spec->class->merge)
			a->error = a->spec->class->merge(
				a->state, from->analysis[i].state);
	}
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
	*state = s->analysis[i].state;
	return s->analysis[i].error;
}

void al_stream_free(struct al_stream *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->settings->n_analyses; i++) {
		struct analysis *a = &s->analysis[i];

		if (a->state != NULL && a->spec->class->close)
			a->spec->class->close(a->state);
		free(a->state);
		al_output_close(&a->output);
	}
	al_recovery_release(&s->recovery);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
