/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.c - writes a page; see page.h
 *
 * The security policy of the page permits only the scripts and the style sheet
 * that are compiled in, by their hashes. So even if an error here let text of a
 * report become HTML, it could not run a script.
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
	MIN_ROWS = 50,	     /* least number of rows of a list that remain */
	SAMPLE_ROWS = 12000, /* rows of a list at the first attempt */
};

/* ---- data ---- */

/* Return the data of the page as JSON text with at most @max_rows rows of each
   list that has counts, for free(); NULL if memory is short. */
static char *alloc_page_data_json_with_max_rows(const json_t *data,
						const json_t *sources,
						size_t max_rows,
						size_t *longest, size_t *bytes)
{
	json_t *copy = al_json_copy_by_columns(data, max_rows, longest);
	char *text = NULL;
	FILE *f = open_memstream(&text, bytes);
	int err = f == NULL || copy == NULL ||
		  json_object_set(copy, "sources", (json_t *)sources) ||
		  json_dumpf(copy, f, JSON_COMPACT);

	if (f != NULL)
		err |= fclose(f);
	json_decref(copy);
	if (!err)
		return text;
	free(text);
	return NULL;
}

/* Return the next number of rows to try after @rows rows had @compressed_bytes
   bytes. @longest_list_rows: rows of the longest list. Return @rows if no other
   number is to be tried: all rows fit into the budget, or about as many as a
   linear estimate permits, or not even MIN_ROWS fit. @has_exceeded_budget:
   false before the first call; set if @compressed_bytes exceeds the budget. */
static size_t next_row_count_to_try_or_same_if_done(size_t rows,
						    size_t longest_list_rows,
						    size_t compressed_bytes,
						    bool *has_exceeded_budget)
{
	double factor = 0.95 * AL_PAGE_DATA_BUDGET / (double)compressed_bytes;
	size_t next = (size_t)((double)rows * factor);

	next = next > longest_list_rows ? longest_list_rows
	       : next < MIN_ROWS	? MIN_ROWS
					: next;
	if (compressed_bytes > AL_PAGE_DATA_BUDGET) {
		*has_exceeded_budget = true;
		return next < rows ? next : rows;
	}
	return longest_list_rows > rows && !*has_exceeded_budget && factor > 1.1
		       ? next
		       : rows;
}

/* Return the compressed data of the page, for free(): with all rows if they fit
   into the budget or @options->all_rows is set, else with about as many of each
   list as fit, but at least MIN_ROWS. NULL if memory is short. */
static void *compress_data_rows_to_fit_budget(
	const json_t *data, const json_t *uncut_sources,
	const struct al_page_options *options, size_t *size)
{
	size_t rows = options->all_rows ? SIZE_MAX : SAMPLE_ROWS, next;
	bool has_shrunk = false;
	size_t longest, bytes;
	void *packed;
	char *text;

	for (;;) {
		longest = 0;
		text = alloc_page_data_json_with_max_rows(
			data, uncut_sources, rows, &longest, &bytes);
		packed = text ? al_gzip_compress(text, bytes, size) : NULL;
		free(text);
		if (packed == NULL || options->all_rows)
			return packed;
		next = next_row_count_to_try_or_same_if_done(
			rows, longest, *size, &has_shrunk);
		if (next == rows)
			return packed;
		rows = next;
		free(packed);
	}
}

static int write_compressed_data_script(FILE *f, const json_t *data,
					const json_t *sources,
					const struct al_page_options *options)
{
	size_t size;
	void *packed =
		compress_data_rows_to_fit_budget(data, sources, options, &size);

	if (packed == NULL)
		return -ENOMEM;
	fputs("<script type=\"application/octet-stream\" id=data>", f);
	al_base64_write(f, packed, size);
	fputs("</script>\n", f);
	free(packed);
	return 0;
}

/* ---- the document ---- */

static void write_content_security_policy(FILE *f)
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

static void write_head_and_begin_main(FILE *f, const char *title_prefix,
				      const json_t *report)
{
	const json_t *command =
		json_object_get(json_object_get(report, "run"), "command");
	const char *program = json_string_value(json_array_get(command, 0));

	fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n",
	      f);
	write_content_security_policy(f);
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

static void end_main_and_write_scripts(FILE *f)
{
	fputs("</main></div>\n<div id=live class=hidden aria-live=polite></div>"
	      "\n<script>",
	      f);
	fwrite(al_page_plot_script, 1, al_page_plot_script_bytes, f);
	fputs("</script>\n<script>", f);
	fwrite(al_page_script, 1, al_page_script_bytes, f);
	fputs("</script>\n</body>\n</html>\n", f);
}

/* Write, as HTML, the sections of a report that need no script. */
static void write_static_sections(FILE *f, const json_t *report,
				  const json_t *sources)
{
	al_page_write_run_heading(f, report);
	al_page_write_verdict(f, report);
	al_page_write_cache_levels(f, report);
	al_page_write_top_functions(f, report);
	al_page_write_top_source_lines(f, report);
	al_page_write_times_sizes_and_machine(f, report);
	al_page_write_glossary(f);
	al_page_write_remake_command(f, report, json_array_size(sources));
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

/* If @other has the analysis cache and @report has not, replace the members of
   @report that are derived from that analysis. */
static void copy_cache_derived_members_if_no_cache(json_t *report,
						   const json_t *other)
{
	static const char *const key[] = {"verdict", "findings", "objects",
					  "files"};

	if (json_object_get(json_object_get(report, "analyses"), "cache") ||
	    !json_object_get(json_object_get(other, "analyses"), "cache"))
		return;
	for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++)
		json_object_set(report, key[i], json_object_get(other, key[i]));
}

