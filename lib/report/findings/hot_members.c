/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hot_members.c - finds structures with few members that have most accesses,
 * beside members that are accessed, too, but rarely
 *
 * The rule does not claim that the members can be stored apart.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "lib/report/findings/data_structures.h"
#include "lib/report/findings/rules.h"

enum {
	HOT_PERCENT = 90,   /* least percentage of a row's accesses that the hot
			       members have */
	HOT_SHARE = 4,	    /* hot members take at most this part, a quarter, of
			       the structure's bytes in their lines */
	MAX_MEMBERS = 4096, /* greatest number of accessed members of a
			       structure; the others are ignored */
	NAMES = 120,	    /* [bytes] for the names of hot members */
};

struct member {
	const char *name;
	uint64_t offset, size; /* [bytes] offset of the member in its structure,
				  and size of the member */
	uint64_t accesses, misses; /* accesses that begin in the member, and
				      their misses */
	uint64_t reach;		   /* [bytes] mean size of the accesses that
				      begin in the member, rounded up */
};

/* Members of a structure, those with most accesses first. The first `n_hot`
   have HOT_PERCENT of the accesses. */
struct members {
	struct member *member; /* [n] */
	size_t n, n_hot;
	uint64_t hot_bytes, hot_accesses, hot_misses;
};

