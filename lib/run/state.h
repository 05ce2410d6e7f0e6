/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - declares the private state of a run, for the reports
 */
#ifndef LIB_RUN_STATE_H
#define LIB_RUN_STATE_H

#include "base/system/processor.h"
#include "lib/run/image_summary.h"
#include "lib/run/process_table.h"
#include "lib/run/run.h"

struct al_run_image {
	char **argv;		  /* arguments of the image, NULL-terminated */
	struct al_stream *stream; /* stream of the image; NULL: it was freed */
	bool has_ended;		  /* the image has ended, and `summary` is
				     filled */
	struct al_image_summary *summary;
	/* number of exits in `summary` that
	   al_run_sort_processes_update_statuses() has applied */
	size_t n_applied_exits;
};

struct al_process {
	struct al_run *run;
	struct al_process *parent; /* process that forked this one; NULL: it is
				      the first of its tree */
	struct al_process *root;   /* first process of its tree, perhaps this
				      one */
	pid_t pid;
	unsigned long long
		start_time;   /* time set by al_process_set_start_time(), or
				 0 */
	unsigned tree;	      /* number of its tree, from 1 */
	unsigned number;      /* number of the process in its tree, from 1; 0:
				 none */
	unsigned n_numbered;  /* used in the root: number of processes of the
				 tree that have numbers */
	struct pt_plan *plan; /* plan that the process is recorded by; NULL:
				 everything is recorded */
	uint8_t happened[PT_MAX_EVENTS / 8]; /* used in the root: events that
						happened in the tree, as bits */

	struct al_run_image *image;
	size_t n_images;
	struct al_environment environment; /* hash 0: not known */
	char *title; /* title that its last image has set, or NULL */

	enum al_ending ending; /* how it ended, as its own tool reported */
	int exit_value;
	bool is_waited; /* its parent has received its status, stored in
			   wait_status */
	int wait_status;

	const char *truncated;	/* reason why the process is truncated; NULL: it
				   is not */
	const char *lossy;	/* reason why the process is lossy; NULL: it is
				   not */
	uint64_t lost_accesses; /* accesses that could not be recorded */
	uint64_t lost_messages; /* messages from its tool to the daemon that
				   were lost */
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t buffers;
	uint64_t buffer_bytes;

	/* profile that it is stored in, or NULL */
	struct al_profile_file *profile_file;
	struct al_process *older[AL_PROCESS_KEYS]; /* next older process in a
						      chain of
						      al_run.process_table, for
						      each key */
	struct al_stream *total; /* sum over its images that have ended, for
				    its JSON document; or NULL */
};

/* A profile of the run, or of one of its processes. */
struct al_profile_file {
	char *path;
	/* NULL: the profile could not be begun, its recording (the writer of
	   the file) was freed, or this is a forked copy, which does not write
	   it */
	struct al_recording *recording;
	/* 0, or -errno of creating or writing the file; valid only if
	   `recording` is NULL */
	int error;
	uint64_t bytes; /* bytes written; valid only if `recording` is NULL */
	bool is_ended;
};

enum { AL_PROFILE_REASON = 64 }; /* [bytes] size of al_run.profile_reason */

struct al_run {
	const struct al_settings *settings;
	struct al_symbols *symbols;
	struct al_figures figures;  /* names of the figures that are stored for
				       each image */
	struct al_stream *total;    /* results of the run: sum over all images
				       that have ended */
	struct al_packers *packers; /* pool of packers that all profiles of the
				       run share; NULL: no profile was begun */
	/* [n_profile_files] in the order in which they began */
	struct al_profile_file **profile_file;
	size_t n_profile_files;
	int profiles_error; /* 0; -ENOMEM: the profile of a process is missing
			       in `profile_file` */
	/* status of the first incomplete profile, or of the replayed profile,
	   and the reason, "" if it is complete. Set by
	   al_run_sort_processes_update_statuses() and
	   al_run_set_profile_status() */
	enum al_status profile_status;
	char profile_reason[AL_PROFILE_REASON];
	uint64_t profile_bytes; /* length of the replayed profile, or 0 */
	/* [n_processes] sorted by al_run_sort_processes_update_statuses() */
	struct al_process **process;
	size_t n_processes;
	size_t process_size;		   /* allocated elements of `process` */
	struct al_processes process_table; /* hash tables of `process` */
	unsigned n_trees;
	char *valgrind; /* version of Valgrind; NULL: not known */
	struct al_processor processor; /* processor on which the replayed
					  profile was recorded */
	uint64_t wall_ns;
	uint64_t worker_idle_ns;
	uint64_t worker_busy_ns;
	int json_error;	  /* 0 or -errno of writing the JSON report */
	int page_error;	  /* 0 or -errno of writing the page */
	size_t n_unsaved; /* number of documents of --json-each that could not
			     be saved */
	char *unsaved;	  /* path of the first document of --json-each that
			     could not be saved, or NULL */
	int unsaved_error;
	struct al_decisions decisions;
};

