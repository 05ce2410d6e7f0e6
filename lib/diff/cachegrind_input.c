/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cachegrind_input.c - reads a cachegrind.out file; see input.h
 *
 * Lines of the file: "desc: I1 cache: 32768 B, 64 B, 8-way associative",
 * "cmd: ...", "events: Ir I1mr ...", "fl=FILE", "fn=FUNCTION", and "LINE
 * COUNT..." where counts that are missing at the end are 0; "summary:
 * COUNT...".
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/key_table.h"
#include "base/text/message.h"
#include "lib/diff/input.h"

enum { MOST_COLUMNS = 64, LEVELS_TEXT = 256 };

struct parser {
	struct al_diff_input *in;
	char *message;
	unsigned number;	 /* number of the current line, from 1 */
	int event[MOST_COLUMNS]; /* for each column of counts: index of its
				    event in al_diff_event_name; -1: none */
	unsigned n_columns;
	const char *file, *function, *unknown;
	struct al_key_table functions; /* keys: names of function and file;
					  number: index in in->functions */
	char levels[LEVELS_TEXT];
	bool has_summary;
};

static int report_parse_error(const struct parser *p, const char *why)
{
	return al_message_return_einval(p->message, "%.300s:%u: %s",
					p->in->path, p->number, why);
}

static void parse_and_append_cache_desc(struct parser *p, const char *text)
{
	uint64_t size, line, assoc;
	size_t used = strlen(p->levels);
	char name[8];

	while (*text == ' ')
		text++;
	if (sscanf(text,
		   "%7s cache: %" SCNu64 " B, %" SCNu64 " B, %" SCNu64
		   "-way associative",
		   name, &size, &line, &assoc) == 4)
		snprintf(p->levels + used, sizeof(p->levels) - used,
			 "%s%s %" PRIu64 ",%" PRIu64 ",%" PRIu64,
			 used ? "; " : "", name, size, assoc, line);
}

static int parse_event_columns_and_require_all(struct parser *p, char *text)
{
	char *word;
	int found = 0;

	while ((word = strsep(&text, " ")) != NULL) {
		if (*word == '\0')
			continue;
		if (p->n_columns == MOST_COLUMNS)
			return report_parse_error(p, "too many events");
		p->event[p->n_columns] =
			al_diff_find_event_index(word, strlen(word));
		found += p->event[p->n_columns++] >= 0;
	}
	return found == AL_DIFF_EVENTS
		       ? 0
		       : report_parse_error(p,
					    "its events are not the nine of "
					    "Cachegrind's caches; run it with "
					    "--cache-sim=yes");
}

/* Set the events of @c to the counts of @text, one for each column. Events
   without a count are not changed. Return: 0; -EINVAL with a message. */
static int parse_counts_into_event_costs(const struct parser *p,
					 const char *text,
					 struct al_diff_costs *c)
{
	uint64_t n;
	char *end;

	for (unsigned i = 0; *text != '\0'; i++) {
		while (*text == ' ')
			text++;
		if (*text == '\0')
			break;
		if (i == p->n_columns)
			return report_parse_error(p, "more counts than events");
		errno = 0;
		n = strtoull(text, &end, 10);
		if (!isdigit((unsigned char)*text) || errno ||
		    (*end != ' ' && *end != '\0'))
			return report_parse_error(p, "not a count");
		if (p->event[i] >= 0)
			c->event[p->event[i]] = n;
		text = end;
	}
	return 0;
}

