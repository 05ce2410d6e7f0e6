/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_page.c - writes the report of a run as a web page
 */
#include <errno.h>
#include <stdlib.h>

#include "base/system/atomic_file.h"
#include "base/text/message.h"
#include "lib/report/html/page.h"
#include "lib/report/report.h"
#include "lib/report/results.h"

/* Write the page from the JSON report to @file. Return: 0 or -errno. */
static int write_page(void *run, FILE *file)
{
	struct al_page_input json = {.name = "report"};
	const struct al_settings *s = ((const struct al_run *)run)->settings;
	struct al_page_options options = {.no_source = s->page_has_no_source,
					  .editor_url = s->editor_url};
	char message[AL_MESSAGE], *text = NULL;
	FILE *f = open_memstream(&text, &json.bytes);
	int err;

	if (f == NULL)
		return -errno;
	err = al_run_sort_processes_and_write_json(run, f);
	if (fclose(f) != 0 && !err)
		err = -ENOMEM;
	json.text = text;
	if (!err && al_page_write_report(&json, 1, &options, file, message))
		err = -ENOMEM;
	free(text);
	return err;
}

int al_report_save_page_to_html_option_path(struct al_run *run)
{
	run->page_error =
		al_file_write_atomically(run->settings->html, write_page, run);
	return run->page_error;
}
