/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unused_members.c - finds structures of which the program accesses at most
 * half of the bytes in the cache lines that it fetches
 */
#include <stdio.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/data_structures.h"
#include "lib/report/findings/rules.h"

static bool has_half_of_fetched_bytes_unused(const struct al_data_row *r)
{
	return r->used_bytes > 0 && r->used_bytes * 2 <= r->fetched_bytes;
}

/* Write "its 64 bytes" or, if not all cache lines of the structure are
   accessed, "the 128 bytes in its accessed lines". */
static void format_structure_bytes(char *out, size_t size,
				   const struct al_data_row *r)
{
	if (r->fetched_bytes < r->element)
		snprintf(out, size, "the %llu bytes in its accessed lines",
			 (unsigned long long)r->fetched_bytes);
	else
		snprintf(out, size, "its %llu bytes",
			 (unsigned long long)r->element);
}

static void
add_finding_if_half_of_bytes_unused(const struct al_data_row *r,
				    const struct al_data_misses *misses,
				    struct al_findings *out)
{
	char name[AL_STRUCTURE_NAME], size[64], count[AL_NUMBER_BYTES];
	struct al_finding f;

	if (!has_half_of_fetched_bytes_unused(r))
		return;
	al_data_init_finding(&f, "unused-members", r, misses->of_row);
	al_finding_add_evidence_if_space(&f, "used_bytes", r->used_bytes);
	al_finding_add_evidence_if_space(&f, "fetched_bytes", r->fetched_bytes);
	al_finding_add_evidence_if_space(&f, "element", r->element);
	al_data_format_structure_name(name, r);
	format_structure_bytes(size, sizeof(size), r);
	snprintf(f.text, sizeof(f.text),
		 "Accesses to %s use %llu of %s: %s misses, %.1f %% of %s "
		 "misses of data.",
		 name, (unsigned long long)r->used_bytes, size,
		 al_number_format_grouped(count, misses->of_row),
		 100.0 * (double)misses->of_row / (double)misses->of_level,
		 misses->level);
	al_findings_insert(out, &f);
}

void al_rule_add_unused_members(const struct al_model *m,
				struct al_findings *out)
{
	al_data_rows_apply_rule(m, add_finding_if_half_of_bytes_unused, out);
}
