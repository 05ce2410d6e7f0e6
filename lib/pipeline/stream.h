/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.h - from the words of a ring to the batches of the analyzers
 *
 * Threads: many may use a stream at once, see al_stream_do(). Everything else
 *          wants all stages at rest, except al_stream_begin(), and
 *          al_stream_log() and al_stream_fork() of a parent, which one thread
 *          may use meanwhile; and al_stream_counts().
 *
 * One stream is one process image: it starts at exec or fork and ends at exec
 * or exit. Every word comes from another process and is checked here; after
 * the first contradiction the stream is broken and takes nothing more.
 *
 *   words --recover--> piece --prepare--> [--spread--> --part-->] --join-->
 *                                |                                   ^
 *                                +--store--> packed for a profile ---+
 *
 * and, where an analysis has one, a tail behind that.
 *
 * Recovery checks the units and finds out which blocks were executed. The
 * others are the analyzers' work, cut in two where they are, or in parts; they
 * take most of the time, and read the slots in the words again. What may run
 * at once with what is in stages.h.
 */
#ifndef LIB_PIPELINE_STREAM_H
#define LIB_PIPELINE_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "analyzers/analyzer.h"
#include "lib/config/output_file.h"
#include "lib/config/settings.h"
#include "lib/pipeline/stages.h"
#include "lib/recover/counts.h"
#include "lib/recover/plan_outcome.h"
#include "lib/recover/recovered_chunk.h"

struct al_stream;
struct al_symbols;
struct al_perfmap;
struct al_track;
struct pt_plan;

/**
 * al_stream_new() - Start an image with the analyzers of @settings opened.
 * @settings: outlives the stream.
 * @symbols: outlives the stream; shared by all streams.
 * @label: of the image, for output file names; AL_FIRST_LABEL for the first.
 *
 * Return: the stream, or NULL with errno set.
 */
struct al_stream *al_stream_new(const struct al_settings *settings,
				struct al_symbols *symbols, const char *label);

/* What a forked child inherits. The parent must have been fed its log that
   far; more does no harm. */
struct al_fork {
	struct al_stream *parent;
	uint32_t n_blocks; /* that the parent had at the fork */
	uint64_t log;	   /* [bytes] that the parent's log had then */
};

/**
 * al_stream_fork() - The same for a forked child.
 *
 * The child starts with cold caches and counts of zero. The parent's blocks
 * stay as long as the child.
 *
 * Context: of streams that are related, one at a time is forked or freed.
 */
struct al_stream *al_stream_fork(const struct al_fork *, const char *label);

/* What comes is kept in a profile, too. Before anything has come. The track is
   the stream's then. */
void al_stream_keep(struct al_stream *, struct al_track *);

/* It is recorded by a plan, which is sound and outlives it. Before anything has
   come. Return: 0; -ENOMEM. */
int al_stream_plan(struct al_stream *, const struct pt_plan *);

/* Has a view (consumer.h) for each window of a plan that is to have a report of
   its own, if it has not yet; so has a stream that is recorded by the plan. 0;
   -ENOMEM. */
int al_stream_see(struct al_stream *, const struct pt_plan *);

/* Views have numbers below this. */
unsigned al_stream_views(const struct al_stream *);

bool al_stream_has_view(const struct al_stream *, unsigned view);

/* Whose view it is, as its outputs are named; "": of all. */
const char *al_stream_window(const struct al_stream *, unsigned view);

/* By window of the plan. Once it has finished. */
const struct al_window_counts *al_stream_windows(const struct al_stream *);

/* Where it is kept, or NULL. */
struct al_track *al_stream_track(const struct al_stream *);

/**
 * al_stream_log() - Take descriptors.
 * @log: whole records, @bytes long, in private memory.
 *
 * Return: 0; -EPROTO when they contradict themselves; -ENOMEM.
 */
int al_stream_log(struct al_stream *, const void *log, size_t bytes);

/* Pieces that are begun and not ended, at most. */
enum { AL_PIECES = AN_LANES };

/* Of them, as many as can be worked on at once: few when the analysis is not in
   parts. Constant. */
unsigned al_stream_ahead(const struct al_stream *);

