/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analyzer.h - defines the interface between an analysis and its host
 *
 * An analysis ("analyzer") is a struct an_class of callbacks. The host creates
 * a state for each process image, or several: one for each cache file, if the
 * analysis uses caches, and for each window with a report of its own. For each
 * state it calls
 *
 *   open   block* batch  block* batch ...  finish   report..., result, save
 *                                            merge                      close
 *
 * from one thread at a time; only prepare() (and block() with it), tail() and
 * the callbacks for partitioned work run on other threads. So an analyzer takes
 * no locks, starts no threads, opens no files and has no globals that change.
 * Different states run on different threads at once. Results are summed in a
 * state that gets no blocks, batches or finish(), only open() and merge().
 *
 * A chunk is a part of the stream that holds several batches. Chunks are in
 * flight between their preparation and the end of their tail; each has one of
 * AN_INFLIGHT_SLOTS in-flight slots, numbered by an_batch.inflight_slot, for
 * which the analyzer may hold data. A slot is reused when its chunk is done.
 *
 * Preparation: prepare(), if there is one, is called for every batch that has
 * executions before batch() is, on another thread, for chunks up to
 * AN_INFLIGHT_SLOTS - 1 ahead; block() is then called on that thread as well.
 * All batches of a chunk are prepared before the first of them reaches batch(),
 * which finds the results of prepare() in the data of the slot.
 *
 * Tail: tail(), if there is one, does the rest of the work of a chunk after its
 * last batch, in chunk order, on a third thread, while batch() processes the
 * next chunk. The only data that it shares with the other callbacks are those
 * of the slot, which is reused when tail() has returned. The executions of
 * warm-up batches no longer exist by then.
 *
 * Partitioned work: with several threads, an analyzer can divide its work into
 * partitions that share no data that they change. Then these callbacks replace
 * batch(), and block() is called on the thread of prepare():
 *
 *   scatter         every batch of a chunk that has executions, after
 *                   prepare(): lists the work of each partition. Several chunks
 *                   may be scattered at once, in any order. There may be none.
 *   run_partition   one partition of a whole chunk, after scatter(). A
 *                   partition gets the chunks in order, one at a time;
 *                   different partitions may be at different chunks.
 *   gather          a whole chunk, after all of its partitions; in order, one
 *                   at a time; tail() follows, if there is one. There may be
 *                   none.
 *
 * begin_chunk() may request a barrier before a chunk's partitions, or that
 * batch() gets the chunk while the partitions are idle. Each of these callbacks
 * finds the results of the earlier stages in the data of the slot. Each may run
 * while prepare() works on a later chunk.
 *
 * Guarantees of the stream:
 * - batches come in program order; within a batch executions are in program
 *   order, and so are the accesses within a block;
 * - block() has been called for every block that a batch executes;
 * - an execution ends at one of its block's exits. Everything before that exit
 *   happened, except guarded accesses whose slot is PT_NOT_DONE. A block that a
 *   fault stopped appears as an execution of a shorter block (same addresses,
 *   one exit), so an analyzer never sees a partial execution;
 * - marks and events describe what happened between two executions: marks have
 *   a number, events have words. A chunk's events come to batch(), batch by
 *   batch, and to run_partition(), gather() and tail(), all at once.
 *
 * Warm-up batches (windows with a warmup) hold what the program executed before
 * recording began. Only analyses with an_class.accepts_warmup get any.
 * They bring simulated caches into the state that the recorded executions
 * found, and are not counted. They pass through prepare() and batch() in
 * program order, and execute blocks of their own, which no other batch uses. A
 * chunk that contains one is never partitioned.
 */
#ifndef ANALYZER_H
#define ANALYZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/geometry.h"
#include "base/result/model.h"
#include "base/text/data_type.h"
#include "base/text/report_sink.h"
#include "base/text/source_location.h"
#include "proto/hello.h"
#include "proto/log.h"
#include "proto/shared/atomic.h"
#include "proto/unit.h"

/* A block: code that Valgrind translates at once, with one entry. Valid, with
   its arrays, until the state of the analysis is closed. */
