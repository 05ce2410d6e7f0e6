/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_file.h - writes the output file of an analysis
 *
 * A regular file is renamed to its name when it is complete
 * (base/system/atomic_file.h); an incomplete file is removed.
 */
#ifndef LIB_CONFIG_OUTPUT_FILE_H
#define LIB_CONFIG_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/system/atomic_file.h"

enum {
	AL_LABEL = 48
}; /* [bytes] greatest length of an exec image's label in
			   file names, with its NUL */
#define AL_FIRST_LABEL "1"

/* An output file being written. */
struct al_output {
	struct al_file file;
	int error; /* 0 or -errno of the last failed write */
};

/**
 * al_output_make_labelled_file_name() - Make the name of the output file of an
 * exec image.
 * @pattern: path in which the first %n is replaced by the label; without %n,
 *           ".LABEL" is appended, but nothing for the label AL_FIRST_LABEL.
 * @exec_image_label: unique among the exec images of a run.
 * @window_name: name of the window whose output this is; "@" and this name
 *               follow the label, or the pattern if no label was appended to
 *               it. "@" occurs in no label and no window name. "": the output
 *               is of the whole stream.
 *
 * Return: the name, to be freed with free(); NULL if memory is short.
 */
char *al_output_make_labelled_file_name(const char *pattern,
					const char *exec_image_label,
					const char *window_name);

/* Open an output; the parameters are those of
   al_output_make_labelled_file_name().
   @pattern: "-" or NULL is standard output. Return: 0; -errno. */
int al_output_open(struct al_output *, const char *pattern,
		   const char *exec_image_label, const char *window_name);

/* Whether the output was opened successfully and is not closed. */
bool al_output_is_open(const struct al_output *);

/* Write @len bytes. Return: 0; -errno, which al_output_close_commit_or_remove()
   then returns too. */
int al_output_write(struct al_output *, const void *data, size_t len);

/* Close an output: flush it, and rename it to its final name if everything was
   written, else remove it. An output that is not open is ignored. Return: 0;
   -errno of the last failed write or, if none failed, of closing or renaming.
   */
int al_output_close_commit_or_remove(struct al_output *);

#endif
