/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_writer.h - writes lines for a terminal
 *
 * No control character from the name of a file or function of a traced program
 * reaches the terminal: it becomes '?', as does malformed UTF-8.
 */
#ifndef BASE_TEXT_LINE_WRITER_H
#define BASE_TEXT_LINE_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text/report_sink.h"

enum {
	AL_COLUMNS = 80,       /* width of lines, unless another is known */
	AL_MAX_COLUMNS = 1000, /* greatest width of lines that are cut */
	AL_NUMBER_BYTES = 27,  /* [bytes] for the longest 64-bit number with
				 separators and its NUL */
};

enum al_style { AL_PLAIN, AL_BOLD, AL_GOOD, AL_BAD };

struct al_text {
	struct an_text text; /* writes lines and headings; writes an empty line
				before each heading */
	FILE *file;
	bool colour;
};

/* Flags: capabilities of an output, and how much of a report it receives. */
enum al_display {
	AL_COLOUR = 1 << 0,
	AL_TERMINAL = 1 << 1, /* lines are cut to the width of the terminal */
	AL_STATUS_ONLY = 1 << 2, /* nothing is printed of a report but the
				    status of a run that is not complete */
};

/* When outputs have colours. */
enum al_colour_use { AL_COLOUR_AUTO, AL_COLOUR_ALWAYS, AL_COLOUR_NEVER };

/* Set for all outputs when they have colours: --color. Call it before there are
   threads. */
void al_display_set_colour(enum al_colour_use);

/* Return the capabilities of a descriptor, flags of enum al_display: none for a
   file; for a terminal AL_TERMINAL, and AL_COLOUR unless NO_COLOR is set.
   al_display_set_colour() overrules both the kind of file and NO_COLOR. */
unsigned al_display_flags_of_fd(int fd);

/* Return the width of the lines of an output [columns]: the number in the
   environment variable COLUMNS; if there is none, the width of the terminal; if
   @fd is no terminal or its width is not known, AL_COLUMNS. It is at least
   AL_COLUMNS and at most AL_MAX_COLUMNS. */
unsigned al_display_columns(int fd);

void al_text_init(struct al_text *, FILE *, unsigned display_flags);

/* Write @s without a line break, in the given style if the output has colours.
   Each unprintable character becomes '?'. */
void al_text_write(struct al_text *, enum al_style, const char *s);

/* Write one formatted line, cut after `columns` of the text. Each unprintable
   character becomes '?'. Write nothing if memory is short. */
__attribute__((format(printf, 2, 3))) void
al_text_printf_line_cut_to_columns(struct al_text *, const char *format, ...);

/* Print @words in lines of at most AL_COLUMNS that end between two words. The
   first line begins with @first_prefix, the others with @indent blanks. A word
   longer than a line is divided. */
void al_text_print_wrapped(struct al_text *, const char *first_prefix,
			   unsigned indent, const char *words);

/* Format @n with separators, such as "18,446,744,073,709,551,615". Return
   @out. */
char *al_number_format_grouped(char out[AL_NUMBER_BYTES], uint64_t n);

#endif
