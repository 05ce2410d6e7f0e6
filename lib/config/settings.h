/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.h - what was asked for, after all option parsing
 */
#ifndef LIB_CONFIG_SETTINGS_H
#define LIB_CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzers/analyzer.h"
#include "base/text/message.h"
#include "lib/config/adaptive_option.h"

enum {
	AL_MAX_CACHES = 16,   /* cache files */
	AL_MAX_ANALYSES = 64, /* counted once for each cache file */
	AL_MAX_ANALYSIS_OPTIONS = 8,
	AL_FIRST_WORKERS = 2, /* when they are adapted */
	AL_MAX_WORKERS = 256,
};

struct al_windows;

struct al_analysis {
	const struct an_class *class;
	struct {
		const char *key;
		const char *value;
	} option[AL_MAX_ANALYSIS_OPTIONS];
	size_t n_options;
	unsigned cache; /* the geometry that it uses, where it uses one */
};

/* A hierarchy of caches. */
struct al_cache {
	const char *file; /* path as given; NULL: from no file */
	struct an_geometry geometry;
};

struct al_settings {
	struct al_analysis analysis[AL_MAX_ANALYSES];
	size_t n_analyses; /* >= 1 */
	struct al_cache cache[AL_MAX_CACHES];
	unsigned n_caches;		/* >= 1 */
	bool geometry_is_host;		/* detected, not given */
	char geometry_note[AL_MESSAGE]; /* why the detected caches are not this
					   machine's; "" where they are */
	const char *json;	    /* path, "-" for standard output, or NULL */
	const char *program_output; /* where a program that is run writes: path,
				       "-" for standard output, or NULL */
	const char *json_each;	    /* path with %p or %n, or NULL */
	const char *profile;	    /* path, or NULL */
	const char *window;	    /* path, or NULL */
	struct al_windows *windows; /* what to record, and when; NULL:
				       everything */
	bool strict;		    /* a window that never opens is an error */
	bool whole_only;	    /* nothing is analysed for windows alone */
	unsigned compress;	    /* level, of zstd */
	uint32_t record;	    /* enum pt_fields for the profile */
	unsigned workers;	    /* 1..AL_MAX_WORKERS; to begin with, when
				       they are adapted */
	unsigned partitions;	    /* 1: none, 0: as the workers deserve */
	size_t chunk_bytes;	    /* [bytes] PT_MIN_CHUNK..PT_MAX_CHUNK */
	unsigned chunks;     /* per process, 2..PT_MAX_CHUNKS; likewise */
	unsigned max_chunks; /* per process; 0: fixed */
	struct al_adaptive adaptive;
	size_t memory;	    /* [bytes] all rings together */
	int error_exitcode; /* 0: keep the program's */
};

/* Whether analysis @i is the first of its class, which may be there for each
   cache file. */
bool al_settings_is_first(const struct al_settings *, size_t i);

/* Has windows record what the analyses need, whatever their record: says. */
void al_settings_serve_analyses(struct al_settings *);

/* The fields that the tool must emit: the union over the analyses. */
uint32_t al_settings_fields(const struct al_settings *);

#endif
