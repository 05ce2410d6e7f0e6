/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_save.h - files that get their names when they are complete
 *
 * Room:    lib.
 * Used by: al_runjson.c, al_output.c, al_targets.c, cli.
 */
#ifndef AL_SAVE_H
#define AL_SAVE_H

#include <stdbool.h>
#include <stdio.h>

/* Whether what is at @path can only be written to, and not replaced: a
   terminal, a pipe, whatever a descriptor leads to. */
bool al_is_special(const char *path);

/**
 * al_save() - Write a file under a temporary name and rename it.
 * @path: of the file; "-" is standard output. What is special is written to
 *        as it is.
 * @write: returns 0 or -errno; what it has not flushed is not lost.
 *
 * Return: 0; -errno.
 */
int al_save(const char *path, int (*write)(void *arg, FILE *), void *arg);

#endif
