/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff_page.c - writes a comparison as a web page; see diff.h */

#include <errno.h>
#include <stdlib.h>

#include "base/system/atomic_file.h"
#include "base/system/replaceable.h"
#include "cli/commands/diff.h"
#include "lib/report/html/page.h"

struct page {
	struct cl_diff_request *request;
	const struct al_diff_report *report;
};

/* Write the page of @page to @file. Return: 0; -EINVAL with a message; another
   -errno. */
static int write_comparison_page(void *page, FILE *file)
{
	const struct page *p = page;
	const struct al_page_options options = {.all_rows = false};
	struct al_page_input inputs[2], diff = {.name = "comparison"};
	char *text = NULL;
	FILE *f = open_memstream(&text, &diff.bytes);
	int err;

	if (f == NULL)
		return -errno;
	al_diff_write_json(p->report, f);
	err = fclose(f) ? -ENOMEM : 0;
	diff.text = text;
	for (int side = 0; side < 2; side++) {
		const struct al_diff_input *in = p->report->diff->in[side];

		inputs[side] = (struct al_page_input){
			in->path, in->text, in->bytes, in->source_folder};
	}
	if (!err)
		err = al_page_write_diff(inputs, &diff, &options, file,
					 p->request->message);
	free(text);
	return err;
}

int cl_diff_save_page(struct cl_diff_request *q,
		      const struct al_diff_report *report)
{
	struct page p = {q, report};
	int err;

	*q->message = '\0';
	err = al_file_write_atomically(q->html, write_comparison_page, &p);
	return err && !*q->message
		       ? al_message_return_einval(
				 q->message, "cannot write '%.300s': %s",
				 q->html,
				 al_replace_output_file_error_text(err))
		       : err;
}