/* Compare members for qsort(): most accesses first, then by offset. */
static int compare_members_by_accesses_desc(const void *va, const void *vb)
{
	const struct member *a = va, *b = vb;

	if (a->accesses != b->accesses)
		return a->accesses > b->accesses ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static uint64_t divide_rounded_up(uint64_t a, uint64_t b)
{
	return b ? (a + b - 1) / b : 0;
}

/* Append the members of which any byte is accessed. Return: whether memory
   sufficed. */
static bool alloc_and_read_accessed_members(struct members *m,
					    const struct al_data_row *r)
{
	const struct al_result_node *f = r->fields ? r->fields->first : NULL;

	m->member = calloc(MAX_MEMBERS, sizeof(*m->member));
	for (; m->member && f && m->n < MAX_MEMBERS; f = f->next) {
		struct member *next = &m->member[m->n];
		uint64_t accesses = al_node_number_or_0(f, "reads") +
				    al_node_number_or_0(f, "writes");

		*next = (struct member){
			.name = al_node_text_or_empty(f, "name"),
			.offset = al_node_number_or_0(f, "offset"),
			.size = al_node_number_or_0(f, "size"),
			.accesses = accesses,
			.reach = divide_rounded_up(
				al_node_number_or_0(f, "bytes"), accesses),
			.misses = al_data_level_misses_or_0(
				al_model_find_member(f, "levels"), 0)};
		m->n += accesses > 0 ||
			al_node_number_or_0(f, "used_bytes") > 0;
	}
	return m->member != NULL;
}

/* Make the member number @index, which is none of the first n_hot ones, the
   next hot one. */
static void add_hot_member(struct members *m, size_t index)
{
	const struct member hot = m->member[index];

	m->member[index] = m->member[m->n_hot];
	m->member[m->n_hot++] = hot;
	m->hot_accesses += hot.accesses;
	m->hot_bytes += hot.size;
	m->hot_misses += hot.misses;
}

/* Whether accesses that begin at the start of @begun_in extend, with their mean
   size, into @other, which lies after @begun_in. */
static bool is_touched_by_accesses_begun_in(const struct member *other,
					    const struct member *begun_in)
{
	return other->offset > begun_in->offset &&
	       other->offset < begun_in->offset + begun_in->reach;
}

/* Make those members hot that accesses to hot ones also read or write, on
   average: those of a vector, say. */
static void make_members_reached_by_hot_accesses_hot(struct members *m)
{
	for (size_t i = 0; i < m->n_hot; i++)
		for (size_t k = m->n_hot; k < m->n; k++)
			if (is_touched_by_accesses_begun_in(&m->member[k],
							    &m->member[i]))
				add_hot_member(m, k);
}

/* Sort the members and add up the first ones, until they have HOT_PERCENT of
   the accesses of the row; then add the members that accesses to these also
   reach. */
static void sort_by_accesses_and_sum_hot_members(struct members *m,
						 const struct al_data_row *r)
{
	qsort(m->member, m->n, sizeof(*m->member),
	      compare_members_by_accesses_desc);
	while (m->n_hot < m->n &&
	       al_rounded_down_percent(m->hot_accesses, r->accesses) <
		       HOT_PERCENT)
		add_hot_member(m, m->n_hot);
	make_members_reached_by_hot_accesses_hot(m);
}

/* Return the size of the parts of a structure that the hot members' lines
   contain; of the whole structure if it is not longer than a line. */
static uint64_t structure_bytes_in_hot_lines(const struct members *m,
					     const struct al_data_row *r,
					     uint64_t line_bytes)
{
	uint64_t sum = 0;

	for (uint64_t start = 0; start < r->element; start += line_bytes) {
		uint64_t end = start + line_bytes < r->element
				       ? start + line_bytes
				       : r->element;
		bool is_hot = false;

		for (size_t i = 0; i < m->n_hot; i++)
			is_hot |=
				m->member[i].offset < end &&
				m->member[i].offset + m->member[i].size > start;
		sum += is_hot ? end - start : 0;
	}
	return sum;
}

/* Write the names of the hot members, "next, key and 3 more". */
static void format_names_of_hot_members(char out[NAMES],
					const struct members *m)
{
	size_t used = 0;

	*out = 0;
	for (size_t i = 0; i < m->n_hot; i++) {
		const char *name = m->member[i].name;

		if (used + strlen(name) + 20 > NAMES) {
			snprintf(out + used, NAMES - used, "%s%zu more",
				 used ? " and " : "", m->n_hot - i);
			return;
		}
		used += (size_t)snprintf(out + used, NAMES - used, "%s%s",
					 !used		    ? ""
					 : i + 1 < m->n_hot ? ", "
							    : " and ",
					 name);
	}
}

static void add_hot_members_finding(const struct members *m,
				    const struct al_data_row *r,
				    const struct al_data_misses *misses,
				    struct al_findings *out)
{
	char name[AL_STRUCTURE_NAME], names[NAMES], count[AL_NUMBER_BYTES];
	struct al_finding f;

	al_data_init_finding(&f, "hot-members", r, m->hot_misses);
	al_finding_add_evidence_if_space(&f, "accesses", r->accesses);
	al_finding_add_evidence_if_space(&f, "hot_accesses", m->hot_accesses);
	al_finding_add_evidence_if_space(&f, "hot_bytes", m->hot_bytes);
	al_finding_add_evidence_if_space(&f, "element", r->element);
	al_data_format_structure_name(name, r);
	format_names_of_hot_members(names, m);
	snprintf(f.text, sizeof(f.text),
		 "%u %% of the accesses to %s are to %s, %llu of its %llu "
		 "bytes: %s misses, %.1f %% of %s misses of data.",
		 al_rounded_down_percent(m->hot_accesses, r->accesses), name,
		 names, (unsigned long long)m->hot_bytes,
		 (unsigned long long)r->element,
		 al_number_format_grouped(count, m->hot_misses),
		 100.0 * (double)m->hot_misses / (double)misses->of_level,
		 misses->level);
	al_findings_insert(out, &f);
}

static void add_finding_if_few_members_hot(const struct al_data_row *r,
					   const struct al_data_misses *misses,
					   struct al_findings *out)
{
	struct members m = {0};

	if (!*r->type || r->used_bytes * 2 <= r->fetched_bytes ||
	    !alloc_and_read_accessed_members(&m, r)) {
		free(m.member);
		return;
	}
	sort_by_accesses_and_sum_hot_members(&m, r);
	if (m.n_hot < m.n && *m.member->name &&
	    m.hot_bytes * HOT_SHARE <=
		    structure_bytes_in_hot_lines(&m, r, misses->line_bytes) &&
	    al_data_is_reportable(m.hot_misses, misses->of_level))
		add_hot_members_finding(&m, r, misses, out);
	free(m.member);
}

void al_rule_add_hot_members(const struct al_model *m, struct al_findings *out)
{
	al_data_rows_apply_rule(m, add_finding_if_few_members_hot, out);
}
