/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_file.h - the file that an analysis writes
 *
 * A regular file gets its name when it is complete (base/system/atomic_file.h); one that
 * cannot be completed is removed.
 */
#ifndef LIB_CONFIG_OUTPUT_FILE_H
#define LIB_CONFIG_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/system/atomic_file.h"

enum { AL_LABEL = 48 }; /* [bytes] with the NUL */
#define AL_FIRST_LABEL "1"

struct al_output {
	struct al_file file;
	int error; /* 0 or -errno of the first failed write */
};

/**
 * al_output_name() - The name of an image's output.
 * @pattern: path, in which %n stands for the label; without it, images after
 *           the first get ".LABEL" at the end.
 * @label: tells the images of a run apart.
 * @window: that it is of, behind the label with an "@", which no label and no
 *          name has; "": of all that was recorded.
 *
 * Return: the name, allocated, or NULL: memory is short.
 */
char *al_output_name(const char *pattern, const char *label,
		     const char *window);

/* Opens it; pattern "-" or NULL: standard output. 0 or -errno. */
int al_output_open(struct al_output *, const char *pattern, const char *label,
		   const char *window);

/* Whether the output was opened successfully and is not closed. */
bool al_output_is_open(const struct al_output *);

/* 0 or -errno. */
int al_output_write(struct al_output *, const void *data, size_t len);

/* Flushes, and renames when all was written. 0 or -errno of what was not. Also
   closes what never opened. */
int al_output_close(struct al_output *);

#endif