/* Add the analyses of @other that @report lacks. Return: 0; -EINVAL with
   @message: @other is of a program with another command line. */
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
	copy_cache_derived_members_if_no_cache(report, other);
	json_object_update_missing(json_object_get(report, "analyses"),
				   json_object_get(other, "analyses"));
	return 0;
}

/* Return the first report with the analyses of the others; NULL with
   @message. */
static json_t *parse_and_merge_reports(const struct al_page_input *reports,
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
	json_t *report =
		parse_and_merge_reports(reports, report_count, message);
	json_t *data, *sources;
	int err;

	if (report == NULL)
		return -EINVAL;
	sources = options->no_source
			  ? json_array()
			  : al_page_new_source_excerpt_list(report, NULL);
	data = json_pack("{s:O, s:s*}", "report", report, "editor_url",
			 options->editor_url);
	write_head_and_begin_main(f, "", report);
	write_static_sections(f, report, sources);
	err = write_compressed_data_script(f, data, sources, options);
	end_main_and_write_scripts(f);
	json_decref(data);
	json_decref(sources);
	json_decref(report);
	return err ? al_message_return_einval(message, "out of memory") : 0;
}

/* ---- comparisons ---- */

/* Return a copy of a row of a comparison in which each event, such as
   "Ir": {"a": 1, "b": 2}, becomes two members "a:Ir" and "b:Ir". */
static json_t *new_row_with_flat_events(const json_t *row)
{
	json_t *flat = json_object(), *value;
	const char *key;
	char side[32];

	json_object_foreach((json_t *)row, key, value)
	{
		if (!json_is_object(value)) {
			if (!json_is_null(value))
				json_object_set(flat, key, value);
			continue;
		}
		snprintf(side, sizeof(side), "a:%s", key);
		json_object_set(flat, side, json_object_get(value, "a"));
		snprintf(side, sizeof(side), "b:%s", key);
		json_object_set(flat, side, json_object_get(value, "b"));
	}
	return flat;
}

/* Replace each row of list @key of the comparison by
   new_row_with_flat_events(). Does nothing if there is no such list. */
static void flatten_row_events(json_t *diff, const char *key)
{
	const json_t *rows = json_object_get(diff, key);
	json_t *flat;

	if (rows == NULL)
		return;
	flat = json_array();
	for (size_t i = 0; i < json_array_size(rows); i++)
		json_array_append_new(flat, new_row_with_flat_events(
						    json_array_get(rows, i)));
	json_object_set_new(diff, key, flat);
}

/* Remove the tables of functions and lines of a report, which the comparison
   has, too, and the table of inlined lines, which it lacks. */
static void remove_tables_that_comparison_has(json_t *report)
{
	json_t *cache =
		json_object_get(json_object_get(report, "analyses"), "cache");

	json_object_del(cache, "functions");
	json_object_del(cache, "lines");
	json_object_del(cache, "inlined");
}

/* Parse the two reports and the comparison. A report without text stays NULL.
   Return: 0; -EINVAL with @message. */
static int parse_given_reports_and_comparison(
	const struct al_page_input reports[2], const struct al_page_input *diff,
	json_t *parsed[2], json_t **parsed_diff, char *message)
{
	json_error_t e;

	for (int side = 0; side < 2; side++) {
		if (reports[side].text == NULL)
			continue;
		parsed[side] = parse_report(&reports[side], message);
		if (parsed[side] == NULL)
			return -EINVAL;
	}
	*parsed_diff = json_loadb(diff->text, diff->bytes, 0, &e);
	return *parsed_diff ? 0
			    : al_message_return_einval(
				      message, "%.300s: no JSON", diff->name);
}

/* Write the page of a comparison from its parsed parts; changes @reports and
   @diff. Return: 0 or -ENOMEM. */
static int write_diff_page(FILE *f, json_t *reports[2],
			   const struct al_page_input inputs[2], json_t *diff,
			   const struct al_page_options *options)
{
	const char *const names[2] = {inputs[0].name, inputs[1].name};
	json_t *sources = json_array(), *data;
	int err;

	write_head_and_begin_main(
		f, "Comparison: ", reports[1] ? reports[1] : diff);
	al_page_write_diff_sections(f, (const json_t *const *)reports, names,
				    diff);
	flatten_row_events(diff, "functions");
	flatten_row_events(diff, "lines");
	flatten_row_events(diff, "data");
	for (int side = 0; side < 2; side++) {
		json_array_append_new(
			sources, reports[side] && !options->no_source
					 ? al_page_new_source_excerpt_list(
						   reports[side],
						   inputs[side].source_folder)
					 : json_array());
		remove_tables_that_comparison_has(reports[side]);
	}
	data = json_pack("{s:O, s:[O?, O?]}", "diff", diff, "reports",
			 reports[0] ? reports[0] : json_null(),
			 reports[1] ? reports[1] : json_null());
	err = write_compressed_data_script(f, data, sources, options);
	end_main_and_write_scripts(f);
	json_decref(data);
	json_decref(sources);
	return err;
}

int al_page_write_diff(const struct al_page_input reports[2],
		       const struct al_page_input *diff,
		       const struct al_page_options *options, FILE *f,
		       char *message)
{
	json_t *parsed[2] = {NULL, NULL}, *parsed_diff = NULL;
	int err;

	/* lib/diff has set an arena as the allocator, which frees nothing. */
	json_set_alloc_funcs(malloc, free);
	err = parse_given_reports_and_comparison(reports, diff, parsed,
						 &parsed_diff, message);
	if (!err && write_diff_page(f, parsed, reports, parsed_diff, options))
		err = al_message_return_einval(message, "out of memory");
	json_decref(parsed[0]);
	json_decref(parsed[1]);
	json_decref(parsed_diff);
	return err;
}
