/* SPDX-License-Identifier: GPL-2.0-or-later */
/* findings.c - applies the rules, and reads the model for them; see
   findings.h */

#include "lib/report/findings/findings.h"

#include <stdio.h>
#include <string.h>

#include "lib/report/findings/rules.h"

enum {
	STARTUP_PERCENT = 50, /* least percentage of a level's misses that the
				 dynamic linker has if start-up has most
				 misses */
	STARTUP_INSTRUCTIONS = 10, /* least percentage of all instructions that
				      the dynamic linker executes in a short
				      run */
	COLUMN_NAME = 64,	   /* [bytes] memory for a column's key */
};

static void (*const rules[])(const struct al_model *, struct al_findings *) = {
	al_rule_add_miss_concentration, al_rule_add_hot_code_fetch_misses,
	al_rule_add_column_walks,	al_rule_add_large_constant_strides,
	al_rule_add_unused_bytes,	al_rule_add_streaming,
	al_rule_add_conflicts,		al_rule_add_dead_writes,
	al_rule_add_pointer_chases,
};

bool al_findings_startup_has_most_misses(const struct al_model *m)
{
	struct al_level_with_misses level[AL_MAX_MISSING];
	unsigned n = al_find_levels_with_misses(m, level);

	return n > 0 && al_ld_so_miss_percent(al_find_level_with_most_misses(
				level, n)) >= STARTUP_PERCENT;
}

void al_findings_set_by_code_rules(struct al_findings *f,
				   const struct al_model *m)
{
	struct al_level_with_misses level[AL_MAX_MISSING];

	*f = (struct al_findings){.n = 0};
	if (al_find_levels_with_misses(m, level) == 0 ||
	    al_findings_startup_has_most_misses(m))
		return;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		rules[i](m, f);
}

void al_findings_add_of_data_objects(struct al_findings *f,
				     const struct al_model *m)
{
	al_rule_add_unused_members(m, f);
	al_rule_add_hot_members(m, f);
}

void al_findings_add_of_program(struct al_findings *f,
				const struct al_program_results *r)
{
	if (r->loops && r->cache)
		al_rule_add_loop_strides(r->loops, r->cache, f);
	if (r->branch)
		al_rule_add_mispredicted_branches(r->branch, f);
	if (r->loops && r->mix)
		al_rule_add_scalar_floats(r->loops, r->mix, f);
}

