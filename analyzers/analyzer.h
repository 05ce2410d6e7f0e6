/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analyzer.h - the interface of an analysis
 *
 * The host gives each process image a state of its own and calls
 *
 *   open   block* batch  block* batch ...  finish  totals, report, print
 *                                           merge                    close
 *
 * from one thread at a time, but for prepare() and tail(), so an analyzer holds no locks,
 * starts no threads, opens no files and has no globals that change. Different
 * states run on different threads at once.
 *
 * An analyzer with much to do may do some of it in prepare(), which is called
 * for every batch before batch() is, and runs a few chunks ahead of it, on
 * another thread. block() is then called on that thread, too. What one hands
 * to the other it keeps by lane: all batches of a chunk are prepared before the
 * first of them comes to batch(), and a lane is used again when its chunk is
 * done.
 *
 * What is left of a chunk behind its last batch, tail() may do, in order, while
 * batch() gets the next: again on another thread, and by what is in the lane,
 * which is used again when its tail is done. Warm batches are gone by then.
 *
 * Where there are many threads, an analyzer that can works in parts, which
 * share nothing that they change. Then, instead of batch():
 *
 *   spread   every batch of a chunk, after it was prepared: finds out what is
 *            which part's. Chunks may be spread at once and in any order.
 *   part     a whole chunk, after it was spread. Each part takes the chunks in
 *            order, and has at most one at a time; different parts may be at
 *            different chunks.
 *   join     a whole chunk, after every part had it; in order, one at a time;
 *            then comes its tail, if there is any.
 *
 * begin() may ask that parts meet, or that they rest while batch() gets a chunk.
 * All of them find in the lane what the stages before have left there. Any of
 * them may run at once with prepare() for a later chunk.
 *
 * What a stream guarantees:
 *   - batches come in program order; within a batch executions are in program
 *     order, and so are the accesses within a block;
 *   - block() has been called for every block that a batch executes;
 *   - an execution ends at one of its block's exits; everything before that
 *     exit happened, but for guarded accesses whose slot is PT_NOT_DONE. A
 *     block stopped by a fault appears as an execution of a shorter block
 *     (same addresses, one exit), so an analyzer never sees half of one;
 *   - marks tell what happened between two executions.
 *
 * Warm batches (windows with a warmup) are what the program did before it was
 * recorded. Only analyses that ask for them get any: they bring their caches
 * into the state that what comes next found there, and count nothing. They come
 * to prepare() and batch(), where they belong in program order, and have
 * executions of blocks of their own, which no other batch has. A chunk that has
 * some is never worked on in parts.
 */
#ifndef ANALYZER_H
#define ANALYZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/geometry.h"
#include "base/text/report_sink.h"
#include "base/text/source_location.h"
#include "proto/hello.h"
#include "proto/log.h"
#include "proto/shared/atomic.h"
#include "proto/unit.h"

/* A block. Lives, with its arrays, until the state is closed. */
struct an_block {
	uint32_t id; /* dense from 0 within a state */
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint16_t n_exits;
	uint16_t n_slots;
	const struct pt_instr *instr;
	const struct pt_access *access;
	const struct pt_exit *exit;
	const uint64_t *left;	 /* [n_exits] executions that left there */
	const uint64_t *skipped; /* [n_accesses] times its guard was false;
				    NULL when no access is guarded */
	bool warm;		 /* of warm batches: left and skipped stay 0 */
};

/* One execution. Its slots: an_slot(). */
struct an_exec {
	uint32_t block;
	uint32_t where; /* exit in the upper AN_EXIT_BITS bits, then place */
};

enum { AN_EXIT_BITS = 10 };

static inline unsigned an_exit(struct an_exec e)
{
	return e.where >> (32 - AN_EXIT_BITS);
}

/* Where its first slot lies in the batch. [4 bytes] */
static inline uint32_t an_at(struct an_exec e)
{
	return e.where & ((1u << (32 - AN_EXIT_BITS)) - 1);
}

static inline struct an_exec an_exec(uint32_t block, unsigned exit, uint32_t at)
{
	return (struct an_exec){block, exit << (32 - AN_EXIT_BITS) | at};
}

/* Something between executions: exec[before - 1] and exec[before]. */
struct an_mark {
	uint32_t before;
	uint32_t kind; /* enum pt_kind: PT_THREAD, PT_SIGNAL, ... */
	uint32_t id;   /* as in the unit */
};

/* Batches that are prepared and not yet analysed are of so many chunks; each
   chunk has a lane of its own. */
enum { AN_LANES = 12 };

enum { AN_BATCH = 1024 }; /* executions in a batch, at most */

enum { AN_MAX_PARTS = 64 };

