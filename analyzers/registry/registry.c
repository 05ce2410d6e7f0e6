/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * registry.c - lists all analyses
 *
 * A new analysis adds an extern declaration and a line here.
 */

#include "analyzers/analyzer.h"

extern const struct an_class an_bbv;
extern const struct an_class an_branch;
extern const struct an_class an_cache;
extern const struct an_class an_cachegrind;
extern const struct an_class an_callgrind;
extern const struct an_class an_count;
extern const struct an_class an_data;
extern const struct an_class an_entropy;
extern const struct an_class an_flow;
extern const struct an_class an_folded;
extern const struct an_class an_loops;
extern const struct an_class an_mix;
extern const struct an_class an_none;
extern const struct an_class an_ramulator;
extern const struct an_class an_simpoint;
extern const struct an_class an_sweep;
extern const struct an_class an_timeline;
extern const struct an_class an_trace;

/* clang-format off */
const struct an_class *const an_classes[] = {
	&an_cache,
	&an_bbv,
	&an_branch,
	&an_cachegrind,
	&an_callgrind,
	&an_count,
	&an_data,
	&an_entropy,
	&an_flow,
	&an_folded,
	&an_loops,
	&an_mix,
	&an_none,
	&an_ramulator,
	&an_simpoint,
	&an_sweep,
	&an_timeline,
	&an_trace,
	NULL,
};
/* clang-format on */
