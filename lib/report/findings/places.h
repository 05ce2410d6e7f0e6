/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.h - sums the table "sites" by source line
 *
 * The table has a row for each access of an instruction; it exists only if the
 * cache analysis ran with findings=yes. Sites of which the line is not known
 * are summed by function.
 */
#ifndef LIB_REPORT_FINDINGS_PLACES_H
#define LIB_REPORT_FINDINGS_PLACES_H

#include "lib/report/findings/findings.h"

enum {
	AL_MAX_SUMS = 4,     /* greatest number of columns that are summed */
	AL_PLACE_TEXT = 200, /* [bytes] memory that al_place_format() needs */
};

/* A source line, or a function if @line is 0, in one object file. */
struct al_place {
	const char *file;
	const char *function; /* function of the place's site with most misses;
				 "" or "???": not known */
	const char *object;
	uint64_t line;
	uint64_t sum[AL_MAX_SUMS];
};

struct al_places {
	struct al_place *place; /* [n] sorted by file, line, object and, if the
				   line is 0, function */
	size_t n;
	uint64_t total[AL_MAX_SUMS]; /* sums over all sites */
};

/**
 * al_places_sum_sites_table_by_place() - Sum columns of the table "sites" by
 * place.
 * @column_keys: [n_columns] keys, at most AL_MAX_SUMS.
 *
 * Call al_places_release() afterwards. Return: whether the model has the table
 * and memory sufficed.
 */
bool al_places_sum_sites_table_by_place(struct al_places *,
					const struct al_model *,
					const char *const *column_keys,
					unsigned n_columns);
void al_places_release(struct al_places *);

/* Whether the line or the function of a place is known. */
bool al_place_has_line_or_function(const struct al_place *);

/* Set file, function and line of a finding to those of a place; file and
   function to NULL if they are not known. */
void al_finding_set_file_line_and_function(struct al_finding *,
					   const struct al_place *);

/* Format "at file.c:12 in f", or "in f [object]" if the line is not known.
   Return @out. */
char *al_place_format(char out[AL_PLACE_TEXT], const struct al_place *);

/* Return the element of @level, [@n] levels from al_find_levels_with_misses(),
   whose misses the table "sites" counts: the first level of data. NULL if the
   model has no such table or that level has no misses. */
const struct al_level_with_misses *
al_find_level_of_sites_table(const struct al_model *,
			     const struct al_level_with_misses *level,
			     unsigned n);

#endif
