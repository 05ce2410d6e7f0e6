/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * none.c - the analysis that asks for everything and looks at nothing
 *
 * What remains is the cost of recording: the floor of every benchmark.
 */

#include "analyzers/analyzer.h"

extern const struct an_class an_none;

const struct an_class an_none = {
	.name = "none",
	.summary = "record everything and drop it: what recording costs",
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
};
