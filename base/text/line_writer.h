/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_writer.h - writes lines for a terminal
 *
 * Whatever a traced program calls its files and functions, no control
 * character reaches the terminal: it becomes '?', as does what is not UTF-8.
 */
#ifndef BASE_TEXT_LINE_WRITER_H
#define BASE_TEXT_LINE_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text/report_sink.h"

enum {
	AL_COLUMNS = 80,
	AL_GROUPED = 27, /* [bytes] for a number with separators and its NUL */
};

enum al_style { AL_PLAIN, AL_BOLD, AL_GOOD, AL_BAD };

struct al_text {
	struct an_text text; /* heading() is preceded by an empty line */
	FILE *file;
	bool colour;
};

/* How lines may look. */
enum al_display {
	AL_COLOUR = 1 << 0,
	AL_TERMINAL = 1 << 1, /* lines are cut after AL_COLUMNS */
};

/* Return what a descriptor's reader can show, flags of enum al_display: a file
   nothing, a terminal colour, too, unless NO_COLOR is set. */
unsigned al_display_of(int fd);

void al_text_init(struct al_text *, FILE *, unsigned display);

/* Writes @s, cleaned, without a line's end. */
void al_text_put(struct al_text *, enum al_style, const char *s);

/* Write one line, formatted; on a terminal it is cut after AL_COLUMNS. */
__attribute__((format(printf, 2, 3))) void
al_text_printf(struct al_text *, const char *format, ...);

/* "18,446,744,073,709,551,615"; returns @out. */
char *al_grouped(char out[AL_GROUPED], uint64_t n);

#endif
