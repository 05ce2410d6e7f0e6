/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * github_annotations.c - writes a comparison as workflow commands of GitHub;
 * see output.h
 *
 * GitHub shows the commands as annotations, those for lines beside the lines of
 * B's source files. Names come from programs: control characters are replaced,
 * and '%' is written as %25; in properties, ':' and ',' too are written as '%'
 * and two hex digits.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text/path.h"
#include "base/text/printable.h"
#include "lib/diff/output.h"

enum {
	ANNOTATIONS = 10,   /* most annotations of one kind, such as errors,
			       that GitHub shows for a step */
	LONGEST_NAME = 300, /* [bytes] of a name's buffer; a longer name is
			       cut */
};

/* Write @s as text of a workflow command: '%' as %25, unprintable characters as
   '?', cut to less than LONGEST_NAME bytes. @is_property: @s is the value of a
   property, in which ':' and ',' are written as %3A and %2C. */
static void write_github_escaped_text(FILE *out, const char *s,
				      bool is_property)
{
	char text[LONGEST_NAME];

	al_copy_unprintable_as_question_marks(text, sizeof(text), s);
	for (const char *p = text; *p; p++)
		if (*p == '%' || (is_property && (*p == ':' || *p == ',')))
			fprintf(out, "%%%02X", (unsigned char)*p);
		else
			putc(*p, out);
}

/* Return @path without the folder $GITHUB_WORKSPACE, if it lies there. */
static const char *drop_github_workspace_folder_if_inside(const char *path)
{
	const char *top = getenv("GITHUB_WORKSPACE");
	size_t n = top ? strlen(top) : 0;

	return n && !strncmp(path, top, n) && path[n] == '/' ? path + n + 1
							     : path;
}

static void write_line_annotation(FILE *out, const struct al_diff_line *l,
				  int event)
{
	char change[AL_DIFF_NUMBER], percent[AL_DIFF_NUMBER];
	uint64_t a = l->costs[0].event[event], b = l->costs[1].event[event];

	fputs(b > a ? "::warning file=" : "::notice file=", out);
	write_github_escaped_text(
		out, drop_github_workspace_folder_if_inside(l->b_path), true);
	fprintf(out, ",line=%u,title=", l->line[1]);
	write_github_escaped_text(out, al_diff_readable_event_name(event),
				  true);
	fprintf(out, "::%s %s", al_diff_format_signed_difference(change, a, b),
		al_diff_event_name[event]);
	fprintf(out, " (%s) in ",
		a && b ? al_diff_format_percent_new_or_gone(percent, a, b)
		: a    ? "gone"
		       : "new");
	write_github_escaped_text(out, l->function, false);
	putc('\n', out);
}

/* Whether the first object of @in with the file name @object_name lies in a
   folder of the system. */
static bool is_object_of_system(const struct al_diff_input *in,
				const char *object_name)
{
	for (size_t i = 0; i < in->n_objects; i++)
		if (!strcmp(al_path_base_name(in->object[i].path), object_name))
			return al_path_is_in_system_folder(in->object[i].path);
	return false;
}

/* Whether B has the line, its number in B is known, and neither its file nor
   its object belongs to the system. */
static bool has_b_line_outside_system_code(const struct al_diff *d,
					   const struct al_diff_line *l)
{
	return l->has[1] && l->line[1] && l->b_path &&
	       !al_path_is_in_system_folder(l->b_path) &&
	       !is_object_of_system(d->in[0], l->object) &&
	       !is_object_of_system(d->in[1], l->object);
}

/* Write GitHub annotations of the lines of B, outside system code, that changed
   most. */
static void write_github_changed_line_annotations(const struct al_diff *d,
						  FILE *out)
{
	int event = al_diff_most_changed_total_event(d);
	size_t n, written = 0;
	const struct al_diff_line **l =
		al_diff_list_changed_lines_sorted(d, event, &n);

	for (size_t i = 0; l && i < n && written < ANNOTATIONS; i++) {
		if (!al_diff_absolute_change(l[i]->costs, event))
			break;
		if (!has_b_line_outside_system_code(d, l[i]))
			continue;
		write_line_annotation(out, l[i], event);
		written++;
	}
	free(l);
}

void al_diff_write_github_limits_and_lines(const struct al_diff_report *r,
					   FILE *out)
{
	char text[LONGEST_NAME];
	size_t written = 0;

	for (size_t i = 0; i < r->n_limits && written < ANNOTATIONS; i++) {
		if (!r->limit[i].exceeded)
			continue;
		al_diff_format_limit_verdict(text, sizeof(text), &r->limit[i]);
		fputs("::error title=limit::", out);
		write_github_escaped_text(out, text, false);
		putc('\n', out);
		written++;
	}
	write_github_changed_line_annotations(r->diff, out);
}
