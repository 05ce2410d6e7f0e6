/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * static_sections.c - writes the sections of a page that have no tables: head,
 * verdict, recording, glossary, and the command that makes the page again
 */
#include <stdbool.h>
#include <string.h>

#include "lib/report/html/page_parts.h"

static json_int_t number_of_key_or_0(const json_t *map, const char *key)
{
	return json_integer_value(json_object_get(map, key));
}

static const char *text_or_empty(const json_t *map, const char *key)
{
	const char *s = json_string_value(json_object_get(map, key));

	return s ? s : "";
}

/* ---- commands ---- */

/* Write a word in the syntax of a shell: in single quotes if it is empty or has
   characters other than those of `plain`. */
static void write_shell_word_as_html(FILE *f, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./=,:+@%";
	const char *quote;

	if (*word != '\0' && word[strspn(word, plain)] == '\0') {
		al_html_write_text(f, word);
		return;
	}
	fputs("&#39;", f);
	while ((quote = strchr(word, '\'')) != NULL && quote - word < 4096) {
		char part[4097];

		snprintf(part, sizeof(part), "%.*s", (int)(quote - word), word);
		al_html_write_text(f, part);
		fputs("&#39;\\&#39;&#39;", f);
		word = quote + 1;
	}
	al_html_write_text(f, word);
	fputs("&#39;", f);
}

static void write_command_words(FILE *f, const json_t *words)
{
	const json_t *word;
	size_t i;

	json_array_foreach((json_t *)words, i, word)
	{
		if (i > 0)
			fputs(" ", f);
		write_shell_word_as_html(f, json_string_value(word)
						    ? json_string_value(word)
						    : "");
	}
}

/* ---- head ---- */

static void write_count_and_noun(FILE *f, json_int_t count, const char *one,
				 const char *many)
{
	al_html_write_count(f, count);
	fprintf(f, " %s", count == 1 ? one : many);
}

static void write_run_completeness_and_reason(FILE *f, const json_t *run)
{
	const char *status = text_or_empty(run, "status");
	const char *reason = text_or_empty(run, "reason");
	bool is_complete = strcmp(status, "complete") == 0;

	fprintf(f, "<strong class=%s>%s ", is_complete ? "good" : "bad",
		is_complete ? "&#x2713;" : "&#x26a0;");
	al_html_write_text(f, *status ? status : "no status");
	if (*reason) {
		fputs(", ", f);
		al_html_write_text(f, reason);
	}
	fputs("</strong>", f);
}

static void write_duration_and_processor(FILE *f, const json_t *run)
{
	json_int_t wall =
		number_of_key_or_0(json_object_get(run, "time"), "wall_ns");
	const char *cpu = text_or_empty(json_object_get(run, "machine"), "cpu");

	if (wall > 0)
		fprintf(f, " &#183; %.2f s", (double)wall / 1e9);
	if (*cpu) {
		fputs(" &#183; ", f);
		al_html_write_text(f, cpu);
	}
}

void al_page_write_run_heading(FILE *f, const json_t *report)
{
	const json_t *run = json_object_get(report, "run");
	const json_t *made_by = json_object_get(report, "alleria");

	fputs("<header><h1><code>", f);
	write_command_words(f, json_object_get(run, "command"));
	fputs("</code></h1>\n<p>", f);
	write_run_completeness_and_reason(f, run);
	fputs(" &#183; ", f);
	write_count_and_noun(
		f,
		(json_int_t)json_array_size(json_object_get(run, "processes")),
		"process", "processes");
	fputs(", ", f);
	write_count_and_noun(f, number_of_key_or_0(run, "threads"), "thread",
			     "threads");
	fputs(" &#183; ", f);
	write_count_and_noun(f, number_of_key_or_0(run, "instructions"),
			     "instruction", "instructions");
	fputs(", ", f);
	write_count_and_noun(f,
			     number_of_key_or_0(run, "reads") +
				     number_of_key_or_0(run, "writes"),
			     "data access", "data accesses");
	fputs(" &#183; ", f);
	write_count_and_noun(f, number_of_key_or_0(run, "lost"), "access lost",
			     "accesses lost");
	fputs("</p>\n<p class=note>Alleria ", f);
	al_html_write_text(f, text_or_empty(made_by, "version"));
	fputs(", Valgrind ", f);
	al_html_write_text(f, text_or_empty(made_by, "valgrind"));
	write_duration_and_processor(f, run);
	fputs("</p></header>\n", f);
}

/* ---- verdict ---- */

/* Write the sentences in the report's list "verdict", or the texts of its
   findings if it has no such list. Return their number. */
static size_t write_verdict_or_findings_get_item_count(FILE *f,
						       const json_t *report)
{
	const json_t *list = json_object_get(report, "verdict");
	const json_t *findings = json_object_get(report, "findings"), *item;
	size_t i;

	if (list == NULL)
		list = findings;
	json_array_foreach((json_t *)list, i, item)
	{
		fputs("<li>", f);
		al_html_write_text(f, json_is_string(item)
					      ? json_string_value(item)
					      : text_or_empty(item, "text"));
		fputs("</li>\n", f);
	}
	return json_array_size(list);
}

