/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moved_functions.c - finds renamed and inlined functions; see
   source_pairs.h */

#include "lib/diff/normal_name.h"
#include "lib/diff/source_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	RENAMED_PERCENT = 80,
	MOST_CANDIDATES = 256, /* greatest number of new functions that one gone
				  function is compared with in a source file */
};

/* An executed line of a function that only one side has. */
struct text_line {
	uint32_t function;
	uint32_t source;
	uint64_t hash; /* of the line's text without the function's name */
	/* whether the function is only in B, not only in A */
	bool is_new;
};

/* The lines of one function in one source file: [first, end) of the sorted
   array of struct finder. */
struct body {
	uint32_t function, source;
	size_t first, end;
};

struct finder {
	struct al_diff *d;
	struct text_line *line;
	size_t n_lines;
	struct body *body;
	size_t n_bodies;
};

/* Order lines by source file, side, function, and hash of the text. */
static int compare_text_lines_by_place_then_hash(const void *a, const void *b)
{
	const struct text_line *one = a, *other = b;

	if (one->source != other->source)
		return one->source < other->source ? -1 : 1;
	if (one->is_new != other->is_new)
		return one->is_new ? 1 : -1;
	if (one->function != other->function)
		return one->function < other->function ? -1 : 1;
	return (one->hash > other->hash) - (one->hash < other->hash);
}

/* Add the line of @side if its function exists on that side only and the text
   is known. */
static void add_unmatched_function_line(struct finder *f,
					const struct al_diff_sources *s,
					const struct al_diff_line *l, int side)
{
	uint32_t function = l->in[side], source;
	const struct al_diff_source *file;
	const char *name;
	size_t name_length;

	if (function == UINT32_MAX ||
	    f->d->function[function].match !=
		    (side ? AL_DIFF_NEW : AL_DIFF_GONE))
		return;
	/* l->path is the path in A if A executes the line, else that in B. */
	source = al_diff_find_source_index(s, l->in[0] == UINT32_MAX, l->path);
	file = source == UINT32_MAX ? NULL : &s->source[source];
	if (!file || file->method != AL_DIFF_ALIGNED || !l->line[side] ||
	    l->line[side] > file->text[side].n)
		return;
	name = al_diff_identifier_in_function_name(
		f->d->function[function].normal, &name_length);
	f->line[f->n_lines++] =
		(struct text_line){function, source,
				   al_diff_line_hash_without_name(
					   &file->text[side], l->line[side] - 1,
					   name, name_length),
				   side == 1};
}

/* Collect and sort the lines of functions that are gone or new, and divide them
   into bodies. Return: 0; -ENOMEM. */
static int collect_new_and_gone_bodies(struct finder *f,
				       const struct al_diff_sources *s)
{
	size_t n = 2 * f->d->n_lines + 1;

	f->line = malloc(n * sizeof(*f->line));
	f->body = malloc(n * sizeof(*f->body));
	if (!f->line || !f->body)
		return -ENOMEM;
	for (size_t i = 0; i < f->d->n_lines; i++)
		for (int side = 0; side < 2; side++)
			add_unmatched_function_line(f, s, &f->d->line[i], side);
	qsort(f->line, f->n_lines, sizeof(*f->line),
	      compare_text_lines_by_place_then_hash);
	for (size_t i = 0; i < f->n_lines; i++) {
		struct body *last =
			f->n_bodies ? &f->body[f->n_bodies - 1] : NULL;

		if (!last || last->function != f->line[i].function ||
		    last->source != f->line[i].source)
			f->body[f->n_bodies++] = (struct body){
				f->line[i].function, f->line[i].source, i, i};
		f->body[f->n_bodies - 1].end = i + 1;
	}
	return 0;
}

/* Return twice the number of lines with equal hashes in both bodies, over the
   number of lines of both [%]. */
static unsigned common_lines_percent_of_bodies(const struct finder *f,
					       const struct body *a,
					       const struct body *b)
{
	size_t i = a->first, k = b->first, common = 0;

	while (i < a->end && k < b->end) {
		uint64_t x = f->line[i].hash, y = f->line[k].hash;

		common += x == y;
		i += x <= y;
		k += y <= x;
	}
	return (unsigned)(200 * common /
			  (a->end - a->first + b->end - b->first));
}

static bool is_function_of_body_only_in_newer_run(const struct finder *f,
						  const struct body *b)
{
	return f->d->function[b->function].match == AL_DIFF_NEW;
}

/* Make function @gone_index a renamed one, with name and counts of function
   @new_index in B, and mark @new_index as in neither input. */
