/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * none.c - an analysis that requests all accesses with their addresses, but
 * neither values nor times, and ignores them
 *
 * Measures the cost of recording, the lower limit of every benchmark.
 */

#include "analyzers/analyzer.h"

extern const struct an_class an_none;

const struct an_class an_none = {
	.name = "none",
	.summary = "record accesses, analyse nothing: what recording costs",
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
};
