/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_parts.h - functions that write the parts of a page
 */
#ifndef LIB_REPORT_HTML_PAGE_PARTS_H
#define LIB_REPORT_HTML_PAGE_PARTS_H

#include <jansson.h>
#include <stdio.h>

/* ---- page_assets.c, which tools/page-assets writes ---- */

/* Style sheets and scripts, each followed by a NUL, and their numbers of bytes
   without it. */
extern const char al_page_style[], al_page_plot_script[], al_page_script[];
extern const unsigned long al_page_style_bytes, al_page_plot_script_bytes,
	al_page_script_bytes;

/* ---- source_excerpts.c ---- */

/* Return a new list with the source lines around the lines of the report that
   have the largest shares of any count: [{path, ranges: [{from, text: [line,
   ...]}]}], from at most 300 kB of source. A file that is gone or has changed
   is looked for in @source_folder, with as many of the last folders of its path
   as possible; it is left out if it is not there, either, or the argument is
   NULL. Line numbers are from 1. */
json_t *al_page_new_source_excerpt_list(const json_t *report,
					const char *source_folder);

/* ---- html_text.c ---- */

/* Write text as HTML: special characters escaped, a box for each character that
   cannot be printed, cut after 4096 bytes. */
void al_html_write_text(FILE *, const char *text);

/* Write a count with a gap between groups of three digits; text that is copied
   from the page does not have the gaps. */
void al_html_write_count(FILE *, json_int_t count);

/* Write @part in percent of @whole with @decimals digits after the decimal
   point and a percent sign; "-" if @whole is 0. */
void al_html_write_percent(FILE *, json_int_t part, json_int_t whole,
			   int decimals);

/* Write a size such as 32K or 100. */
void al_html_write_size_in_exact_unit(FILE *, json_int_t bytes);

/* ---- static_tables.c ---- */

/* Write the sections with the cache levels, and with the ten functions and the
   ten lines with most misses, or most instructions if there are no misses. A
   section is left out if the report lacks its table. */
void al_page_write_cache_levels(FILE *, const json_t *report);
void al_page_write_top_functions(FILE *, const json_t *report);
void al_page_write_top_source_lines(FILE *, const json_t *report);

/* ---- static_sections.c ---- */

/* Write the heading of the page with command and status, and the section with
   the verdict. */
void al_page_write_run_heading(FILE *, const json_t *report);
void al_page_write_verdict(FILE *, const json_t *report);

/* Write the sections with times and settings of the recording, the glossary,
   and the command that makes the page again; @n_source_excerpts: number of
   files of which the page has source lines. The section with the command also
   notes which private data the page has. */
void al_page_write_times_sizes_and_machine(FILE *, const json_t *report);
void al_page_write_glossary(FILE *);
void al_page_write_remake_command(FILE *, const json_t *report,
				  size_t n_source_excerpts);

/* ---- static_diff.c ---- */

/* Write the sections of a comparison. @reports: of A and B; NULL: not known.
   @names: of their files. */
void al_page_write_diff_sections(FILE *, const json_t *const reports[2],
				 const char *const names[2],
				 const json_t *diff);

#endif
