/* SPDX-License-Identifier: GPL-2.0-or-later */
/* source_lines.c - prints source lines with their counts; see profile_text.h */

#include "cli/print/profile_text.h"
#include "base/text/path.h"
#include "lib/report/annotation.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text/line_writer.h"
#include "base/text/message.h"
#include "cli/args/function_search.h"

enum {
	FUNCTIONS = 20, /* maximum number of functions listed */
	AROUND = 8,	/* number of lines printed before and after FILE:LINE */
	MOST_LINE = 4096 /* [bytes] maximum length of a printed line */
};

/* The range of a source file that is printed. */
struct source_range {
	const char *file;
	const char *function; /* only its counts are printed; NULL: those of
				 all functions */
	uint64_t from, to;    /* first and last line, both inclusive; from 1 */
};

struct printer {
	const struct al_annotation *a;
	const struct cl_source_request *request;
	int width[AL_MAX_COSTS]; /* [characters] width of each event's column;
				    0: no column, since all its counts are 0 */
	struct al_text out;
};

/* ---- counts ---- */
static void print_event_names_and_last_heading(struct printer *p,
					       const char *last_heading)
{
	for (unsigned e = 0; e < p->a->n_events; e++)
		if (p->width[e])
			printf("%*s", p->width[e], p->a->event[e]);
	printf("  %s\n", last_heading);
}

static void print_cost_columns_blank_if_null(struct printer *p,
					     const uint64_t *cost)
{
	char text[AL_NUMBER_BYTES];

	for (unsigned e = 0; e < p->a->n_events; e++)
		if (p->width[e])
			printf("%*s", p->width[e],
			       cost && cost[e]
				       ? al_number_format_grouped(text, cost[e])
			       : cost ? "0"
				      : "");
	fputs("  ", stdout);
}

/* Widen each column whose count in @cost is not 0, if needed, so that the count
   and the event's name fit, and two spaces. */
static void widen_columns_to_fit_cost(struct printer *p, const uint64_t *cost)
{
	char text[AL_NUMBER_BYTES];

	for (unsigned e = 0; e < p->a->n_events; e++) {
		int width =
			(int)strlen(al_number_format_grouped(text, cost[e])) +
			2;
		int name = (int)strlen(p->a->event[e]) + 2;

		width = width > name ? width : name;
		if (cost[e] && width > p->width[e])
			p->width[e] = width;
	}
}

static void print_function_cost_line(struct printer *p,
				     const struct al_annotated_line *f)
{
	print_cost_columns_blank_if_null(p, f->cost);
	al_text_write(&p->out, AL_PLAIN, f->function);
	fputs("  [", stdout);
	al_text_write(&p->out, AL_PLAIN, f->file);
	fputs("]\n", stdout);
}

/* ---- a file ---- */

/* Open a source file below the requested root directory, by its path or else by
   its base name; with the root "/", a relative path is one from the working
   directory. Only regular files are opened, since a profile may name any file.
   @path: [PATH_MAX] receives the path of the file. Return: NULL if there is
   none or it cannot be opened. */
static FILE *
open_source_below_root(const struct cl_source_request *source_request,
		       const char *file_path, char *path)
{
	const char *slash = strrchr(file_path, '/');
	const char *name[] = {file_path, slash ? slash + 1 : file_path};
	struct stat st;

	for (int i = 0; i < 2; i++) {
		if (file_path[0] != '/' && !strcmp(source_request->root, "/"))
			snprintf(path, PATH_MAX, "%s", name[i]);
		else
			snprintf(path, PATH_MAX, "%s%s%s",
				 strcmp(source_request->root, "/")
					 ? source_request->root
					 : "",
				 name[i][0] == '/' ? "" : "/", name[i]);
		if (!stat(path, &st) && S_ISREG(st.st_mode))
			return fopen(path, "r");
	}
	return NULL;
}

/* Sum up in @cost the counts that the annotation has for @line of the file, and
   of the function, if any, of @source_range. Return: @cost; NULL: the
   annotation has no counts for the line. */
static const uint64_t *
sum_cost_of_line_or_null(const struct al_annotation *a,
			 const struct source_range *source_range, uint64_t line,
			 uint64_t cost[AL_MAX_COSTS])
{
	bool found = false;

	memset(cost, 0, AL_MAX_COSTS * sizeof(*cost));
	for (size_t i = 0; i < a->n; i++) {
		const struct al_annotated_line *row = &a->row[i];

		if (row->line != line ||
		    strcmp(row->file, source_range->file) != 0 ||
		    (source_range->function &&
		     strcmp(row->function, source_range->function)))
			continue;
		found = true;
		for (unsigned e = 0; e < a->n_events; e++)
			cost[e] += row->cost[e];
	}
	return found ? cost : NULL;
}

/* Print @text up to its first newline, exclusive, with tabs expanded to
   multiples of 8 columns. A line longer than MOST_LINE is cut. */