static int add_line_row_and_function_costs(struct parser *p,
					   uint32_t line_number,
					   const struct al_diff_costs *c)
{
	struct al_diff_row *row = al_diff_rows_append_zeroed(&p->in->lines);
	uint32_t number;
	bool is_new;

	if (row == NULL ||
	    al_key_table_find_or_add_pair(&p->functions, (uintptr_t)p->function,
					  (uintptr_t)p->file, &number, &is_new))
		return report_parse_error(p, "out of memory");
	*row = (struct al_diff_row){p->function, p->file, p->unknown,
				    line_number, *c};
	row = is_new ? al_diff_rows_append_zeroed(&p->in->functions)
		     : &p->in->functions.row[number];
	if (row == NULL)
		return report_parse_error(p, "out of memory");
	if (is_new)
		*row = (struct al_diff_row){p->function, p->file, p->unknown, 0,
					    *c};
	else
		al_diff_add_costs_of_each_event(&row->costs, c);
	return 0;
}

static int parse_line_number_and_add_counts(struct parser *p, char *text)
{
	struct al_diff_costs c = {{0}};
	char *end;
	unsigned long line;

	errno = 0;
	line = strtoul(text, &end, 10);
	if (errno || line > UINT32_MAX || *end != ' ')
		return report_parse_error(p, "not a line number");
	if (!p->n_columns)
		return report_parse_error(p, "counts before 'events:'");
	return parse_counts_into_event_costs(p, end, &c) ||
			       add_line_row_and_function_costs(
				       p, (uint32_t)line, &c)
		       ? -EINVAL
		       : 0;
}

static void set_command_and_program(struct parser *p, char *command_line)
{
	struct al_intern *strings = p->in->strings;
	size_t n = strcspn(command_line, " ");
	char end = command_line[n];

	p->in->command =
		al_intern_question_marks_if_no_memory(strings, command_line);
	command_line[n] = '\0';
	p->in->program = p->in->programs =
		al_intern_question_marks_if_no_memory(strings, command_line);
	command_line[n] = end;
}

static int parse_cachegrind_line(struct parser *p, char *text)
{
	if (isdigit((unsigned char)*text))
		return parse_line_number_and_add_counts(p, text);
	if (!strncmp(text, "fl=", 3) || !strncmp(text, "fi=", 3) ||
	    !strncmp(text, "fe=", 3))
		p->file = al_intern_question_marks_if_no_memory(p->in->strings,
								text + 3);
	else if (!strncmp(text, "fn=", 3))
		p->function = al_intern_question_marks_if_no_memory(
			p->in->strings, text + 3);
	else if (!strncmp(text, "desc:", 5))
		parse_and_append_cache_desc(p, text + 5);
	else if (!strncmp(text, "cmd: ", 5))
		set_command_and_program(p, text + 5);
	else if (!strncmp(text, "events:", 7))
		return parse_event_columns_and_require_all(p, text + 7);
	else if (!strncmp(text, "summary:", 8)) {
		p->has_summary = true;
		return parse_counts_into_event_costs(p, text + 8,
						     &p->in->totals);
	} else if (*text != '\0' && *text != '#' && !strchr(text, ':'))
		return report_parse_error(
			p, "not a line of a cachegrind.out file");
	return 0;
}

int al_diff_parse_cachegrind(struct al_diff_input *in, char *text,
			     char *message)
{
	const char *unknown =
		al_intern_question_marks_if_no_memory(in->strings, "???");
	struct parser p = {.in = in,
			   .message = message,
			   .file = unknown,
			   .function = unknown,
			   .unknown = unknown};
	char *line;
	int err = 0;

	in->kind = AL_DIFF_CACHEGRIND;
	while (!err && (line = strsep(&text, "\n")) != NULL) {
		p.number++;
		err = parse_cachegrind_line(&p, line);
	}
	if (!err && !p.has_summary)
		err = report_parse_error(
			&p, "it has no end; the line 'summary:' is missing");
	in->status =
		al_intern_question_marks_if_no_memory(in->strings, "complete");
	in->windows = al_intern_question_marks_if_no_memory(in->strings, "");
	in->levels = in->first_and_last =
		al_intern_question_marks_if_no_memory(in->strings, p.levels);
	in->n_processes = 1;
	al_key_table_release(&p.functions);
	return err;
}
