/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - declares the private state of a run, for the reports
 */
#ifndef LIB_RUN_STATE_H
#define LIB_RUN_STATE_H

#include "lib/run/image_summary.h"
#include "lib/run/process_table.h"
#include "lib/run/run.h"

struct al_run_image {
	char **argv;		  /* NULL-terminated */
	struct al_stream *stream; /* NULL: freed */
	bool has_ended;		  /* it has ended, and @ended is filled */
	struct al_image_summary *summary;
	size_t n_applied_exits; /* exits of children that al_run_update_statuses() has applied */
};

struct al_process {
	struct al_run *run;
	struct al_process *parent; /* NULL: the first of its tree */
	struct al_process *root;   /* first of its tree, or itself */
	pid_t pid;
	unsigned long long
		start_time;   /* set by al_process_set_start_time(), or 0 */
	unsigned tree;	      /* from 1 */
	unsigned number;      /* within the tree, from 1; 0: none */
	unsigned n_numbered;  /* root: numbered processes of the tree */
	struct pt_plan *plan; /* plan that it is recorded by; NULL:
				 everything */
	uint8_t happened[PT_MAX_EVENTS / 8]; /* root: events that happened in
						the tree, a bit each */

	struct al_run_image *image;
	size_t n_images;
	char *title; /* title that its last image has set, or NULL */

	enum al_ending ending; /* as its own tool reported */
	int exit_value;
	bool is_waited; /* wait_status is set, as its parent saw it */
	int wait_status;

	const char *truncated;	/* reason; NULL: not truncated */
	const char *lossy;	/* reason; NULL: not lossy */
	uint64_t lost_accesses; /* accesses */
	uint64_t lost_messages; /* from its tool to the daemon */
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t buffers;
	uint64_t buffer_bytes;

	/* profile that it is stored in, or NULL */
	struct al_profile_file *profile_file;
	struct al_process *older[AL_PROCESS_KEYS]; /* next older one, in
						      al_run.by */
	struct al_stream *total; /* results of images that were freed, for its
				    document; or NULL */
};

/* A profile of the run, or of one of its processes. */
struct al_profile_file {
	char *path;
	/* NULL: it could not begin, or was freed */
	struct al_recording *recording;
	int error;	/* 0 or -errno; valid without @recording */
	uint64_t bytes; /* written; valid without @recording */
	bool is_ended;
};

enum { AL_PROFILE_REASON = 64 }; /* [bytes] of the reason in al_run.unkept */

struct al_run {
	const struct al_settings *settings;
	struct al_symbols *symbols;
	struct al_figures figures;  /* stored for every image */
	struct al_stream *total;    /* results of all images that are over */
	struct al_packers *packers; /* shared by all profiles, or NULL */
	/* profiles, in the order they began */
	struct al_profile_file **profile_file;
	size_t n_profile_files;
	int profiles_error; /* 0; -ENOMEM: a process's profile is missing in
			       `kept` */
	char profile_reason
		[AL_PROFILE_REASON]; /* why the first incomplete profile is
					incomplete, or why the replayed one is;
					"": all are complete. Set by
					al_run_update_statuses() and
					al_run_set_damaged() */
	uint64_t profile_bytes;	     /* length of the replayed profile, or 0 */
	struct al_process **process; /* sorted by al_run_update_statuses() */
	size_t n_processes;
	size_t process_size;		   /* processes there is room for */
	struct al_processes process_table; /* hash tables of @process */
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

/* Return the status as the report has it: "complete", "lossy", "truncated". */
const char *al_status_name(enum al_status);

/* Return the arguments of image @i of a process, and of the run's first image;
   an empty list if there is no such image. */
char *const *al_process_command(const struct al_process *, size_t i);
char *const *al_run_command(const struct al_run *);

/* Sort processes by tree and number, apply the wait statuses that parents saw,
   and fetch the errors of profiles. Call before reading statuses or writing a
   report. */
void al_run_update_statuses(struct al_run *);

/* Return the number of processes that have a number; they come first. Call
   after al_run_update_statuses(). */
size_t al_run_n_numbered(const struct al_run *);

/* Return the first process with the worst status, which is the run's. NULL: the
   run has no processes, or its status comes from a profile that is not
   complete. */
const struct al_process *al_run_worst_process(const struct al_run *);

/* Return the status. @why: receives the reason, NULL when complete. */
enum al_status al_process_status(const struct al_process *, const char **why);
enum al_status al_run_status(const struct al_run *, const char **why);

/* Return how the process ended: by the wait status if known, else as its tool
   reported. @value: receives the exit code or signal number. */
enum al_ending al_process_ending(const struct al_process *, int *value);

/* Whether the process called exec for a program that was not recorded. */
bool al_process_has_execed(const struct al_process *);

/* Return the sums over the process's images. */
struct al_counts al_process_counts(const struct al_process *);

/* Sums over processes. */
struct al_process_sums {
	uint64_t lost_accesses;
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t buffers;
	uint64_t buffer_bytes;
};
struct al_process_sums al_run_sums(const struct al_run *);

/* Return the first error of analysis @i in @consumer of an image of the process,
   or 0. */
int al_process_error(const struct al_process *, unsigned consumer, size_t i);

/* Fetch the state of analysis @i in @consumer of the run's sum, which has the view.
   Return: 0; -errno if the analysis was stopped or could not write its output:
   the first error in the order of the report, so that it does not depend on the
   order in which images end. */
int al_run_state(const struct al_run *, unsigned consumer, size_t i,
		 const void **state);

/* Whether some analysis was stopped, in any view. */
bool al_run_has_stopped_analysis(const struct al_run *);

/* Return a run that consists of one process. @results: finished, the sum over
   its images. The returned run owns nothing; do not free it. */
struct al_run al_run_of_process(struct al_process **p,
				struct al_stream *results);

/* Return the geometry as cache options in one line (--I1=..., --D1=...,
   --LL=..., with --L2=... if there are four caches); NULL if they cannot
   express it. The caller frees it. */
char *al_geometry_options(const struct an_geometry *);

/* process_events.c: mark the events that have happened in the process's tree in
   its plan. */
void al_process_mark_happened(struct al_process *);

#endif
