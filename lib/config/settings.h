/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.h - holds the settings of a run, after all options are parsed
 */
#ifndef LIB_CONFIG_SETTINGS_H
#define LIB_CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzers/analyzer.h"
#include "base/text/message.h"
#include "lib/config/adaptive_option.h"

enum {
	AL_MAX_CACHES = 16,   /* greatest number of cache hierarchies, given and
				 changed ones together */
	AL_MAX_ANALYSES = 64, /* greatest number of analyses; one that uses
				 caches counts once for each cache file that it
				 can use; the first that compares hierarchies
				 also once for each changed one */
	AL_MAX_ANALYSIS_OPTIONS = 8,
	AL_FIRST_WORKERS = 2, /* initial number of workers if they are
				 adapted, unless their greatest number is
				 below it */
	AL_MAX_WORKERS = 256,
};

struct al_windows;
struct pt_allocators;

/* An analysis with its options. */
struct al_analysis {
	const struct an_class *class;
	struct {
		const char *key;
		const char *value;
	} option[AL_MAX_ANALYSIS_OPTIONS];
	size_t n_options;
	unsigned cache; /* index in al_settings.cache, if the analysis uses
			   caches */
};

/* A cache hierarchy. */
struct al_cache {
	const char *file; /* path as given; NULL: the hierarchy is from options
			     or this machine */
	const char *what_if; /* change that made it from the first hierarchy;
				NULL: it is as given */
	struct an_geometry geometry;
};

/* Settings of a run; they do not change after al_options_finish(). */
struct al_settings {
	struct al_analysis analysis[AL_MAX_ANALYSES];
	size_t n_analyses; /* >= 1 */
	struct al_cache cache[AL_MAX_CACHES];
	unsigned n_caches;     /* number of unchanged hierarchies, >= 1 */
	unsigned n_what_ifs;   /* number of changed hierarchies, which follow
				  the unchanged one in cache[]; if it is above
				  0, n_caches is 1 */
	bool geometry_is_host; /* no cache is given: all are those detected or,
				  if detection failed, defaults */
	char geometry_note[AL_MESSAGE]; /* reason why a detected cache may
					   differ from this machine's; else
					   "" */
	/* path of the JSON report, "-" for standard output, or NULL */
	const char *json;
	const char *html;	 /* path of the web page, or NULL */
	bool page_has_no_source; /* the page has no lines of source files */
	const char *editor_url;	 /* pattern of the page's links to source lines,
				   with {path}, with or without {line}; NULL: no
				   links */
	const char *program_output; /* path of the program's standard output;
				       "-": it is ours; NULL: not given */
	const char *json_each;	    /* pattern of the JSON reports of processes,
				       with %p or %n; or NULL */
	const char *profile; /* path or pattern of the profile, or NULL */
	const char *window;  /* path of the window file, or NULL */
	struct al_windows *windows; /* windows to record; NULL: record
				       everything */
	/* data of the PT_MSG_ALLOCATORS packet; NULL: --allocators is not
	   given */
	struct pt_allocators *allocators;
	uint32_t allocator_bytes; /* [bytes] of `allocators`; 0: none */
	bool strict;		  /* a window that never opens is an error */
	bool no_per_window;	  /* per-window analyses are switched off */
	unsigned compress;	  /* compression level of zstd */
	uint32_t record;	  /* fields of --record, for the profile: enum
				       pt_fields */
	unsigned workers;	  /* number of workers, 1..AL_MAX_WORKERS;
				       initial number if workers are adapted */
	unsigned partitions;	  /* partitions of an analysis; 1: none; 0:
				       chosen by the number of workers */
	size_t chunk_bytes;	  /* [bytes] of a ring's chunk,
				       PT_MIN_CHUNK..PT_MAX_CHUNK */
	unsigned chunks;     /* number of chunks of a ring, 2..PT_MAX_CHUNKS;
				initial number if buffers are adapted */
	unsigned max_chunks; /* greatest number of chunks of a ring; 0: `chunks`
				is fixed */
	struct al_adaptive adaptive;
	size_t memory;	    /* [bytes] limit of all rings together */
	int error_exitcode; /* exit status if not everything was recorded, an
			       analysis was stopped or, with `strict`, a window
			       never opened; 0: not set */
	unsigned top;	    /* greatest number of rows of each table of the
			       report; 0: each table's default */
	bool full;	    /* print all tables of the report, --full */
};

/* Whether analysis @analysis_index is the first of its class: an analysis that
   uses caches may be listed several times, each with another hierarchy. */
bool al_settings_is_first_of_its_class(const struct al_settings *,
				       size_t analysis_index);

/* Whether analysis @analysis_index simulates a hierarchy that --what-if has
   changed: its result is reported as a comparison with that of the analysis of
   the given hierarchy. */
bool al_settings_is_what_if_analysis(const struct al_settings *,
				     size_t analysis_index);

/* Add the addresses and values that an analysis needs, or that @option_fields
   has, to the fields that the windows record, even if `record` of the window
   file does not list them. @option_fields: enum pt_fields, those of --record; 0
   if it is not given. */
void al_settings_add_needed_fields_to_windows(struct al_settings *,
					      uint32_t option_fields);

/* Return the fields that the tool must emit, enum pt_fields: those that the
   analyses need, and those of the profile. */
uint32_t al_settings_fields_tool_must_emit(const struct al_settings *);

/**
 * al_fields_parse_record_option() - Parse the list of fields of --record.
 * @comma_list: words from the table below, separated by commas.
 * @field_bits: receives enum pt_fields.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 *   routine    name of the function
 *   timestamp  time when the block of code began
 *   address    address of the access
 *   value      bytes read and written
 *   bytes      bytes of the instruction
 *   core       processor that the program ran on
 *   data       heap blocks and variables
 *
 * Routine and bytes are always recorded: they are written once per block of
 * code, not at each execution.
 *
 * Return: 0 or -EINVAL.
 */
int al_fields_parse_record_option(const char *comma_list, uint32_t *field_bits,
				  char *message);

/* Set the analyses of the settings to @requested [@requested_count], those of
   the options; if @requested_count is 0, to the default analysis of each cache
   file. An analysis that uses caches is added once for each cache file that it
   can use. The first one that compares hierarchies is also added for each
   hierarchy that --what-if makes by a change. For a web page, a timeline is
   added for each analysis "cache" of a cache file if no timeline was requested.
   Return: 0; -EINVAL with @message [AL_MESSAGE]. */
int al_settings_set_analyses_per_cache(struct al_settings *,
				       const struct al_analysis *requested,
				       size_t requested_count, char *message);

/* Read the window file, or make the window that @only and @calls, the values of
   --only and --calls or NULL, describe, and store it in `windows`. Return: 0;
   -EINVAL with @message [AL_MESSAGE], also if --window is given together with
   one of them. */
int al_settings_read_or_make_windows(struct al_settings *, const char *only,
				     const char *calls, char *message);

/* Read the allocator functions that @file_or_set [@n], the values of
   --allocators, name into `allocators`. Return: 0; -EINVAL with @message
   [AL_MESSAGE], also if there are any but no heap blocks are recorded. */
int al_settings_read_allocators(struct al_settings *,
				const char *const *file_or_set, unsigned n,
				char *message);

#endif
