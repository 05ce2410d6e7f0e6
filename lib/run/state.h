/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - what is known about a run, for those who write about it
 */
#ifndef LIB_RUN_STATE_H
#define LIB_RUN_STATE_H

#include "lib/run/image_summary.h"
#include "lib/run/process_table.h"
#include "lib/run/run.h"

struct al_run_image {
	char **argv;		  /* NULL-terminated */
	struct al_stream *stream; /* NULL: gone */
	bool over;		  /* and the rest is all that it has left */
	struct al_ended *ended;
	size_t n_ends; /* of its children that al_run_settle() has applied */
};

struct al_process {
	struct al_run *run;
	struct al_process *parent; /* NULL: the first of its tree */
	struct al_process *root;   /* itself, when it is the first */
	pid_t pid;
	unsigned long long born; /* set by al_process_set_born(), or 0 */
	unsigned tree;		 /* from 1 */
	unsigned number;	 /* within the tree, from 1; 0: none */
	unsigned n_inside;	 /* of a root: processes of the tree */
	struct pt_plan *plan;	 /* plan that it is recorded by; NULL:
				    everything */
	uint8_t happened[PT_MAX_EVENTS / 8]; /* of a root: in its tree, a bit
						for each event */

	struct al_run_image *image;
	size_t n_images;
	char *title; /* title that its last image has set, or NULL */

	enum al_ending ending; /* as the process itself told */
	int value;
	bool is_waited; /* its parent has seen its end */
	int wait_status;

	const char *truncated;	/* why; NULL: it is not */
	const char *lossy;	/* why; NULL: it is not */
	uint64_t lost;		/* accesses */
	uint64_t lost_messages; /* to the daemon, of its tool */
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t buffers;
	uint64_t buffer_bytes;

	struct al_kept *kept; /* the profile that it is in, or NULL */
	struct al_process *older[AL_PROCESS_KEYS]; /* next older one, in
						      al_run.by */
	struct al_stream *total; /* results of images that were freed, for its
				    document; or NULL */
};

/* A profile of the run, or of one of its processes. */
struct al_kept {
	char *path;
	struct al_recording
		*recording; /* NULL: it could not begin, or is gone: */
	int error;	    /* 0 or -errno */
	uint64_t bytes;
	bool ended;
};

enum { AL_UNKEPT = 64 }; /* [bytes] of why a profile is not whole */

struct al_run {
	const struct al_settings *settings;
	struct al_symbols *symbols;
	struct al_figures figures;  /* that are kept of every image */
	struct al_stream *total;    /* results of all images that are over */
	struct al_packers *packers; /* of profiles, or NULL */
	struct al_kept **kept;	    /* profiles, as they began */
	size_t n_kept;
	int keep_error;		/* 0; -ENOMEM: a process's profile is missing in
				   `kept` */
	char unkept[AL_UNKEPT]; /* why the first incomplete profile is
				   incomplete, or why the replayed one is; "":
				   all are complete. Set by al_run_settle() and
				   al_run_damaged() */
	uint64_t profile_bytes; /* of the profile replayed, or 0 */
	struct al_process **process; /* sorted by al_run_settle() */
	size_t n_processes;
	size_t process_room; /* processes there is room for */
	struct al_processes by;
	unsigned n_trees;
	char *valgrind; /* version; NULL: not known */
	uint64_t wall_ns;
	uint64_t worker_idle_ns;
	uint64_t worker_busy_ns;
	int json_error;	  /* 0 or -errno of writing the JSON report */
	size_t n_unsaved; /* documents of --json-each that were not saved */
	char *unsaved;	  /* path of the first of them, or NULL */
	int unsaved_error;
	struct al_decisions decisions;
};

enum al_status { AL_COMPLETE, AL_LOSSY, AL_TRUNCATED };

/* The word of the report. */
const char *al_status_name(enum al_status);

/* Arguments of image @i of a process, and of the run's first; empty where
   there is none. */
char *const *al_process_command(const struct al_process *, size_t i);
char *const *al_run_command(const struct al_run *);

/* Puts processes in order, by tree and number, and applies what parents saw
   of their children's ends, and what became of profiles. */
void al_run_settle(struct al_run *);

/* Processes that have a number, which come first. Once settled. */
size_t al_run_known(const struct al_run *);

/* The process that the run's status is of: of the worst, the first. NULL: it is
   of none, but of a profile that could not be written, say. */
const struct al_process *al_run_worst(const struct al_run *);

/* @why: NULL when complete. */
enum al_status al_process_status(const struct al_process *, const char **why);
enum al_status al_run_status(const struct al_run *, const char **why);

/* How it ended, by its parent's word if there is one. */
enum al_ending al_process_ending(const struct al_process *, int *value);

/* Whether it went on as a program that was not recorded. */
bool al_process_went_on(const struct al_process *);

/* Sums over images. */
struct al_counts al_process_counts(const struct al_process *);

/* Sums over processes. */
struct al_process_sums {
	uint64_t lost;
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t buffers;
	uint64_t buffer_bytes;
};
struct al_process_sums al_run_sums(const struct al_run *);

/* The first error of analysis @i in a view of an image of the process, or 0. */
int al_process_error(const struct al_process *, unsigned view, size_t i);

/* The state of analysis @i in the sum of all, of a view that this has, and 0;
   -errno when it was stopped or could not write its output. Images end in any
   order, so what an analysis merges must not depend on it; of errors, it is the
   first in the order of the report. */
int al_run_state(const struct al_run *, unsigned view, size_t i,
		 const void **state);

/* Whether some analysis was stopped, in whatever view. */
bool al_run_has_stopped(const struct al_run *);

/* Return a run that consists of one process. @results: finished, the sum over
   its images; not owned, like everything else that it shares with the run. */
struct al_run al_run_of_process(struct al_process **p,
				struct al_stream *results);

/* The geometry as Cachegrind's three options, in one line; NULL when it cannot
   be written so. The caller frees it. */
char *al_geometry_options(const struct an_geometry *);

/* process_events.c: what has happened in its tree so far, into its plan. */
void al_process_catch_up(struct al_process *);

#endif
