/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - writes a JSON report as a web page
 *
 * A page is one HTML file that loads nothing. It has the verdict, the cache
 * levels and the first rows of the functions and lines as HTML, and the report,
 * without the rows that exceed AL_PAGE_DATA_BUDGET, as data for the script that
 * draws the other parts. Text of the report is always escaped, and control
 * characters are replaced.
 *
 * Equal reports and equal source files give equal pages.
 *
 * Threads: any. Memory for JSON is from the allocator of jansson, which
 *          al_page_write_diff() sets to malloc() for all threads.
 */
#ifndef LIB_REPORT_HTML_PAGE_H
#define LIB_REPORT_HTML_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
	/* [bytes] that the compressed data of a page should not exceed, unless
	   all rows are requested */
	AL_PAGE_DATA_BUDGET = 1000 * 1000,
};

struct al_page_options {
	bool all_rows;		/* no row is left out to save space */
	bool no_source;		/* the page has no lines of source files */
	const char *editor_url; /* pattern of links to source lines, with {path}
				   and {line}; checked before; NULL: no links */
};

/* A report in JSON. */
struct al_page_input {
	const char *name; /* name of the report's file, for messages and
			     headings */
	const char *text; /* [bytes] JSON text of the report; NULL: there is no
			     report */
	size_t bytes;
	/* folder in which al_page_write_diff() looks for source files that are
	   gone or have changed at their paths; NULL: none */
	const char *source_folder;
};

/**
 * al_page_write_report() - Write the page of one run.
 * @reports: [@report_count], at least one; all of the same command. Each
 *	further report adds the analyses that those before it lack.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Reads the source files that the report names; uses those whose hash is that
 * of the report. After a write error, ferror() of the stream is true.
 *
 * Return: 0; -EINVAL with @message: no report, or memory is short.
 */
int al_page_write_report(const struct al_page_input *reports,
			 size_t report_count, const struct al_page_options *,
			 FILE *, char *message);

/**
 * al_page_write_diff() - Write the page that compares two reports.
 * @reports: A and B. If a text is NULL, the page has nothing of this report
 *	but its part of the comparison.
 * @diff: the comparison, as `alleria diff --json` writes it.
 *
 * Return: as al_page_write_report().
 */
int al_page_write_diff(const struct al_page_input reports[2],
		       const struct al_page_input *diff,
		       const struct al_page_options *, FILE *, char *message);

#endif