/**
 * al_stream_begin() - A chunk is to be turned into a piece, and analysed.
 * @words: the chunk, which another process may go on writing.
 * @bytes: its size as the daemon laid it out; the committed length inside is
 *         checked against it. For the last chunk of a dead process:
 *         @end is where its units end, else 0.
 *
 * The words stay until it has ended, and so does what the log says up to
 * them. The caller sees to it that never more than al_stream_ahead() are on the
 * way.
 *
 * Context: the caller's lock of the stream is held.
 */
void al_stream_begin(struct al_stream *, const uint64_t *words, size_t bytes,
		     size_t end);

/* Brings a chunk's words. 0; -errno, as if it contradicted the descriptors. */
typedef int al_load_fn(void *arg);

/* Chunks begin by al_stream_begin_load() alone. Before anything has come. */
void al_stream_loads(struct al_stream *);

/* The same for a whole chunk whose words are brought later, by a job. */
void al_stream_begin_load(struct al_stream *, const uint64_t *words,
			  size_t bytes, al_load_fn *load, void *arg);

/* A job for worker @worker, from 1, to al_stream_do() and then say that it is
   al_stream_done(); false when there is none. Context: the caller's lock is
   held. */
bool al_stream_next(struct al_stream *, struct al_job *, unsigned worker);

/* Any number of jobs may be done at once. Context: the lock is not held. */
void al_stream_do(struct al_stream *, struct al_job *);

/* Return: whether the chunk has come to its end, and its words are no longer
   needed. Context: the caller's lock is held. */
bool al_stream_done(struct al_stream *, const struct al_job *);

/* How many jobs could begin now. Context: the caller's lock is held. */
unsigned al_stream_ready(const struct al_stream *);

/* 0; -EPROTO: a unit contradicts the descriptors: everything before that unit
   is analysed, nothing after it; or units cannot be coded for the profile, which
   then ends before their chunk. -ENOMEM. Context: the caller's lock. */
int al_stream_error(const struct al_stream *);

/* Begins it and does all there is to do. Return: as al_stream_error(). */
int al_stream_chunk(struct al_stream *, const uint64_t *words, size_t bytes,
		    size_t end);

/* Read names of code made at run time, unless some were read before. Call it
   before the stream finishes. Nothing is read from a file that is missing or
   fails the checks of al_perfmap_read(). */
void al_stream_read_perfmap(struct al_stream *, const char *path);

/* Return the names of code made at run time, sorted; they must not change after
   the stream has finished. */
struct al_perfmap *al_stream_perfmap(struct al_stream *);

/**
 * al_stream_finish() - The image has ended: analyzers finish and drop what
 * they need no more. Counts and results stay readable. Every piece has been
 * analysed.
 */
void al_stream_finish(struct al_stream *);

/* Adds the results of @from to @into; both finished. */
void al_stream_merge(struct al_stream *into, const struct al_stream *from);

/* A finished, empty stream to merge others into; NULL with errno set. */
struct al_stream *al_stream_total(const struct al_settings *settings);

/* Current figures. Context: any thread may call it while another feeds the
   stream; the figures are then slightly stale. */
struct al_counts al_stream_counts(const struct al_stream *);

/* Signal number of the last exit taken, 0 when it raised none: tells how a
   process died that ended without a word. */
int al_stream_last_signal(const struct al_stream *);

/* Children whose end this image has waited for: @n, in order; for free(). Once
   it has finished, and once. */
struct al_child_exit *al_stream_take_exits(struct al_stream *, size_t *n);

/* What became of its plan, for al_outcomes_release(). Once it has finished, and
   once. */
struct al_outcomes al_stream_take_outcomes(struct al_stream *,
					   const struct pt_plan *);

/* The state of analyzer @i of the settings in a view that there is, and 0, or
   -errno when it was stopped. */
int al_stream_state(const struct al_stream *, unsigned view, size_t i,
		    const void **state);

/* Has all analyzers write their outputs of the whole, which is @command's; for
   a sum. One that cannot is stopped. */
void al_stream_save(struct al_stream *, char *const *command);

/* Discard output that the analyzers have not flushed, and all later output, in
   a forked copy of the process. Context: no piece is worked on. */
void al_stream_close_outputs(struct al_stream *);

/* Whether analyzer @i was stopped since its output could not be written. */
bool al_stream_unwritten(const struct al_stream *, unsigned view, size_t i);

/* Parts that the analyzers work in; 1: none does. */
unsigned al_stream_parts(const struct al_stream *);

/* Its blocks stay while children borrow them. Context: as al_stream_fork(). */
void al_stream_free(struct al_stream *);

#endif
