/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive_option.h - how workers and buffers are adapted, and what came of it
 *
 * The terms are those of Alleria's paper: phases X (ramp up), Y (stable) and
 * Z (ramp down); thresholds TP, TAY1, TAY2 and TAZ. What they mean here is in
 * daemon/adapt/adaptive.h.
 */
#ifndef LIB_CONFIG_ADAPTIVE_OPTION_H
#define LIB_CONFIG_ADAPTIVE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/analyzer.h"

struct al_adaptive {
	bool on;
	bool given;	  /* by an option of its own */
	unsigned tp;	  /* [percent] */
	unsigned tay1;	  /* [percent] */
	unsigned tay2;	  /* [percent] */
	unsigned taz;	  /* [percent] */
	unsigned period;  /* [ms] from decision to decision */
	unsigned workers; /* never more */
	unsigned buffers; /* of a program, never more */
};

/* Defaults: on, thresholds in the middle of the paper's, as many workers as
   there are processors for this process. */
void al_adaptive_init(struct al_adaptive *);

/**
 * al_adaptive_parse() - Take "KEY=VALUE,...".
 * @message: [AL_MESSAGE] on error.
 *
 * Return: 0 or -EINVAL.
 */
int al_adaptive_parse(struct al_adaptive *, const char *text, char *message);

/* What was found in one period, and what was decided then. */
struct al_decision {
	uint64_t at_ns;	  /* end of the period, from the start */
	uint64_t span_ns; /* its length */
	uint64_t idle_ns; /* of all workers that were active */
	uint64_t wait_ns; /* of all programs */
	unsigned programs;
	unsigned workers; /* active from now on */
	unsigned buffers; /* of the programs together */
	char from, to;	  /* phases: 'X', 'Y', 'Z' */
};

enum { AL_MAX_DECISIONS = 4096 };

/* In their order. Zeroed: none. When there are too many, pairs in which
   nothing was changed become one. */
struct al_decisions {
	struct al_decision *item;
	size_t n;
};

/* One that there is no memory for is left out. */
void al_decisions_add(struct al_decisions *, const struct al_decision *);
void al_decisions_release(struct al_decisions *);

/**
 * al_decisions_read() - Read them from a JSON report.
 * @path: of the report.
 * @message: [AL_MESSAGE] on error.
 *
 * Return: 0; -EINVAL, also when nothing was adapted.
 */
int al_decisions_read(const char *path, struct al_decisions *,
		      struct al_adaptive *, char *message);

/* As the members of an object. */
void al_decisions_write(const struct al_decisions *, const struct al_adaptive *,
			struct an_sink *);

#endif