struct an_block {
	uint32_t id; /* number of the block, consecutive from 0 within one
			state of an analysis */
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint16_t n_exits;
	uint16_t n_slots;
	const struct pt_instr *instr;
	const struct pt_access *access;
	const struct pt_exit *exit;
	/* Side exits (conditional branches) that were not taken before a fault
	   (such as SIGSEGV) stopped the execution: this block is the executed
	   part of a longer one, and has one exit. Empty otherwise. */
	const struct pt_exit *passed_exit;
	uint16_t n_passed_exits;
	const uint8_t *code; /* machine code of the block's instructions, one
				after the other; NULL: unknown */
	const uint64_t *exit_count; /* [n_exits] executions that left the
				       block by each exit */
	const uint64_t *skip_count; /* [n_accesses] executions in which the
				    access's guard was false; NULL if no access
				    is guarded */
	bool warm;		    /* executed only in warm-up batches;
				       exit_count and skip_count stay 0 */
};

/* One execution of a block. Read its slots (recorded addresses and values) with
   an_exec_slot_value(). */
struct an_exec {
	uint32_t block;
	uint32_t exit_and_offset; /* exit in the upper AN_EXIT_BITS bits,
				    an_exec_first_slot_word_index() in the
				    others */
};

enum { AN_EXIT_BITS = 10 };

static inline unsigned an_exec_exit_number(struct an_exec e)
{
	return e.exit_and_offset >> (32 - AN_EXIT_BITS);
}

/* Return the index in an_batch.slots [4 bytes] of the execution's first slot
   (recorded address or value). */
static inline uint32_t an_exec_first_slot_word_index(struct an_exec e)
{
	return e.exit_and_offset & ((1u << (32 - AN_EXIT_BITS)) - 1);
}

static inline struct an_exec an_exec(uint32_t block, unsigned exit_number,
				     uint32_t first_slot_word_index)
{
	return (struct an_exec){block, exit_number << (32 - AN_EXIT_BITS) |
					       first_slot_word_index};
}

/* A mark (thread switch, signal and so on) between exec[before_exec - 1] and
   exec[before_exec] of a batch. */
struct an_mark {
	uint32_t before_exec;
	uint32_t kind; /* kind of the mark, enum pt_kind: PT_THREAD,
			  PT_SIGNAL, ... */
	uint32_t id;   /* number that the kind has (proto/unit.h), such as
			  that of the thread, signal or window */
};

/* An event (allocation, mapping and so on) with words between two executions: a
   unit of the stream of kind PT_FIRST_EVENT or later. Its words are
   untrusted. */
struct an_stream_event {
	uint32_t before_exec; /* index in the chunk of the first execution after
				 the event */
	uint32_t kind;	      /* enum pt_kind, or a kind of a later version */
	uint32_t id;
	uint32_t n_words;
	size_t first_word; /* index in an_batch.event_word */
};

/* maximum number of chunks in flight: prepared, and their tail not yet done */
enum { AN_INFLIGHT_SLOTS = 12 };

/* maximum of executions that one call of batch() receives */
enum { AN_MAX_BATCH = 1024 };

enum { AN_MAX_PARTITIONS = 64 };

/* Order in which the host (the program that calls the analysis) processes the
   next chunk of a partitioned analysis. */
enum an_chunk_mode {
	AN_CHUNK_CONTINUE,
	AN_CHUNK_BARRIER, /* barrier: run_partition() of this chunk waits until
			     every partition has finished the chunk before,
			     because the assignment of work to partitions
			     changes */
	AN_CHUNK_SERIAL,  /* barrier, then batch() gets the chunk instead of
			    scatter(), run_partition() and gather(), because the
			    lists of its work would be too long, or because it
			    has a warm-up batch */
};

struct an_batch {
	const struct an_exec *exec;
	size_t n_execs;
	size_t first_exec; /* index of exec[0] in the chunk */
	const uint32_t
		*slots; /* words of 4 bytes: the slots of all executions; read
			   them with an_exec_slot_value() only */
	const struct an_mark *mark;
	size_t n_marks;
	/* Events between the executions of the batch; those after the last
	   execution of the chunk are in its last batch. prepare() and scatter()
	   receive no marks and no events. */
	const struct an_stream_event *event;
	size_t n_events;
	const uint64_t *event_word; /* words of all events of the chunk */
	unsigned inflight_slot;	    /* of the chunk: 0..AN_INFLIGHT_SLOTS - 1 */
	bool warm; /* warm-up: nothing in the batch is counted */
};

