/* SPDX-License-Identifier: GPL-2.0-or-later */
/* source_pairs.c - pairs source files; see source_pairs.h */

#include "lib/diff/source_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/path.h"

/* Add the source paths of the rows of input @side to s->paths, which numbers
   them, and allocate s->of_path without pairs. Return: 0; -ENOMEM. */
static int number_source_paths_of_input(struct al_diff_sources *s,
					const struct al_diff *d, int side)
{
	const struct al_diff_rows *rows = &d->in[side]->lines;
	const char *last = NULL;
	uint32_t number;
	bool is_new;

	for (size_t i = 0; i < rows->n; i++) {
		if (rows->row[i].path == last)
			continue;
		last = rows->row[i].path;
		if (al_key_table_find_or_add_pair(&s->paths[side],
						  (uintptr_t)last, 0, &number,
						  &is_new))
			return -ENOMEM;
	}
	s->of_path[side] =
		malloc((s->paths[side].n + 1) * sizeof(*s->of_path[side]));
	if (s->of_path[side] == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->paths[side].n; i++)
		s->of_path[side][i] = UINT32_MAX;
	return 0;
}

static const char *path_by_number(const struct al_diff_sources *s, int side,
				  uint32_t number)
{
	return (const char *)(uintptr_t)s->paths[side].key[number].word[0];
}

/* Return the number of bytes that two paths have in common at their ends. */
static size_t common_suffix_length(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), same = 0;

	while (same < n && same < m && a[n - 1 - same] == b[m - 1 - same])
		same++;
	return same;
}

/* A source file of one of the two inputs, for sorting by its name. @name: name
   of the file without folders. @number: number of its path in that input. */
struct named {
	const char *name;
	uint32_t number;
};

static int compare_paths_by_file_name(const void *a, const void *b)
{
	const struct named *one = a, *other = b;
	int c = strcmp(one->name, other->name);

	return c ? c
		 : (one->number > other->number) -
			       (one->number < other->number);
}

static struct named *
list_paths_sorted_by_file_name(const struct al_diff_sources *s, int side)
{
	struct named *n = calloc(s->paths[side].n + 1, sizeof(*n));

	for (uint32_t i = 0; n && i < s->paths[side].n; i++)
		n[i] = (struct named){
			al_path_base_name(path_by_number(s, side, i)), i};
	if (n)
		qsort(n, s->paths[side].n, sizeof(*n),
		      compare_paths_by_file_name);
	return n;
}

static void add_source_pair_or_single(struct al_diff_sources *s,
				      uint32_t a_path_number,
				      uint32_t b_path_number)
{
	struct al_diff_source *new = &s->source[s->n];

	*new = (struct al_diff_source){.method = AL_DIFF_ALONE};
	if (a_path_number != UINT32_MAX) {
		new->path[0] = path_by_number(s, 0, a_path_number);
		s->of_path[0][a_path_number] = (uint32_t)s->n;
	}
	if (b_path_number != UINT32_MAX) {
		new->path[1] = path_by_number(s, 1, b_path_number);
		s->of_path[1][b_path_number] = (uint32_t)s->n;
	}
	s->n++;
}

/* Add a pair for each path that both inputs have. */
static void pair_equal_paths(struct al_diff_sources *s)
{
	uint32_t number;

	for (uint32_t i = 0; i < s->paths[0].n; i++)
		if (al_key_table_find_pair(&s->paths[1],
					   s->paths[0].key[i].word[0], 0,
					   &number))
			add_source_pair_or_single(s, i, number);
}

/* Add a pair of file @a of A and, of the unpaired files of B with its name, the
   one whose path has the longest common end with that of @a; if there is no
   such file, add an entry with @a only. @b: sorted by name. @first_candidate:
   first file of @b that may have the name. */
static void pair_or_add_file_by_similar_path(struct al_diff_sources *s,
					     const struct named *a,
					     const struct named *b,
					     uint32_t first_candidate)
{
	uint32_t best = UINT32_MAX;
	size_t most = 0, same;

	for (; first_candidate < s->paths[1].n &&
	       strcmp(b[first_candidate].name, a->name) == 0;
	     first_candidate++) {
		same = common_suffix_length(
			path_by_number(s, 0, a->number),
			path_by_number(s, 1, b[first_candidate].number));
		if (s->of_path[1][b[first_candidate].number] == UINT32_MAX &&
		    same > most) {
			most = same;
			best = b[first_candidate].number;
		}
	}
	add_source_pair_or_single(s, a->number, best);
}