/* How an analysis in parts goes on with a chunk. */
enum an_course {
	AN_ON,
	AN_MEET, /* part() waits until every part is done with the chunk before:
		     what is which part's changes */
	AN_WHOLE, /* the same, and then batch() gets it, and not spread(), part()
		     or join(): its lists would be too long */
};

struct an_batch {
	const struct an_exec *exec;
	size_t n_execs;
	size_t first;	      /* its number in the chunk */
	const uint32_t *base; /* read through an_slot() only */
	const struct an_mark *mark;
	size_t n_marks;
	unsigned lane; /* 0..AN_LANES - 1 */
	bool warm;     /* nothing of it counts */
};

/**
 * an_slot() - Read slot @slot of an execution.
 *
 * Slots lie in memory that the traced program can write, so any value may
 * stand there and may change: load once, and never let a value reach an array
 * index unmasked.
 */
static inline uint64_t an_slot(const struct an_batch *b, struct an_exec e,
			       unsigned slot)
{
	return pt_slot(b->base + an_at(e) + 2 * slot);
}

struct an_env {
	void *host;
	const struct an_geometry *geometry;
	char *const *command; /* for save(): program and arguments of the run's
				 first image, NULL-terminated; or NULL */

	/* Value of --analyze=NAME:key=value, or NULL. */
	const char *(*option)(void *host, const char *key);

	/* Appends to the analysis's output (its option "file", or standard
	   output). 0 or -errno. */
	int (*write)(void *host, const void *data, size_t len);

	/* Names instruction @instr of a block of this state; costs about a
	   microsecond, and in block() or batch() may have to wait until the
	   object's names have been read. */
	void (*symbol)(void *host, const struct an_block *block, unsigned instr,
		       struct an_symbol *out);

	/* Zeroed memory that may be written and executed, and costs nothing
	   until it is used; the state's until it is closed. NULL: there is
	   none, or it was asked for before. */
	void *(*code)(void *host, size_t bytes);
};

struct an_option {
	const char *key;    /* NULL ends the list */
	const char *values; /* "lackey|text", or a word such as "PATH" */
	const char *help;
};

struct an_class {
	const char *name;    /* on the command line and in the JSON */
	const char *summary; /* one line for --help */
	const struct an_option *options; /* may be NULL */
	uint32_t needs;	   /* enum pt_fields; the tool emits the union */
	bool names;	   /* finish() will ask for names of code */
	bool caches;	   /* uses env->geometry: where several cache files are
			      given, each has a state of its own */
	bool sweeps;	   /* and of those only files with a sweep, where it
			      is the default; geometry->sweep is not NULL */
	bool warms;	   /* takes warm batches */
	bool prints;	   /* to standard output when no "file" is given */
	size_t state_size; /* [bytes]; the host allocates, zeroed, aligned to
			      64 */

	/* All optional. int: 0 or -errno; a failing analyzer is stopped and
	   named in the report, the run goes on. */
	int (*open)(void *state, const struct an_env *env);
	int (*block)(void *state, const struct an_block *block);
	int (*prepare)(void *state,
		       const struct an_batch *batch); /* without marks */
	int (*batch)(void *state, const struct an_batch *batch);

	/*
	 * In parts, see above; all of these or none, and prepare() with them.
	 *
	 * partition: before the first block. @parts: as many as are worth
	 * while, 2..AN_MAX_PARTS. Return: how many it will work in, at most so
	 * many; less than 2: not in parts.
	 *
	 * begin: on the thread of prepare(), before the first batch of a chunk.
	 */
	unsigned (*partition)(void *state, unsigned parts);
	enum an_course (*begin)(void *state, const struct an_batch *chunk);
	int (*spread)(void *state, const struct an_batch *batch);
	int (*part)(void *state, const struct an_batch *chunk, unsigned part);
	int (*join)(void *state, const struct an_batch *chunk);

	/* Of a chunk that batch() or join() is done with, in order, while they
	   and block() go on with the next: what is left. Of one without
	   executions, too, which may come before the first block; not after
	   any of these has failed. */
	int (*tail)(void *state, const struct an_batch *chunk);

	int (*finish)(
		void *state); /* the image ended; drop what batch() needed */
	int (*merge)(void *into,
		     const void *from); /* both finished; in any order */
	void (*totals)(const void *state,
		       struct an_sink *); /* of a process: numbers that add up
					     over images, always the same ones;
					     keys live as long as the class */
	void (*how)(
		const void *state,
		struct an_sink *); /* it was done; may differ between runs */
	void (*report)(const void *state, struct an_sink *);
	void (*print)(const void *state, struct an_text *);
	void (*details)(const void *state,
			struct an_text *); /* after every print() */
	int (*save)(const void *state);	   /* when all is merged: the output */
	void (*close)(void *state);
};

/* Every analyzer, in the order of --help; ended by NULL. The first is the
   default. */
extern const struct an_class *const an_classes[];

#endif
