/* SPDX-License-Identifier: GPL-2.0-or-later */
/* annotated_sources.c - compares annotated files with the sources of the run;
   see annotation.h */

#include "lib/report/annotation.h"

#include <errno.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/run/state.h"
#include "lib/symbols/file_facts.h"
#include "lib/symbols/symbols.h"

static const struct al_annotated_source *
find_source_or_null(const struct al_annotation *a, const char *file)
{
	for (size_t i = a->n_sources; i > 0; i--)
		if (!strcmp(a->source[i - 1].file, file))
			return &a->source[i - 1];
	return NULL;
}

int al_annotation_read_source_hashes(struct al_annotation *a,
				     struct al_run *run)
{
	struct al_file_facts *facts = al_symbols_file_facts(run->symbols);
	struct al_source_hash h;

	for (size_t i = 0; i < a->n; i++) {
		const char *file = a->row[i].file;

		if ((i > 0 && !strcmp(a->row[i - 1].file, file)) ||
		    find_source_or_null(a, file) ||
		    !al_file_facts_get_or_hash_source(facts, file, &h))
			continue;
		if (al_array_reserve(a->source, a->source_room,
				     a->n_sources + 1))
			return -ENOMEM;
		a->source[a->n_sources++] =
			(struct al_annotated_source){file, h.hash};
	}
	return 0;
}

bool al_annotation_is_source_changed_at_path(const struct al_annotation *a,
					     const char *file, const char *path)
{
	const struct al_annotated_source *s = find_source_or_null(a, file);
	struct al_source_hash h;

	return s && !al_source_hash_regular_file_count_lines(path, &h) &&
	       h.hash != s->hash;
}