/* Add a pair for each file of A that has none yet, with a file of B of its name
   if there is one, then one for each remaining file of B. Return: 0; -ENOMEM.
   */
static int pair_or_add_remaining_sources_by_name(struct al_diff_sources *s)
{
	struct named *a = list_paths_sorted_by_file_name(s, 0),
		     *b = list_paths_sorted_by_file_name(s, 1);
	int err = a && b ? 0 : -ENOMEM;
	uint32_t k = 0;

	for (uint32_t i = 0; !err && i < s->paths[0].n; i++) {
		while (k < s->paths[1].n && strcmp(b[k].name, a[i].name) < 0)
			k++;
		if (s->of_path[0][a[i].number] == UINT32_MAX)
			pair_or_add_file_by_similar_path(s, &a[i], b, k);
	}
	for (uint32_t i = 0; !err && i < s->paths[1].n; i++)
		if (s->of_path[1][i] == UINT32_MAX)
			add_source_pair_or_single(s, UINT32_MAX, i);
	free(a);
	free(b);
	return err;
}

static int compare_files_by_path(const void *a, const void *b)
{
	const struct al_diff_file *one = a, *other = b;

	return strcmp(one->path, other->path);
}

/* Return the entry of in->file, which is sorted by path, with path @path; NULL
   if there is none, which means that the file's hash is not known. */
static const struct al_diff_file *
find_file_by_path(const struct al_diff_input *in, const char *path)
{
	const struct al_diff_file key = {path, 0, 0};

	return in->n_files ? bsearch(&key, in->file, in->n_files, sizeof(key),
				     compare_files_by_path)
			   : NULL;
}

/* Set s->to[1], the line of A for each line of B, from s->to[0], the line of B
   for each line of A. */
static void fill_b_to_a_pairing_from_a_to_b(struct al_diff_source *s)
{
	for (uint32_t i = 0; i < s->text[1].n; i++)
		s->to[1][i] = (struct al_line_pairing){AL_NO_LINE, false};
	for (uint32_t i = 0; i < s->text[0].n; i++)
		if (s->to[0][i].other != AL_NO_LINE)
			s->to[1][s->to[0][i].other] = (struct al_line_pairing){
				i, s->to[0][i].is_changed};
}

/* A source text to be read, if the hash of its file is the given one. */
struct wanted_text {
	uint64_t hash;
	struct al_diff_text *text;
};

static int read_text_if_file_hash_matches(void *wanted_hash_and_text,
					  const char *path)
{
	const struct wanted_text *w = wanted_hash_and_text;

	return al_diff_read_text(path, w->hash, w->text);
}

/* Set @text to the lines of a file of the run: read at its path, or else
   in in->source_folder. Return: 0; -ENOMEM; another -errno: no file found has
   the hash of the run. */
static int read_text_of_source_file(const struct al_diff_input *in,
				    const struct al_diff_file *file,
				    struct al_diff_text *text)
{
	struct wanted_text wanted = {file->hash, text};

	return al_path_read_here_or_in_folder(file->path, in->source_folder,
					      read_text_if_file_hash_matches,
					      &wanted);
}

/* Read the texts of files @a of A and @b of B, and pair their lines. Return: 0;
   -ENOMEM; another -errno: a file cannot be read, or is not that of the run. */
static int read_and_align_texts(struct al_diff_source *s,
				const struct al_diff *d,
				const struct al_diff_file *a,
				const struct al_diff_file *b)
{
	int err = read_text_of_source_file(d->in[0], a, &s->text[0]);

	if (!err)
		err = read_text_of_source_file(d->in[1], b, &s->text[1]);
	if (err)
		return err;
	s->to[0] = malloc((s->text[0].n + 1) * sizeof(*s->to[0]));
	s->to[1] = malloc((s->text[1].n + 1) * sizeof(*s->to[1]));
	if (!s->to[0] || !s->to[1])
		return -ENOMEM;
	err = al_diff_align_lines(&s->text[0], &s->text[1], s->to[0]);
	if (!err)
		fill_b_to_a_pairing_from_a_to_b(s);
	return err;
}