static void merge_new_into_gone_as_renamed(struct al_diff *d,
					   uint32_t gone_index,
					   uint32_t new_index, unsigned percent)
{
	struct al_diff_function *a = &d->function[gone_index];
	struct al_diff_function *b = &d->function[new_index];

	a->match = AL_DIFF_RENAMED;
	a->similarity = percent;
	a->b_name = b->name;
	a->is_in[1] = true;
	a->n_names[1] = b->n_names[1];
	a->costs[1] = b->costs[1];
	b->is_in[1] = false; /* @b is removed later */
	b->match = AL_DIFF_SAME;
}

/* Find, of the first MOST_CANDIDATES new functions, the one with the largest
   common_lines_percent_of_bodies() to the function of body @gone_body_index, in
   the same source file; merge the two if it is at least RENAMED_PERCENT. */
static void merge_gone_with_similar_new(struct finder *f,
					size_t gone_body_index)
{
	const struct body *a = &f->body[gone_body_index], *best = NULL;
	unsigned most = RENAMED_PERCENT - 1, percent, tried = 0;

	for (size_t k = gone_body_index + 1;
	     k < f->n_bodies && f->body[k].source == a->source; k++) {
		if (!is_function_of_body_only_in_newer_run(f, &f->body[k]))
			continue;
		if (++tried > MOST_CANDIDATES)
			break;
		percent = common_lines_percent_of_bodies(f, a, &f->body[k]);
		if (percent > most) {
			most = percent;
			best = &f->body[k];
		}
	}
	if (best != NULL)
		merge_new_into_gone_as_renamed(f->d, a->function,
					       best->function, most);
}

/* ---- inlined ---- */

/* A vote that function @gone, which only A has, was inlined: one of its lines,
   and the function @by that executes this line in B; UINT32_MAX: none does. */
struct vote {
	uint32_t gone, by;
};

static int compare_inlining_votes_by_gone_executor(const void *a, const void *b)
{
	const struct vote *one = a, *other = b;

	if (one->gone != other->gone)
		return one->gone < other->gone ? -1 : 1;
	return (one->by > other->by) - (one->by < other->by);
}

/* Set inlined_into of the gone function of the votes to the function that
   executes most of its lines in B, if that is not new, and if those are at
   least half of all its lines. */
static void
set_inlined_into_if_half_of_votes(struct al_diff *d,
				  const struct vote *votes_of_one_function,
				  size_t vote_count)
{
	size_t most = 0, k;
	uint32_t by = UINT32_MAX;

	for (size_t i = 0; i < vote_count; i = k) {
		for (k = i;
		     k < vote_count &&
		     votes_of_one_function[k].by == votes_of_one_function[i].by;
		     k++)
			;
		if (votes_of_one_function[i].by != UINT32_MAX && k - i > most) {
			most = k - i;
			by = votes_of_one_function[i].by;
		}
	}
	if (by != UINT32_MAX && d->function[by].match != AL_DIFF_NEW &&
	    2 * most >= vote_count)
		d->function[votes_of_one_function->gone].inlined_into =
			d->function[by].b_name ? d->function[by].b_name
					       : d->function[by].name;
}

static int mark_inlined_gone_functions(struct al_diff *d)
{
	struct vote *vote = malloc((d->n_lines + 1) * sizeof(*vote));
	size_t n = 0, k;

	if (vote == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < d->n_lines; i++) {
		const struct al_diff_line *l = &d->line[i];

		if (l->in[0] != UINT32_MAX &&
		    d->function[l->in[0]].match == AL_DIFF_GONE)
			vote[n++] = (struct vote){l->in[0], l->in[1]};
	}
	qsort(vote, n, sizeof(*vote), compare_inlining_votes_by_gone_executor);
	for (size_t i = 0; i < n; i = k) {
		for (k = i; k < n && vote[k].gone == vote[i].gone; k++)
			;
		set_inlined_into_if_half_of_votes(d, &vote[i], k - i);
	}
	free(vote);
	return 0;
}

/* Remove the entries of d->function that are in neither A nor B, and move the
   others up. */
static void remove_functions_in_neither_input(struct al_diff *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_functions; i++)
		if (d->function[i].is_in[0] || d->function[i].is_in[1])
			d->function[n++] = d->function[i];
	d->n_functions = n;
}

int al_diff_find_renamed_or_inlined_function(struct al_diff *d,
					     const struct al_diff_sources *s)
{
	struct finder f = {.d = d};
	int err = collect_new_and_gone_bodies(&f, s);

	for (size_t i = 0; !err && i < f.n_bodies; i++)
		if (d->function[f.body[i].function].match == AL_DIFF_GONE)
			merge_gone_with_similar_new(&f, i);
	if (!err)
		err = mark_inlined_gone_functions(d);
	free(f.line);
	free(f.body);
	/* This changes indices of functions, so the indices in al_diff_line.in
	   are no longer valid. */
	remove_functions_in_neither_input(d);
	return err;
}
