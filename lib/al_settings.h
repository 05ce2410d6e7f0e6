/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_settings.h - what was asked for, after all option parsing
 *
 * Room:    lib.
 * Used by: al_options.c (fills it), everything that runs an analysis (reads).
 */
#ifndef AL_SETTINGS_H
#define AL_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzers/analyzer.h"

enum {
	AL_MAX_ANALYSES = 16,
	AL_MAX_ANALYSIS_OPTIONS = 8,
	AL_DEFAULT_WORKERS = 2,
	AL_MAX_WORKERS = 256,
};

struct al_analysis {
	const struct an_class *class;
	struct {
		const char *key;
		const char *value;
	} option[AL_MAX_ANALYSIS_OPTIONS];
	size_t n_options;
};

struct al_settings {
	struct al_analysis analysis[AL_MAX_ANALYSES];
	size_t n_analyses; /* >= 1 */
	struct an_geometry geometry;
	bool geometry_is_host; /* detected, not given */
	const char *json;      /* path, "-" for standard output, or NULL */
	unsigned workers;      /* 1..AL_MAX_WORKERS */
	size_t chunk_bytes;    /* [bytes] PT_MIN_CHUNK..PT_MAX_CHUNK */
	unsigned chunks;       /* per process, 2..PT_MAX_CHUNKS */
	size_t memory;	       /* [bytes] all rings together */
	int error_exitcode;    /* 0: keep the program's */
};

/* The fields that the tool must emit: the union over the analyses. */
uint32_t al_settings_fields(const struct al_settings *);

#endif
