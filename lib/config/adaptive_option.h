/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive_option.h - holds the options and the decisions of adaptation, which
 *                     changes the numbers of workers and buffers during a run
 *
 * The terms are those of Alleria's paper: phases X (ramp up), Y (stable) and
 * Z (ramp down); thresholds TP, TAY1, TAY2 and TAZ. They are defined in
 * daemon/adapt/adaptive.h.
 */
#ifndef LIB_CONFIG_ADAPTIVE_OPTION_H
#define LIB_CONFIG_ADAPTIVE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/analyzer.h"

/* Options of --adaptive: how the numbers of workers and buffers are adapted. */
struct al_adaptive {
	bool enabled;  /* numbers of workers and buffers are adapted */
	bool is_given; /* option --adaptive is on the command line */
	unsigned tp;   /* [percent] TP: if idle time grows by it, phase X
			  ends */
	unsigned tay1; /* [percent] TAY1: if waiting time grows by it, phase Y
			  ends */
	/* [percent] threshold TAY2: phase Y changes to X if the time that
	   programs wait for the daemon has fallen by this much */
	unsigned tay2;
	unsigned taz;	  /* [percent] TAZ: if waiting time grows by it, phase Z
			     ends */
	unsigned period;  /* [ms] time between decisions */
	unsigned workers; /* greatest number of workers */
	unsigned buffers; /* greatest number of buffers for each program */
};

/* Set the defaults: adaptation is on, the thresholds are in the middle of the
   paper's ranges, and there are at most as many workers as this process may use
   processors. */
void al_adaptive_set_defaults(struct al_adaptive *);

/**
 * al_adaptive_parse_option_value() - Parse "KEY=VALUE,...".
 * @message: [AL_MESSAGE] on error.
 *
 * Return: 0 or -EINVAL.
 */
int al_adaptive_parse_option_value(struct al_adaptive *, const char *text,
				   char *message);

/* Measurements of one period, and the decision at its end. */
struct al_decision {
	uint64_t end_ns;  /* [ns] end of the period, from the start of the
			     run */
	uint64_t span_ns; /* [ns] length of the period */
	uint64_t idle_ns; /* [ns] time without a job, sum over all active
			     workers */
	/* [ns] time that programs waited, sum over all programs */
	uint64_t wait_ns;
	unsigned programs;
	unsigned workers; /* number of active workers after the decision */
	unsigned buffers; /* number of buffers, sum over all programs */
	char phase_before,
		phase_after; /* phase before and after the decision: 'X', 'Y' or
				'Z' */
};

enum { AL_MAX_DECISIONS = 4096 };

/* Decisions in order of time. Initialise with zeros. If there are
   AL_MAX_DECISIONS, pairs of successive decisions that changed nothing are
   merged; if more than 3/4 of the decisions are left, the older half of them is
   dropped. */
struct al_decisions {
	struct al_decision *item;
	size_t n;
};

/* Append a decision; it is dropped if memory is short. */
void al_decisions_append_merge_if_full(struct al_decisions *,
				       const struct al_decision *);
void al_decisions_release(struct al_decisions *);

/* Write the options and decisions as members of the open JSON object. */
void al_decisions_write_with_thresholds(const struct al_decisions *,
					const struct al_adaptive *,
					struct an_sink *);

#endif
