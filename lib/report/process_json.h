/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_json.h - the JSON documents of single processes (--json-each)
 *
 * A document is the report of a run that consists of one process. It is made
 * under the caller's lock and saved without it.
 *
 * Threads: the caller locks, but for al_document_save().
 */
#ifndef LIB_REPORT_PROCESS_JSON_H
#define LIB_REPORT_PROCESS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct al_process;
struct al_run;
struct al_stream;

struct al_document {
	struct al_document *next; /* for the caller's use */
	char *path;
	char *text; /* [bytes] */
	size_t bytes;
	int error; /* 0 or -errno of saving the document */
};

/**
 * al_document_new_free_results() - Make the document of a process that has
 * ended.
 * @p: its last image has ended, and its stream is not freed yet, or it went on
 *     as another program.
 *
 * Return: the document; NULL with errno 0 when none is asked for or nothing was
 *         recorded, else with errno set, which is noted in the run.
 */
struct al_document *al_document_new_free_results(struct al_process *p);

/* Write the file under its name, and note an error in the document. */
void al_document_save(struct al_document *);

/* Note in the run whether a document was saved, and free it. */
void al_document_store_error_free(struct al_run *, struct al_document *);

/* Print a line, beginning with @who, if some documents could not be saved.
   Return: whether it was printed. */
bool al_run_print_unsaved_documents(const struct al_run *, const char *who,
				    FILE *);

#endif