void al_page_write_verdict(FILE *f, const json_t *report)
{
	fputs("<section id=verdict><h2>What stands out</h2><ol>\n", f);
	if (write_verdict_or_findings_get_item_count(f, report) == 0)
		fputs("<li>Nothing was judged, because no cache was "
		      "simulated.</li>\n",
		      f);
	fputs("</ol><p class=note>Counts of simulated caches. None of these "
	      "numbers is a time.</p></section>\n",
	      f);
}

/* ---- recording ---- */

static void write_row_of_ns_as_seconds(FILE *f, const char *label,
				       const json_t *times_object,
				       const char *ns_key)
{
	fprintf(f, "<dt>%s</dt><dd>%.2f s</dd>\n", label,
		(double)number_of_key_or_0(times_object, ns_key) / 1e9);
}

static void write_count_row_if_any(FILE *f, const char *name, const json_t *map,
				   const char *key)
{
	if (json_object_get(map, key) == NULL)
		return;
	fprintf(f, "<dt>%s</dt><dd>", name);
	al_html_write_count(f, number_of_key_or_0(map, key));
	fputs("</dd>\n", f);
}

static void write_text_row_if_any(FILE *f, const char *name, const json_t *map,
				  const char *key)
{
	if (!*text_or_empty(map, key))
		return;
	fprintf(f, "<dt>%s</dt><dd>", name);
	al_html_write_text(f, text_or_empty(map, key));
	fputs("</dd>\n", f);
}

void al_page_write_times_sizes_and_machine(FILE *f, const json_t *report)
{
	const json_t *run = json_object_get(report, "run");
	const json_t *times = json_object_get(run, "time");
	const json_t *bytes = json_object_get(run, "bytes");
	const json_t *environment = json_object_get(run, "environment");

	fputs("<section id=pipeline><h2>How it was recorded</h2>\n<dl>\n", f);
	write_row_of_ns_as_seconds(f, "Wall time", times, "wall_ns");
	write_row_of_ns_as_seconds(f, "The program waited for the daemon",
				   times, "program_wait_ns");
	write_row_of_ns_as_seconds(f, "Recovery of accesses", times,
				   "recovery_ns");
	write_row_of_ns_as_seconds(f, "Analysis", times, "analysis_ns");
	write_count_row_if_any(f, "Workers at the end", run, "workers");
	write_count_row_if_any(f, "Bytes recorded", bytes, "units");
	write_count_row_if_any(f, "Bytes of the profile", bytes, "profile");
	write_text_row_if_any(f, "Processor", json_object_get(run, "machine"),
			      "cpu");
	write_count_row_if_any(f, "Environment variables", environment,
			       "variables");
	write_count_row_if_any(f, "Bytes of the environment", environment,
			       "bytes");
	write_text_row_if_any(f, "Caches", json_object_get(run, "geometry"),
			      "options");
	write_text_row_if_any(f, "Note", json_object_get(run, "geometry"),
			      "note");
	fputs("</dl></section>\n", f);
}

/* ---- glossary ---- */

void al_page_write_glossary(FILE *f)
{
	static const char *const term[][2] = {
		{"access", "a read, write or modify of memory by an "
			   "instruction; a modify reads and writes the same "
			   "bytes, and is one access"},
		{"level", "a simulated cache: I1 for instructions, D1 for "
			  "data, L2 and LL below them; LL is the last level"},
		{"miss", "an access that does not find its line in the level"},
		{"written back", "a changed line that the level has replaced"},
		{"way", "a place for a line in a set; a level with one way is "
			"direct mapped"},
		{"Ir", "instructions executed"},
		{"I1mr, ILmr", "instruction fetches that miss I1, LL"},
		{"Dr, D1mr, DLmr", "data reads, those that miss D1, those that "
				   "miss LL"},
		{"Dw, D1mw, DLmw", "data writes, those that miss D1, those "
				   "that miss LL"},
		{"working set", "the pages that are accessed in an interval"},
		{"window", "a part of the run that is counted by itself"},
		{"others", "rows that are left out to save space, added up"},
		{"???", "code without a name: no symbol covers it"},
	};

	fputs("<section id=glossary><h2>Glossary</h2><dl>\n", f);
	for (size_t i = 0; i < sizeof(term) / sizeof(term[0]); i++)
		fprintf(f, "<dt>%s</dt><dd>%s</dd>\n", term[i][0], term[i][1]);
	fputs("</dl></section>\n", f);
}

/* ---- this page again ---- */

void al_page_write_remake_command(FILE *f, const json_t *report,
				  size_t n_source_excerpts)
{
	const json_t *run = json_object_get(report, "run");
	const char *options =
		text_or_empty(json_object_get(run, "geometry"), "options");

	fputs("<section id=again><h2>This page again</h2>\n<pre><code>"
	      "alleria run --html=report.html ",
	      f);
	if (*options) {
		al_html_write_text(f, options);
		fputs(" ", f);
	}
	fputs("-- ", f);
	write_command_words(f, json_object_get(run, "command"));
	fputs("</code></pre>\n"
	      "<p class=note>Or from a stored report: <code>alleria report "
	      "report.json -o report.html</code></p>\n"
	      "<p class=note>Before you pass this page on: it has the command "
	      "lines of all processes, paths of files, and ",
	      f);
	if (n_source_excerpts > 0)
		write_count_and_noun(f, (json_int_t)n_source_excerpts,
				     "excerpt of a source file",
				     "excerpts of source files");
	else
		fputs("no source lines", f);
	fputs(".</p></section>\n", f);
}