/**
 * an_exec_slot_value() - Read slot @slot (a recorded address or value) of an
 * execution.
 *
 * Slots may lie in memory that the traced program can write, so a slot may hold
 * any value and may change at any time: load it once, and never use a value as
 * an array index without masking it.
 */
static inline uint64_t an_exec_slot_value(const struct an_batch *b,
					  struct an_exec e, unsigned slot)
{
	return pt_read_shared_unaligned_u64_once(
		b->slots + an_exec_first_slot_word_index(e) + 2 * slot);
}

/* Return word number @word_index, from 0, of event @e of batch @b; 0 if the
   event has no such word. */
static inline uint64_t
an_stream_event_word_or_0(const struct an_batch *b,
			  const struct an_stream_event *e, unsigned word_index)
{
	return word_index < e->n_words
		       ? b->event_word[e->first_word + word_index]
		       : 0;
}

struct an_env {
	void *host;
	const struct an_geometry *geometry;
	char *const *command; /* for save(): program and arguments of the run's
				 first image, NULL-terminated; NULL or empty if
				 unknown */

	/* Return the value of --analyze=NAME:key=value, or NULL. */
	const char *(*option)(void *host, const char *key);

	/* Append to the output of the analysis: the file of its option "file",
	   or standard output. Return: 0 or -errno. */
	int (*write)(void *host, const void *data, size_t len);

	/* Set @out to the function, source line and object file of instruction
	   @instr of a block that this analysis received. Takes about a
	   microsecond; in block() or batch() it may have to wait until the
	   object file's symbols have been read. */
	void (*symbol)(void *host, const struct an_block *block, unsigned instr,
		       struct an_symbol *out);

	/* Set @out to the function, source line and object file of the
	   instruction that contained the byte at @addr when the tool had
	   written @log_bytes bytes to the process's log (descriptors of code).
	   @addr must be the first address in a PT_SITE event, such as that of
	   the allocator's function, or the address of the byte before a return
	   address in that event, because a profile stores no names of other
	   code that was not executed. May have to wait, as symbol(). Return:
	   whether the byte lies in a mapping of the section .text of an object
	   file; if not, the name is known in finish() only. */
	bool (*symbol_in_site)(void *host, uint64_t addr, uint64_t log_bytes,
			       struct an_symbol *out);

	/* Return the type of the variable at @addr of the object file @path,
	   whose code (PT_MAPPED) begins at @code_start; NULL if it is not
	   known. Any thread; the first call for a file may take seconds. */
	const struct an_type *(*variable_type)(void *host, const char *path,
					       uint64_t code_start,
					       uint64_t addr);

	/* Return the type of the thread-local variable at @offset [bytes] in
	   the thread-local segment (PT_TLS) of the object file @path; NULL if
	   it is not known. Any thread, as variable_type(). */
	const struct an_type *(*thread_variable_type)(void *host,
						      const char *path,
						      uint64_t offset);

	/* Return the structure that instruction @instr of @block accesses; NULL
	   if it does not follow from the debug information and the code of the
	   function. Any thread, as variable_type(). */
	const struct an_type *(*accessed_type)(void *host,
					       const struct an_block *block,
					       unsigned instr);

	/* Offer @observer to an analysis that receives the same batches,
	   simulates the same caches, and has
	   an_class.observable_simulation. Both analyses must agree on the type
	   of *@observer. Call only in open(). Return: whether the run has such
	   an analysis; it then calls the observer. */
	bool (*offer_observer)(void *host, const void *observer);

	/* Return the observer that an analysis of the same batches and caches
	   has offered; NULL: none, or another observable simulation of these
	   caches calls it. Do not call in open(): an analysis that is
	   opened later can still offer one. */
	const void *(*offered_observer)(void *host);

	/* Return zeroed memory that is writable and executable and uses no RAM
	   until it is touched. The host frees it after finish(). NULL: not
	   available, or already requested once. */
	void *(*alloc_code)(void *host, size_t bytes);
};

struct an_option {
	const char *key;    /* NULL ends the list */
	const char *values; /* for --help: the possible values, "lackey|text" or
			       "1-12", or a placeholder such as "PATH" */
	const char *help;
};

