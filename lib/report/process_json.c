/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process_json.c - writes JSON documents of single processes; see
   process_json.h */

#include "lib/run/state.h"

#include "lib/report/process_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/atomic_file.h"
#include "lib/report/report.h"
#include "lib/run/profile_files.h"

struct al_run al_run_copy_with_one_process(struct al_process **p,
					   struct al_stream *results)
{
	struct al_run one = *(*p)->run;

	one.process = p;
	one.n_processes = 1;
	one.n_trees = 1;
	one.total = results;
	one.n_profile_files = 0;
	if ((*p)->profile_file && al_run_has_profile_per_process(&one)) {
		one.profile_file = &(*p)->profile_file;
		one.n_profile_files = 1;
	}
	return one;
}

/* Return the stream with the results of the process over all its exec images;
   NULL if it was freed. */
static struct al_stream *
process_result_stream_or_null(const struct al_process *p)
{
	return p->total ? p->total : p->image[p->n_images - 1].stream;
}

static int write_process_json_to_memory(struct al_document *d,
					struct al_process *p)
{
	struct al_run one = al_run_copy_with_one_process(
		&p, process_result_stream_or_null(p));
	FILE *f = open_memstream(&d->text, &d->bytes);
	int err;

	if (!f)
		return -errno;
	err = al_report_write_json(&one, f);
	if (fclose(f) && !err)
		err = -errno;
	return err;
}

/* Count a JSON document of a single process that could not be saved. Of the
   first one of the run, store path and error. */
static void count_unsaved_document_keep_first_error(struct al_run *run,
						    const char *path, int err)
{
	if (!run->n_unsaved++) {
		run->unsaved = path ? strdup(path) : NULL;
		run->unsaved_error = err;
	}
}

static void free_output_document(struct al_document *d)
{
	if (!d)
		return;
	free(d->path);
	free(d->text);
	free(d);
}

struct al_document *al_document_new_process_json_report(struct al_process *p)
{
	const char *pattern = p->run->settings->json_each;
	struct al_document *d;
	int err = -ENOMEM;

	errno = 0;
	if (!pattern || !p->n_images || !al_process_is_followed(p))
		return NULL;
	d = calloc(1, sizeof(*d));
	if (d)
		d->path = al_process_expand_file_pattern(p, pattern);
	if (d && d->path && process_result_stream_or_null(p))
		err = write_process_json_to_memory(d, p);
	al_stream_free(p->total);
	p->total = NULL;
	if (!err)
		return d;
	count_unsaved_document_keep_first_error(p->run, d ? d->path : NULL,
						err);
	free_output_document(d);
	errno = -err;
	return NULL;
}

static int write_document_text(void *document, FILE *f)
{
	const struct al_document *d = document;

	if (fwrite(d->text, 1, d->bytes, f) != d->bytes || fflush(f))
		return errno ? -errno : -EIO;
	return 0;
}

void al_document_save_and_store_error(struct al_document *d)
{
	errno = 0;
	d->error = al_file_write_atomically(d->path, write_document_text, d);
}

void al_document_count_error_and_free(struct al_run *run, struct al_document *d)
{
	if (d->error)
		count_unsaved_document_keep_first_error(run, d->path, d->error);
	free_output_document(d);
}

bool al_run_report_unsaved_documents_if_any(const struct al_run *run,
					    const char *message_prefix,
					    FILE *out)
{
	if (!run->n_unsaved)
		return false;
	fprintf(out, "%s: cannot write '%s': %s", message_prefix,
		run->unsaved ? run->unsaved : run->settings->json_each,
		strerror(-run->unsaved_error));
	if (run->n_unsaved > 1)
		fprintf(out, ", nor %zu more of --json-each",
			run->n_unsaved - 1);
	putc('\n', out);
	return true;
}
