/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_writer_test.c - tests the characters that reach the terminal
 */
#include "base/text/line_writer.h"

#include <stdlib.h>

#include "tests/tap.h"

static char *text;
static size_t size;
static struct al_text out;

static void start_lines(bool colour)
{
	free(text);
	text = NULL;
	al_text_init(&out, open_memstream(&text, &size), colour);
}

static const char *finish_lines(void)
{
	fclose(out.file);
	return text;
}

static const char *write_line(const char *s)
{
	start_lines(true);
	out.text.line(&out.text, s);
	return finish_lines();
}

static const char *write_heading(bool colour)
{
	start_lines(colour);
	out.text.heading(&out.text, "cache");
	return finish_lines();
}

static const char *print_cut(const char *s, unsigned columns)
{
	start_lines(false);
	out.text.columns = columns;
	al_text_printf_line_cut_to_columns(&out, "%s", s);
	return finish_lines();
}

static const char *print_wrapped(const char *first_prefix, unsigned indent,
				 const char *words)
{
	start_lines(false);
	al_text_print_wrapped(&out, first_prefix, indent, words);
	return finish_lines();
}

/* Return the width of lines in a file if COLUMNS is @columns; NULL: not set. */
static unsigned width_in_file(const char *columns)
{
	if (columns)
		setenv("COLUMNS", columns, 1);
	else
		unsetenv("COLUMNS");
	return al_display_columns(-1);
}

static void test_width(void)
{
	is_u64(width_in_file(NULL), 80, "lines of a file have 80 columns");
	is_u64(width_in_file("132"), 132, "or as many as COLUMNS states");
	is_u64(width_in_file("79"), 80, "at least 80");
	is_u64(width_in_file("100000"), 1000, "at most 1000");
	is_u64(width_in_file("wide"), 80, "a word is no width");
	is_u64(width_in_file(""), 80, "nor is no word");
	unsetenv("COLUMNS");
}

int main(void)
{
	char wide[101] = "", cut[82] = "", whole[120], n[AL_NUMBER_BYTES];

	memset(wide, 'w', 100);
	memset(cut, 'w', 80);
	cut[80] = '\n';

	is_str(write_line("a  b"), "a  b\n", "a line is written as it is");
	is_str(write_line("\033[2Jx\ty\x7f"), "?[2Jx?y?\n",
	       "control characters do not reach the terminal");
	is_str(write_line("\xc2\x9b"
			  "1mx\x9b"),
	       "?1mx?\n", "nor do those of the upper half");
	is_str(write_line("\xc3\xa4"), "\xc3\xa4\n",
	       "letters of any language do");
	is_str(write_heading(false), "\ncache\n", "a heading stands off");
	is_str(write_heading(true), "\n\033[1mcache\033[0m\n",
	       "a heading is bold where there is colour");
	is_str(print_cut(wide, 80), cut, "a line is cut at 80 columns");
	is_u64(al_display_flags_of_fd(-1), 0, "but not in a file");
	is_str(print_cut(wide, 0), strcat(strcpy(whole, wide), "\n"),
	       "where it is whole");

	is_str(print_wrapped("  1. ", 5, "one line"), "  1. one line\n",
	       "words that fit are one line");
	wide[75] = ' ';
	snprintf(whole, sizeof(whole), "  1. %.75s\n     %s\n", wide,
		 wide + 76);
	is_str(print_wrapped("  1. ", 5, wide), whole,
	       "75 columns fit behind 5, and the rest is indented");
	wide[75] = 'w';
	snprintf(whole, sizeof(whole), "%.80s\n%.20s\n", wide, wide);
	is_str(print_wrapped("", 0, wide), whole,
	       "a word of 100 columns is divided");

	is_str(al_number_format_grouped(n, 0), "0", "0 is 0");
	is_str(al_number_format_grouped(n, 999), "999",
	       "three digits stay together");
	is_str(al_number_format_grouped(n, 1000), "1,000",
	       "thousands are separated");
	is_str(al_number_format_grouped(n, UINT64_MAX),
	       "18,446,744,073,709,551,615", "the greatest number fits");
	test_width();
	free(text);
	return done_testing();
}
