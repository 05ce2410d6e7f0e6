/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_json.h - writes the JSON documents of single processes (--json-each)
 *
 * A document is the report of a run that consists of one process.
 *
 * Threads: the caller holds the lock that protects the run during all functions
 *          except al_document_save_and_store_error(), called without the lock.
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
	struct al_document *next; /* list link for the caller */
	char *path;
	char *text; /* [bytes] JSON text */
	size_t bytes;
	/* result of al_document_save_and_store_error(): 0 or -errno */
	int error;
};

/**
 * al_document_new_process_json_report() - Write the JSON document of a
 * process that has ended into memory, and free the process's total results.
 * @p: the last exec image has ended; the stream of that image is not freed yet,
 *     unless the process called exec.
 *
 * Return: the document, for al_document_count_error_and_free(). NULL with errno
 *         0: --json-each is not given, or nothing was recorded. NULL with
 *         another errno: an error, which is also counted in the run.
 */
struct al_document *al_document_new_process_json_report(struct al_process *p);

/* Write the document to its file, which appears under its name only when it is
   complete. Store 0 or -errno in the document's `error`. */
void al_document_save_and_store_error(struct al_document *);

/* If the JSON document of a process could not be saved, count this in the run
   and store the first such error. Free the document. */
void al_document_count_error_and_free(struct al_run *, struct al_document *);

/* If JSON documents of single processes could not be saved, print a line with
   the first path and error and the number of others. @message_prefix: prefix of
   the line. Return: whether a line was printed. */
bool al_run_report_unsaved_documents_if_any(const struct al_run *,
					    const char *message_prefix, FILE *);

#endif
