/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.c - writes a page; see page.h
 *
 * The security policy of the page permits the scripts and the style sheet that
 * the page was written with, by their hashes, and nothing else: text that was
 * taken for HTML by an error here could not run a script.
 */
#include "lib/report/html/page.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/report/html/columns.h"
#include "lib/report/html/encode.h"
#include "lib/report/html/page_parts.h"

enum {
	MIN_ROWS = 50,	    /* rows of a list that remain at least */
	SAMPLE_ROWS = 4000, /* rows of a list at the first attempt */
};

/* ---- data ---- */

/* Return the data of the page as JSON text with at most @max_rows rows of each
   list, for free(); NULL if memory is short. */
static char *format_data(const json_t *data, const json_t *sources,
			 size_t max_rows, size_t *longest)
{
	json_t *copy = al_json_copy_by_columns(data, max_rows, longest);
	char *text = NULL;

	if (copy != NULL &&
	    json_object_set(copy, "sources", (json_t *)sources) == 0)
		text = json_dumps(copy, JSON_COMPACT);
	json_decref(copy);
	return text;
}

/* Return the next number of rows to try, after @rows gave @size bytes. @longest:
   rows of the longest list. Return @rows if it is final: all rows fit into the
   budget, or as many as a linear estimate permits. */
static size_t next_row_count(size_t rows, size_t longest, size_t size,
			     bool *has_shrunk)
{
	double factor = 0.95 * AL_PAGE_DATA_BUDGET / (double)size;
	size_t next = (size_t)((double)rows * factor);

	next = next > longest ? longest : next < MIN_ROWS ? MIN_ROWS : next;
	if (size > AL_PAGE_DATA_BUDGET) {
		*has_shrunk = true;
		return next < rows ? next : rows;
	}
	return longest > rows && !*has_shrunk && factor > 1.1 ? next : rows;
}

/* Return the compressed data of the page, for free(): all rows if they fit into
   the budget or @options asks for them, else as many as fit. NULL if memory is
   short. */
static void *compress_data_to_budget(const json_t *data, const json_t *sources,
				     const struct al_page_options *options,
				     size_t *size)
{
	size_t rows = options->all_rows ? SIZE_MAX : SAMPLE_ROWS, next;
	bool has_shrunk = false;
	size_t longest;
	void *packed;
	char *text;

	for (;;) {
		longest = 0;
		text = format_data(data, sources, rows, &longest);
		packed = text ? al_gzip_compress(text, strlen(text), size)
			      : NULL;
		free(text);
		if (packed == NULL || options->all_rows)
			return packed;
		next = next_row_count(rows, longest, *size, &has_shrunk);
		if (next == rows)
			return packed;
		rows = next;
		free(packed);
	}
}

static int write_data(FILE *f, const json_t *data, const json_t *sources,
		      const struct al_page_options *options)
{
	size_t size;
	void *packed = compress_data_to_budget(data, sources, options, &size);

	if (packed == NULL)
		return -ENOMEM;
	fputs("<script type=\"application/octet-stream\" id=data>", f);
	al_base64_write(f, packed, size);
	fputs("</script>\n", f);
	free(packed);
	return 0;
}

/* ---- the document ---- */

static void write_policy(FILE *f)
{
	char style[AL_SHA256_BASE64], plot[AL_SHA256_BASE64];
	char script[AL_SHA256_BASE64];

	al_sha256_format_base64(al_page_style, al_page_style_bytes, style);
	al_sha256_format_base64(al_page_plot_script, al_page_plot_script_bytes,
				plot);
	al_sha256_format_base64(al_page_script, al_page_script_bytes, script);
	fprintf(f,
		"<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; script-src 'sha256-%s' 'sha256-%s'; "
		"style-src 'sha256-%s'; img-src data:; base-uri 'none'; "
		"form-action 'none'; require-trusted-types-for 'script'\">\n",
		plot, script, style);
}