static void print_first_line_expanding_tabs(struct printer *p, const char *text)
{
	char line[MOST_LINE];
	size_t n = 0;

	for (; *text && *text != '\n' && n + 8 < sizeof(line); text++)
		do
			line[n++] = *text == '\t' ? ' ' : *text;
		while (*text == '\t' && n % 8);
	line[n] = '\0';
	al_text_write(&p->out, AL_PLAIN, line);
}

static void print_source_line_and_cost_if_either(
	struct printer *p, const struct source_range *file_and_function,
	uint64_t line_number, const char *text_or_null)
{
	uint64_t cost[AL_MAX_COSTS];
	const uint64_t *known = sum_cost_of_line_or_null(
		p->a, file_and_function, line_number, cost);

	if (!known && !text_or_null)
		return;
	print_cost_columns_blank_if_null(p, known);
	printf("%6lu  ", (unsigned long)line_number);
	if (text_or_null)
		print_first_line_expanding_tabs(p, text_or_null);
	putchar('\n');
}

static void warn_of_other_source(const char *path)
{
	struct al_text text;

	al_text_init(&text, stderr, false);
	fputs("alleria: warning: '", stderr);
	al_text_write(&text, AL_PLAIN, path);
	fputs("' is not the source of the run: counts may be beside wrong "
	      "lines\n",
	      stderr);
}

static void
print_source_range_with_costs(struct printer *p,
			      const struct source_range *source_range)
{
	char path[PATH_MAX], *text = NULL;
	FILE *file =
		open_source_below_root(p->request, source_range->file, path);
	size_t size = 0;

	if (file && al_annotation_is_source_changed_at_path(
			    p->a, source_range->file, path))
		warn_of_other_source(path);
	putchar('\n');
	al_text_write(&p->out, AL_BOLD, source_range->file);
	if (source_range->function) {
		fputs(", ", stdout);
		al_text_write(&p->out, AL_BOLD, source_range->function);
	}
	puts(file ? "" : " (no source file: see --source-root)");
	print_event_names_and_last_heading(p, "  line  source");
	for (uint64_t n = 1; n <= source_range->to; n++) {
		bool there = file && getline(&text, &size, file) >= 0;

		if (n >= source_range->from)
			print_source_line_and_cost_if_either(
				p, source_range, n, there ? text : NULL);
	}
	free(text);
	if (file)
		fclose(file);
}

/* ---- functions and lines ---- */

/* Print the source from two lines before the first executed line of function @f
   to two lines after the last one; nothing if no line is known. */
static void
print_function_source_plus_2_lines(struct printer *p,
				   const struct al_annotated_line *f)
{
	struct source_range source_range = {f->file, f->function, UINT64_MAX,
					    0};

	for (size_t i = 0; i < p->a->n; i++) {
		const struct al_annotated_line *row = &p->a->row[i];

		if (!row->line || strcmp(row->function, f->function) != 0 ||
		    strcmp(row->file, f->file) != 0)
			continue;
		if (row->line < source_range.from)
			source_range.from = row->line;
		if (row->line > source_range.to)
			source_range.to = row->line;
	}
	if (source_range.to == 0)
		return;
	source_range.from = source_range.from > 2 ? source_range.from - 2 : 1;
	source_range.to += 2;
	print_source_range_with_costs(p, &source_range);
}

/* Whether the source has @line. If there is no source, or it is shorter than in
   the run: whether a line of the range, from @line on if there is a source, has
   counts. */
static bool
is_line_in_source_file_or_has_counts(const struct printer *p,
				     const struct source_range *source_range,
				     uint64_t line)
{
	char path[PATH_MAX], *text = NULL;
	FILE *file =
		open_source_below_root(p->request, source_range->file, path);
	uint64_t from = file ? line : source_range->from, lines_read = 0;
	size_t size = 0;

	while (file && lines_read < line && getline(&text, &size, file) >= 0)
		lines_read++;
	free(text);
	if (file)
		fclose(file);
	if (file && lines_read >= line)
		return true;
	for (size_t i = 0; i < p->a->n; i++)
		if (p->a->row[i].line >= from &&
		    p->a->row[i].line <= source_range->to &&
		    !strcmp(p->a->row[i].file, source_range->file))
			return true;
	return false;
}

/* If the selection is FILE:LINE, print that line and AROUND lines before and
   after it; FILE may be a base name without directory. Return: false if the
   selection is not of this form, no line of the file was executed, or the file
   has no such line. */