/* Return the name of a status in the report: "complete", "lossy",
   "truncated". */
const char *al_run_status_name(enum al_status);

/* Return the arguments of image @image_index of a process;
   al_run_command_argv_or_empty(): of the first image of the run's first
   process. If there is no such image: an empty list. */
char *const *al_process_image_argv_or_empty(const struct al_process *,
					    size_t image_index);
char *const *al_run_command_argv_or_empty(const struct al_run *);

/* Sort the processes by tree and number, those without a number last; store
   the wait statuses that parents received in the processes they belong to; set
   profile_reason to the first error of a profile. Call before reading statuses
   or writing a report. */
void al_run_sort_processes_update_statuses(struct al_run *);

/* Return the number of processes that have a number; they come first in
   al_run.process. Call after al_run_sort_processes_update_statuses(). */
size_t al_run_count_numbered_processes(const struct al_run *);

/* Return the first process with the worst status, which is the status of the
   run. NULL: the run has no processes, or its status comes from an incomplete
   profile. */
const struct al_process *
al_run_find_worst_status_process(const struct al_run *);

/* Return the status of a process or of the run. @why: receives the reason; NULL
   if the status is "complete". */
enum al_status al_process_completeness_and_reason(const struct al_process *,
						  const char **why);
enum al_status al_run_status(const struct al_run *, const char **why);

/* Return how the process ended, according to its wait status if it is known,
   else as its tool reported. @exit_code_or_signal: receives the exit code or
   signal number. */
enum al_ending al_process_ending(const struct al_process *,
				 int *exit_code_or_signal);

/* Whether the process called exec for a program that was not recorded. */
bool al_process_has_ended_by_unrecorded_exec(const struct al_process *);

/* Return the number of processes that ended by calling exec for a program that
   was not recorded. */
size_t al_run_count_unrecorded_execs(const struct al_run *);

/* Return the sums of the counts of all images of the process; zeros if the
   process is not followed. */
struct al_counts al_process_counts(const struct al_process *);

/* Sums of the members of struct al_process with the same names, over all
   processes of a run. */
struct al_process_sums {
	uint64_t lost_accesses;
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t buffers;
	uint64_t buffer_bytes;
};
struct al_process_sums
al_run_sum_losses_waits_and_buffers(const struct al_run *);

/* Return the first error of analysis @analysis_index of consumer (a set of
   analyses, of the stream or of a window) number @consumer_number in an image
   of the process, or 0. */
int al_process_first_analysis_error_or_0(const struct al_process *,
					 unsigned consumer_number,
					 size_t analysis_index);

/* Set @state to the state of analysis @analysis_index of consumer number
   @consumer_number (a set of analyses, of the stream or of a window) in the sum
   over all images, which must have the consumer. Return: 0; -errno if the
   analysis was stopped or could not write its output: the first error in the
   order of the report, so that it does not depend on the order in which images
   end. */
int al_run_analysis_state_and_error(const struct al_run *,
				    unsigned consumer_number,
				    size_t analysis_index, const void **state);

/* Whether an analysis of any consumer (a set of analyses, of the stream or of a
   window) was stopped or could not write its output. */
bool al_run_has_analysis_with_error(const struct al_run *);

/* Return a run that consists of the process *@p alone. @results: a finished
   stream, the sum over its images. The returned run owns nothing; do not free
   it. */
struct al_run al_run_copy_with_one_process(struct al_process **p,
					   struct al_stream *results);

/* Return the cache hierarchy as options in one line (--I1=..., --D1=...,
   --LL=..., with --L2=... if there are four caches); NULL if these options
   cannot express it, or memory is short. The caller frees the line. */
char *al_geometry_make_cachegrind_options(const struct an_geometry *);

/* Set PT_EVENT_HAPPENED in the process's plan for each event, which opens or
   closes windows, that has happened in the process's tree. Defined in
   process_events.c. */
void al_process_mark_past_events_in_plan(struct al_process *);

#endif
