/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option_list.c - lists the options of a command; see option_list.h
 *
 * A line of help with an option begins with two spaces: "  --json=FILE   text",
 * "  -o OUT   text". A long one has its text in the next line.
 */
#include "cli/option_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/display_options.h"
#include "lib/config/options.h"

/* ---- lines of help ---- */

/* Copy the first @text_length bytes of @from, or as many of them as fit, to
   @to, [@buffer_size], and end them with a NUL. */
static void copy_text_cut_to_fit_with_nul(char *to, size_t buffer_size,
					  const char *from, size_t text_length)
{
	if (text_length >= buffer_size)
		text_length = buffer_size - 1;
	memcpy(to, from, text_length);
	to[text_length] = '\0';
}

static const char *skip_spaces(const char *text)
{
	return text + strspn(text, " ");
}

/* Parse a line of help that begins with "  -", and store the name, the value
   and the text of its option in @option_out. Return: false, with @option_out
   empty, if @line is another line. */
static bool parse_help_line_as_option(const char *line,
				      struct cl_option *option_out)
{
	const char *text = line + 2, *end;
	size_t n;

	*option_out = (struct cl_option){.name = ""};
	if (strncmp(line, "  -", 3) != 0)
		return false;
	n = strcspn(text, "=[ \n");
	copy_text_cut_to_fit_with_nul(option_out->name,
				      sizeof(option_out->name), text, n);
	text += n;
	if (*text == '=' ||
	    (*text == ' ' && text[1] >= 'A' && text[1] <= 'Z')) {
		end = strstr(++text, "  ");
		n = strcspn(text, "\n");
		if (end && (size_t)(end - text) < n)
			n = (size_t)(end - text);
		copy_text_cut_to_fit_with_nul(
			option_out->value, sizeof(option_out->value), text, n);
		text += n;
	}
	text = skip_spaces(text);
	copy_text_cut_to_fit_with_nul(option_out->text,
				      sizeof(option_out->text), text,
				      strcspn(text, "\n"));
	return true;
}

static bool has_option(const struct cl_option_list *list, const char *name)
{
	for (unsigned i = 0; i < list->n; i++)
		if (!strcmp(list->option[i].name, name))
			return true;
	return false;
}

/* Return the text that @print writes to its stream, for free(); NULL: out of
   memory. */
static char *capture_printed_text(void (*print)(FILE *))
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	print(f);
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

/* Return the start of the line after @line; NULL: there is none. */
static const char *next_line_or_null(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

/* Add the options of the help text @text whose names are not in the list yet,
   as long as it has room. An option without text on its line gets the text of
   the next line if that is indented by four spaces. */
static void add_new_options_of_help_text(struct cl_option_list *list,
					 const char *text)
{
	struct cl_option o;

	for (const char *line = text; line; line = next_line_or_null(line)) {
		const char *next = next_line_or_null(line);

		if (!parse_help_line_as_option(line, &o) ||
		    has_option(list, o.name) || list->n == CL_MAX_OPTIONS)
			continue;
		if (!*o.text && next && !strncmp(next, "    ", 4))
			copy_text_cut_to_fit_with_nul(
				o.text, sizeof(o.text), skip_spaces(next),
				strcspn(skip_spaces(next), "\n"));
		list->option[list->n++] = o;
	}
}

static int add_options_of_command_help(struct cl_option_list *list,
				       const struct cl_command *c)
{
	char *lists;

	add_new_options_of_help_text(list, c->help);
	if (!c->print_help_lists)
		return 0;
	lists = capture_printed_text(c->print_help_lists);
	if (!lists)
		return -ENOMEM;
	add_new_options_of_help_text(list, lists);
	free(lists);
	return 0;
}

int cl_options_add_all_of_command(struct cl_option_list *list,
				  const struct cl_command *c)
{
	int err = add_options_of_command_help(list, c);

	if (!err && c->options_of)
		err = add_options_of_command_help(
			list, cl_command_find(c->options_of));
	if (!err)
		add_new_options_of_help_text(list, cl_display_options_help);
	return err;
}

/* ---- values ---- */

int cl_options_visit_analyses_and_keys(void (*visit)(const char *word))
{
	char *text = capture_printed_text(al_options_print_analysis_help);
	char word[2 * CL_NAME], name[CL_NAME] = "";

	if (!text)
		return -ENOMEM;
	for (const char *line = text; line; line = next_line_or_null(line)) {
		const char *item = skip_spaces(line);

		if (item - line == 2) {
			copy_text_cut_to_fit_with_nul(name, sizeof(name), item,
						      strcspn(item, " \n"));
			visit(name);
		} else if (item - line == 4 && *name &&
			   item[strcspn(item, "= \n")] == '=') {
			snprintf(word, sizeof(word), "%s:%.*s=", name,
				 (int)strcspn(item, "="), item);
			visit(word);
		}
	}
	free(text);
	return 0;
}

static char *added_words; /* [added_size] words that
			     append_word_to_static_buffer() has joined so far,
			     with a NUL */
static size_t added_size;

static void append_word_to_static_buffer(const char *word)
{
	size_t n = strlen(added_words);

	snprintf(added_words + n, added_size - n, "%s%s", n ? " " : "", word);
}

/* Copy the part of @choices before its first space, such as
   "auto|always|never" or "yes", to @words, with a space for each '|'. Return:
   true; false if this part contains a capital letter: it is a placeholder then,
   and @words is useless. */
static bool separate_choices_false_if_placeholder(const char *choices,
						  char *words,
						  size_t words_size)
{
	copy_text_cut_to_fit_with_nul(words, words_size, choices,
				      strcspn(choices, " "));
	for (char *c = words; *c; c++) {
		if (*c >= 'A' && *c <= 'Z')
			return false;
		if (*c == '|')
			*c = ' ';
	}
	return true;
}

static void join_format_names(const struct cl_command *c, char *words,
			      unsigned words_size)
{
	const char *const *format = c->formats ? c->formats() : NULL;

	words[0] = '\0';
	added_words = words;
	added_size = words_size;
	for (; format && *format; format++)
		append_word_to_static_buffer(*format);
}

void cl_option_join_values_or_file_marker(const struct cl_command *c,
					  const struct cl_option *o,
					  char *words, unsigned words_size)
{
	const char *v = o->value;

	words[0] = '\0';
	if (!strcmp(o->name, "--analyze")) {
		added_words = words;
		added_size = words_size;
		(void)cl_options_visit_analyses_and_keys(
			append_word_to_static_buffer);
	} else if (!strcmp(o->name, "--color")) {
		snprintf(words, words_size, "auto always never");
	} else if (!strcmp(v, "FORMAT")) {
		join_format_names(c, words, words_size);
	} else if (!strncmp(v, "DIR", 3)) {
		snprintf(words, words_size, "@directories");
	} else if (!strncmp(v, "FILE", 4) || !strncmp(v, "OUT", 3) ||
		   !strncmp(v, "PATH", 4)) {
		snprintf(words, words_size, "@files");
	} else if (!*v || !separate_choices_false_if_placeholder(v, words,
								 words_size)) {
		words[0] = '\0';
	}
}