struct an_class {
	const char *name;    /* name of the analysis, on the command line and
				in the JSON */
	const char *summary; /* one line for --help */
	const struct an_option *options; /* may be NULL */
	const char *command; /* the command that alone can run the analysis;
				NULL: --analyze can, in all commands */
	uint32_t needs; /* enum pt_fields; the tool records the union of all
			      analyses' needs */
	/* Return the enum pt_fields that an option adds to `needs`; may be
	   NULL. */
	uint32_t (*option_needs)(const char *key, const char *value);
	bool needs_names;     /* finish() will call env->symbol() */
	bool uses_caches;     /* uses env->geometry: if several cache files are
			      given, each gets a state of its own */
	bool uses_sweeps;     /* uses only cache files with a sweep (many caches
			     simulated in place of one level), for which the
			     first such analysis is the default;
			     geometry->sweep is not NULL */
	bool compares_caches; /* its result has "levels", "totals" and whole
			      functions with the misses of each level, so that
			      those of two hierarchies can be compared */
	bool observable_simulation;    /* simulates caches and reports misses to
				       the observer that
				       env->offered_observer() returns */
	bool accepts_warmup;	       /* receives the batches of warm-ups as
				       well */
	bool divides_from_two_workers; /* partitions are faster with two workers
					  already, because they repeat little
					  work; else with four */
	bool prints_output; /* writes to standard output if no "file" is
			       given */
	size_t state_size;  /* [bytes]; the host allocates the state, zeroed,
			      aligned to 64 bytes */

	/* All callbacks are optional. Those of type int return 0 or -errno; an
	   analyzer that fails is stopped and named in the report, and the run
	   continues. */
	int (*open)(void *state, const struct an_env *env);
	int (*block)(void *state, const struct an_block *block);
	int (*prepare)(void *state,
		       const struct an_batch *batch); /* prepare() receives no
							 marks and no events */
	int (*batch)(void *state, const struct an_batch *batch);

	/*
	 * For partitioned work, see above. An analysis has none of these
	 * callbacks, or at least init_partitions() and run_partition().
	 *
	 * init_partitions: called before the first block. @max_partitions:
	 * number of partitions that the host suggests, 2..AN_MAX_PARTITIONS.
	 * Return: number of partitions that the analysis will use, at most
	 * @max_partitions; less than 2: it is not partitioned.
	 *
	 * begin_chunk: called on the thread of prepare(), after block() was
	 * called for the chunk's new blocks and before its first batch.
	 */
	unsigned (*init_partitions)(void *state, unsigned max_partitions);
	enum an_chunk_mode (*begin_chunk)(void *state,
					  const struct an_batch *chunk);
	int (*scatter)(void *state, const struct an_batch *batch);
	int (*run_partition)(void *state, const struct an_batch *chunk,
			     unsigned partition);
	int (*gather)(void *state, const struct an_batch *chunk);

	/* Finish a chunk (batches that the host passes through the stages
	   together) that batch() or gather() has processed, in chunk order,
	   while they and block() work on the next one. Called for chunks
	   without executions, too, even before the first block; not called for
	   a chunk in which a callback of the state has failed, or for later
	   ones. */
	int (*tail)(void *state, const struct an_batch *chunk);

	/* Called once, when the exec image (process between two exec calls) has
	   ended: compute what merge(), result() and save() need, and free what
	   only batch() needed. */
	int (*finish)(void *state);
	/* Add the results of @from, which is finished, to @into, which is not:
	   only open() and merge() were called for it. The exec images of a run
	   are merged in any order. */
	int (*merge)(void *into, const void *from);
	/* Report the numbers of an exec image, which the host sums over the
	   exec images of a process: always the same keys, which live as long as
	   the class. */
	void (*report_totals)(const void *state, struct an_sink *);
	/* Report how the analysis was done, for example on how many partitions;
	   may differ between runs of equal results. */
	void (*report_method)(const void *state, struct an_sink *);
	/* Build the result (tables, numbers, views) in the model, which is
	   empty; strings that it borrows live as long as the state. */
	void (*result)(const void *state, struct al_model *);
	/* Write the output, after the results of all exec images were
	   merged. */
	int (*save)(const void *state);
	void (*close)(void *state);
};

/* All analyses, in the order of --help; ended by NULL. The first is the default
   or, for a cache file with a sweep, the first that uses_sweeps. */
extern const struct an_class *const an_classes[];

#endif