static void write_beginning(FILE *f, const char *title_prefix,
			    const json_t *report)
{
	const json_t *command =
		json_object_get(json_object_get(report, "run"), "command");
	const char *program = json_string_value(json_array_get(command, 0));

	fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n",
	      f);
	write_policy(f);
	fputs("<meta name=viewport content=\"width=device-width, "
	      "initial-scale=1\">\n"
	      "<meta name=color-scheme content=\"light dark\">\n<title>",
	      f);
	fputs(title_prefix, f);
	al_html_write_text(f, program ? program : "report");
	fputs("</title>\n<style>", f);
	fwrite(al_page_style, 1, al_page_style_bytes, f);
	fputs("</style>\n</head>\n<body>\n<div id=bar></div>\n"
	      "<div id=frame><nav id=contents aria-label=Sections></nav>\n"
	      "<main>\n"
	      "<noscript><p class=note>Without script this page has the first "
	      "rows of its tables, and no plots.</p></noscript>\n",
	      f);
}

static void write_end(FILE *f)
{
	fputs("</main></div>\n<div id=live class=hidden aria-live=polite></div>"
	      "\n<script>",
	      f);
	fwrite(al_page_plot_script, 1, al_page_plot_script_bytes, f);
	fputs("</script>\n<script>", f);
	fwrite(al_page_script, 1, al_page_script_bytes, f);
	fputs("</script>\n</body>\n</html>\n", f);
}

/* Write the sections of a report as HTML. */
static void write_static_sections(FILE *f, const json_t *report)
{
	al_page_write_head(f, report);
	al_page_write_verdict(f, report);
	al_page_write_levels(f, report);
	al_page_write_top_functions(f, report);
	al_page_write_top_lines(f, report);
	al_page_write_recording(f, report);
	al_page_write_glossary(f);
	al_page_write_command(f, report);
}

/* ---- input ---- */

/* Return the JSON of @input; NULL with @message if it is not JSON, or no report
   of Alleria. */
static json_t *parse_report(const struct al_page_input *input, char *message)
{
	json_error_t e;
	json_t *root = json_loadb(input->text, input->bytes, 0, &e);

	if (root == NULL) {
		al_message_return_einval(message, "%.300s:%d:%d: no JSON: %s",
					 input->name, e.line, e.column, e.text);
	} else if (!json_is_object(json_object_get(root, "run")) ||
		   !json_is_object(json_object_get(root, "analyses"))) {
		al_message_return_einval(message,
					 "'%.300s' is no report of Alleria",
					 input->name);
		json_decref(root);
		root = NULL;
	}
	return root;
}

/* Add the analyses of @other that @report lacks. Return: 0; -EINVAL with
   @message: @other is of another command. */
static int add_missing_analyses(json_t *report, const json_t *other,
				const struct al_page_input *other_input,
				char *message)
{
	const json_t *run = json_object_get(report, "run");
	const json_t *other_run = json_object_get(other, "run");

	if (!json_equal(json_object_get(run, "command"),
			json_object_get(other_run, "command")))
		return al_message_return_einval(
			message,
			"'%.300s' is a report of another command than the "
			"first report",
			other_input->name);
	json_object_update_missing(json_object_get(report, "analyses"),
				   json_object_get(other, "analyses"));
	return 0;
}

/* Return the first report with the analyses of the others; NULL with
   @message. */
static json_t *parse_reports(const struct al_page_input *reports,
			     size_t report_count, char *message)
{
	json_t *first = parse_report(&reports[0], message), *other;
	int err = 0;

	for (size_t i = 1; first != NULL && i < report_count; i++) {
		other = parse_report(&reports[i], message);
		err = other == NULL
			      ? -EINVAL
			      : add_missing_analyses(first, other, &reports[i],
						     message);
		json_decref(other);
		if (err) {
			json_decref(first);
			first = NULL;
		}
	}
	return first;
}

int al_page_write_report(const struct al_page_input *reports,
			 size_t report_count,
			 const struct al_page_options *options, FILE *f,
			 char *message)
{
	json_t *report = parse_reports(reports, report_count, message);
	json_t *data, *sources;
	int err;

	if (report == NULL)
		return -EINVAL;
	sources = options->no_source ? json_array()
				     : al_page_collect_sources(report);
	data = json_pack("{s:O}", "report", report);
	write_beginning(f, "", report);
	write_static_sections(f, report);
	err = write_data(f, data, sources, options);
	write_end(f);
	json_decref(data);
	json_decref(sources);
	json_decref(report);
	return err ? al_message_return_einval(message, "out of memory") : 0;
}