static bool has_same_text_or_both_null(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool has_same_rule_and_place(const struct al_finding *a,
				    const struct al_finding *b)
{
	return has_same_text_or_both_null(a->rule, b->rule) &&
	       a->line == b->line &&
	       has_same_text_or_both_null(a->data, b->data) &&
	       has_same_text_or_both_null(a->file, b->file) &&
	       (a->line != 0 ||
		has_same_text_or_both_null(a->function, b->function));
}

static void remove_finding(struct al_findings *f, unsigned index)
{
	f->n--;
	memmove(&f->item[index], &f->item[index + 1],
		(f->n - index) * sizeof(f->item[0]));
}

/* Whether @a stays in front of @b, which is inserted later. */
static bool is_sorted_before_later(const struct al_finding *a,
				   const struct al_finding *b)
{
	return a->is_about_operations != b->is_about_operations
		       ? b->is_about_operations
		       : a->misses >= b->misses;
}

void al_findings_insert(struct al_findings *f, const struct al_finding *new)
{
	unsigned index = 0;

	for (unsigned i = 0; i < f->n; i++) {
		if (!has_same_rule_and_place(&f->item[i], new))
			continue;
		if (f->item[i].misses >= new->misses)
			return;
		remove_finding(f, i);
		break;
	}
	while (index < f->n && is_sorted_before_later(&f->item[index], new))
		index++;
	if (index == AL_MAX_FINDINGS)
		return;
	if (f->n < AL_MAX_FINDINGS)
		f->n++;
	memmove(&f->item[index + 1], &f->item[index],
		(f->n - 1 - index) * sizeof(f->item[0]));
	f->item[index] = *new;
}

void al_finding_add_evidence_if_space(struct al_finding *f, const char *name,
				      uint64_t number)
{
	if (f->n_evidence < AL_MAX_EVIDENCE)
		f->evidence[f->n_evidence++] =
			(struct al_evidence){name, number};
}

static void write_finding_as_object(const struct al_finding *f,
				    struct an_sink *out)
{
	out->begin(out, NULL);
	out->string(out, "rule", f->rule);
	out->string(out, "function", f->function ? f->function : "???");
	out->string(out, "file", f->file ? f->file : "???");
	out->number(out, "line", f->line);
	if (f->data)
		out->string(out, "data", f->data);
	out->begin(out, "evidence");
	for (unsigned i = 0; i < f->n_evidence; i++)
		out->number(out, f->evidence[i].name, f->evidence[i].number);
	out->end(out);
	out->string(out, "text", f->text);
	out->end(out);
}

void al_findings_write(const struct al_findings *f, struct an_sink *out)
{
	out->begin_list(out, "findings");
	for (unsigned i = 0; i < f->n; i++)
		write_finding_as_object(&f->item[i], out);
	out->end(out);
}

/* ---- reading the model ---- */
const char *al_row_text_or_empty(const struct al_table *t, size_t row,
				 const char *column_key)
{
	int i = al_table_find_column_index(t, column_key);

	return i < 0 || !al_table_row(t, row)[i].text
		       ? ""
		       : al_table_row(t, row)[i].text;
}

uint64_t al_row_number_or_0(const struct al_table *t, size_t row,
			    const char *column_key)
{
	int i = al_table_find_column_index(t, column_key);

	return i < 0 ? 0 : al_table_row(t, row)[i].number;
}

/* Set the tables of level @l and the index of the column with its misses.
   Return: whether both tables have that column, at the same index. */
static bool find_miss_tables_of_level(const struct al_model *m,
				      struct al_level_with_misses *l)
{
	char name[COLUMN_NAME];
	int i;

	l->functions = al_model_find_table(m, "whole functions");
	l->lines = al_model_find_table(m, "own lines");
	if (!l->functions || !l->lines)
		return false;
	snprintf(name, sizeof(name), "%s.misses", l->name);
	i = al_table_find_column_index(l->functions, name);
	l->column = (unsigned)i;
	return i >= 0 && al_table_find_column_index(l->lines, name) == i;
}

uint64_t al_model_totals_number_or_0(const struct al_model *m, const char *key)
{
	const struct al_result_node *totals =
		al_model_find_member(&m->root, "totals");
	const struct al_result_node *n =
		totals ? al_model_find_member(totals, key) : NULL;

	return n ? n->value.number : 0;
}

/* Whether the number of accesses of a level equals that of all instructions, of
   all reads and writes, or of both together. */
static bool is_first_cache_level(const struct al_model *m,
				 uint64_t level_accesses)
{
	uint64_t instructions = al_model_totals_number_or_0(m, "Ir");
	uint64_t data = al_model_totals_number_or_0(m, "Dr") +
			al_model_totals_number_or_0(m, "Dw");

	return level_accesses == instructions || level_accesses == data ||
	       level_accesses == instructions + data;
}

unsigned
al_find_levels_with_misses(const struct al_model *m,
			   struct al_level_with_misses out[AL_MAX_MISSING])
{
	const struct al_table *t = al_model_find_table(m, "levels");
	unsigned n = 0;

	for (size_t i = 0; t && i < t->n_rows && n < AL_MAX_MISSING; i++) {
		struct al_level_with_misses *l = &out[n];

		*l = (struct al_level_with_misses){
			.name = al_row_text_or_empty(t, i, "name"),
			.accesses = al_row_number_or_0(t, i, "accesses"),
			.misses = al_row_number_or_0(t, i, "misses"),
			.size = al_row_number_or_0(t, i, "size")};
		l->is_first = is_first_cache_level(m, l->accesses);
		if (l->misses > 0 && find_miss_tables_of_level(m, l))
			n++;
	}
	return n;
}

const struct al_level_with_misses *
al_find_level_with_most_misses(const struct al_level_with_misses *l,
			       unsigned level_count)
{
	const struct al_level_with_misses *most = level_count ? l : NULL;

	for (unsigned i = 1; i < level_count; i++)
		if (l[i].is_first != most->is_first
			    ? l[i].is_first
			    : l[i].misses > most->misses)
			most = &l[i];
	return most;
}

static bool is_dynamic_linker(const char *object_base_name)
{
	return !strncmp(object_base_name, "ld-linux", 8) ||
	       !strncmp(object_base_name, "ld-musl", 7) ||
	       !strcmp(object_base_name, "ld.so");
}

unsigned al_ld_so_miss_percent(const struct al_level_with_misses *l)
{
	uint64_t misses = 0, instructions = 0, all = 0;

	for (size_t i = 0; i < l->functions->n_rows; i++) {
		uint64_t n = al_row_number_or_0(l->functions, i, "Ir");

		all += n;
		if (!is_dynamic_linker(
			    al_row_text_or_empty(l->functions, i, "object")))
			continue;
		instructions += n;
		misses += al_table_row(l->functions, i)[l->column].number;
	}
	return al_rounded_down_percent(instructions, all) < STARTUP_INSTRUCTIONS
		       ? 0
		       : al_rounded_down_percent(misses, l->misses);
}

unsigned al_rounded_down_percent(uint64_t part, uint64_t whole)
{
	return whole ? (unsigned)((double)part / (double)whole * 100) : 0;
}

bool al_is_level_of_code_only(const struct al_model *cache,
			      const struct al_table *levels, size_t row)
{
	return al_row_number_or_0(levels, row, "writes") == 0 &&
	       al_row_number_or_0(levels, row, "reads") ==
		       al_model_totals_number_or_0(cache, "Ir");
}