/* Set source->object[@side] of each file to the object of the first row of
   input @side in the file. */
static void set_first_object_of_each_file(struct al_diff_sources *s,
					  const struct al_diff *d, int side)
{
	const struct al_diff_rows *rows = &d->in[side]->lines;
	struct al_diff_source *source;

	for (size_t i = 0; i < rows->n; i++) {
		source = &s->source[al_diff_find_source_index(
			s, side, rows->row[i].path)];
		if (source->object[side] == NULL)
			source->object[side] = rows->row[i].object;
	}
}

/* Return the build id of the object with the file name @object; NULL if it has
   none, or @in has no such object. */
static const char *find_build_id_or_null(const struct al_diff_input *in,
					 const char *object)
{
	for (size_t i = 0; i < in->n_objects; i++)
		if (strcmp(al_path_base_name(in->object[i].path), object) == 0)
			return *in->object[i].build_id ? in->object[i].build_id
						       : NULL;
	return NULL;
}

/* Whether the file has one path in A and B, and its objects in A and B have one
   name and one build id, which must be known. */
static bool
have_files_same_path_object_and_build(const struct al_diff_source *pair,
				      const struct al_diff *d)
{
	const char *id;

	if (pair->object[0] != pair->object[1] ||
	    strcmp(pair->path[0], pair->path[1]) != 0)
		return false;
	id = find_build_id_or_null(d->in[0], pair->object[0]);
	return id != NULL &&
	       id == find_build_id_or_null(d->in[1], pair->object[1]);
}

/* Set s->method, by which the lines of two paired files are paired; read and
   align their texts if that is possible and needed. Return: 0; -ENOMEM. */
static int choose_line_pairing_and_align_if_needed(struct al_diff_source *s,
						   const struct al_diff *d)
{
	const struct al_diff_file *a, *b;
	int err;

	if (!s->path[0] || !s->path[1])
		return 0;
	a = find_file_by_path(d->in[0], s->path[0]);
	b = find_file_by_path(d->in[1], s->path[1]);
	s->method = AL_DIFF_BY_OFFSET;
	if ((a && b && a->hash == b->hash) || !strcmp(s->path[0], "???") ||
	    have_files_same_path_object_and_build(s, d)) {
		s->method = AL_DIFF_IDENTICAL;
	} else if (a && b) {
		err = read_and_align_texts(s, d, a, b);
		if (err == -ENOMEM)
			return err;
		if (!err)
			s->method = AL_DIFF_ALIGNED;
	}
	return 0;
}

int al_diff_sources_pair_and_align(struct al_diff_sources *s,
				   const struct al_diff *d)
{
	int err;

	*s = (struct al_diff_sources){.n = 0};
	err = number_source_paths_of_input(s, d, 0);
	if (!err)
		err = number_source_paths_of_input(s, d, 1);
	if (err)
		return err;
	s->source = calloc((size_t)s->paths[0].n + s->paths[1].n + 1,
			   sizeof(*s->source));
	if (s->source == NULL)
		return -ENOMEM;
	pair_equal_paths(s);
	err = pair_or_add_remaining_sources_by_name(s);
	for (int side = 0; !err && side < 2; side++)
		set_first_object_of_each_file(s, d, side);
	for (size_t i = 0; !err && i < s->n; i++)
		err = choose_line_pairing_and_align_if_needed(&s->source[i], d);
	return err;
}

uint32_t al_diff_find_source_index(const struct al_diff_sources *s, int side,
				   const char *path)
{
	uint32_t number;

	if (!al_key_table_find_pair(&s->paths[side], (uintptr_t)path, 0,
				    &number))
		return UINT32_MAX;
	return s->of_path[side][number];
}

void al_diff_sources_release(struct al_diff_sources *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (int side = 0; side < 2; side++) {
			al_diff_free_text(&s->source[i].text[side]);
			free(s->source[i].to[side]);
		}
	free(s->source);
	for (int side = 0; side < 2; side++) {
		al_key_table_release(&s->paths[side]);
		free(s->of_path[side]);
	}
}
