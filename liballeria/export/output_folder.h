/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_folder.h - an output folder with a file for each thread
 *
 * The folder is there when it is complete. An earlier export of the same format
 * is replaced; a folder that holds anything else is not.
 */
#ifndef LIBALLERIA_EXPORT_OUTPUT_FOLDER_H
#define LIBALLERIA_EXPORT_OUTPUT_FOLDER_H

#include <stdint.h>

#include "liballeria/export/format.h"

struct ex_folder {
	struct ex_job *job;
	const char *format; /* its files are FORMAT.PROCESS.THREAD.trace */
	const char *sub;    /* the folder in it that has them; "" for none */
	char *part;	    /* name until it is complete */
};

/**
 * ex_folder_open() - Make a folder beside the job's path.
 * @format, @sub: outlive the folder.
 *
 * Return: 0; -1 with the job's message. Call ex_folder_close() in any case.
 */
int ex_folder_open(struct ex_folder *, struct ex_job *, const char *format,
		   const char *sub);

/* Return the path of a thread's file, for free(); NULL without memory. */
char *ex_folder_file(const struct ex_folder *, uint32_t process,
		     uint32_t thread);

/**
 * ex_folder_close() - Give the folder its name, or remove it.
 * @err: not 0 when it is not complete.
 *
 * Return: @err, or -1 with the job's message.
 */
int ex_folder_close(struct ex_folder *, int err);

#endif