static bool print_source_if_selection_is_file_line(struct printer *p)
{
	const char *colon = strrchr(p->request->selection, ':');
	const char *last_file = "";
	char name[PATH_MAX], *end;
	uint64_t line;

	if (!colon || colon[1] < '0' || colon[1] > '9')
		return false;
	line = strtoull(colon + 1, &end, 10);
	snprintf(name, sizeof(name), "%.*s",
		 (int)(colon - p->request->selection), p->request->selection);
	for (size_t i = 0; i < p->a->n && !*end && line; i++) {
		struct source_range source_range = {
			.file = p->a->row[i].file,
			.from = line > AROUND ? line - AROUND : 1,
			.to = line + AROUND,
		};

		if (strcmp(name, source_range.file) != 0 &&
		    strcmp(name, al_path_base_name(source_range.file)) != 0)
			continue;
		if (!strcmp(last_file, source_range.file))
			continue;
		last_file = source_range.file;
		if (!is_line_in_source_file_or_has_counts(p, &source_range,
							  line))
			continue;
		print_source_range_with_costs(p, &source_range);
		return true;
	}
	return false;
}

/* Store in *@name the one function name that matches the selection best. If
   several match equally well, list them on standard error. Return: 0; -ENOENT:
   none matches; -ENOTUNIQ: several do; -ENOMEM. */
static int
find_function_name_or_list_matches(const struct printer *p,
				   const struct al_annotated_line *functions,
				   size_t function_count, const char **name)
{
	struct cl_function_search list;
	int err;

	cl_function_search_init(&list, p->request->selection);
	for (size_t i = 0; i < function_count; i++)
		cl_function_search_add_if_best(&list, functions[i].function);
	err = cl_function_search_find_unique(&list, name);
	cl_function_search_free_match_list(&list);
	return err;
}

static void
print_functions_and_source_named(struct printer *p,
				 const struct al_annotated_line *functions,
				 size_t function_count, const char *name)
{
	bool found = false;

	for (size_t i = 0; i < function_count; i++) {
		if (strcmp(functions[i].function, name) != 0)
			continue;
		if (!found)
			print_event_names_and_last_heading(p, "function");
		print_function_cost_line(p, &functions[i]);
		print_function_source_plus_2_lines(p, &functions[i]);
		found = true;
	}
}

/* Print the requested function or line. Return: 0; -ENOENT: there is none;
   -ENOTUNIQ: several functions were listed; -ENOMEM. */
static int
print_selected_function_or_lines(struct printer *p,
				 const struct al_annotated_line *functions,
				 size_t function_count)
{
	const char *name;
	int err = find_function_name_or_list_matches(p, functions,
						     function_count, &name);

	if (!err)
		print_functions_and_source_named(p, functions, function_count,
						 name);
	return err == -ENOENT && print_source_if_selection_is_file_line(p)
		       ? 0
		       : err;
}

static void
print_top_functions_and_top_source(struct printer *p,
				   const struct al_annotated_line *functions,
				   size_t function_count)
{
	print_event_names_and_last_heading(p, "function");
	for (size_t i = 0; i < function_count && i < FUNCTIONS; i++)
		print_function_cost_line(p, &functions[i]);
	if (function_count > FUNCTIONS)
		printf("  and %zu more\n", function_count - FUNCTIONS);
	for (size_t i = 0; i < function_count; i++)
		if (strcmp(functions[i].file, "???") != 0) {
			print_function_source_plus_2_lines(p, &functions[i]);
			break;
		}
}

static int find_event_index_or_default_d1mr(const struct al_annotation *a,
					    const char *name_or_null,
					    unsigned *event_index,
					    char *message)
{
	*event_index = al_annotation_event_index_or_n_events(
		a, name_or_null ? name_or_null : "D1mr");
	if (*event_index < a->n_events)
		return 0;
	return al_message_return_einval(
		message,
		"'--sort=%.60s' is not one of Ir, I1mr, ILmr, "
		"Dr, D1mr, DLmr, Dw, D1mw, DLmw",
		name_or_null);
}

int cl_source_print_selected_or_top(
	const struct al_annotation *a,
	const struct cl_source_request *source_request, char *message)
{
	struct printer p = {.a = a, .request = source_request};
	struct al_annotated_line *f;
	unsigned by;
	int err = 0;
	size_t n;

	*message = '\0';
	if (find_event_index_or_default_d1mr(a, source_request->sort, &by,
					     message))
		return -EINVAL;
	f = al_annotation_new_sorted_function_sums(a, by, &n);
	if (!f)
		return al_message_return_einval(message, "out of memory");
	al_text_init(&p.out, stdout, false);
	for (size_t i = 0; i < n; i++)
		widen_columns_to_fit_cost(&p, f[i].cost);
	if (!source_request->selection)
		print_top_functions_and_top_source(&p, f, n);
	else
		err = print_selected_function_or_lines(&p, f, n);
	free(f);
	if (err == -ENOMEM)
		return al_message_return_einval(message, "out of memory");
	if (err != -ENOENT)
		return err;
	return al_message_return_einval(
		message,
		"'%.200s' is no function or FILE:LINE that "
		"was executed",
		source_request->selection);
}
