/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_sink.h - interfaces through which reports are written
 */
#ifndef BASE_TEXT_REPORT_SINK_H
#define BASE_TEXT_REPORT_SINK_H

#include <stdint.h>

/* Receives the members of a JSON object. @key is NULL for elements of a
   list. */
struct an_sink {
	void (*begin)(struct an_sink *, const char *key);
	void (*begin_list)(struct an_sink *, const char *key);
	void (*end)(struct an_sink *); /* ends an object or a list */
	void (*number)(struct an_sink *, const char *key, uint64_t value);
	void (*string)(struct an_sink *, const char *key, const char *value);
	/* @value: finite */
	void (*real)(struct an_sink *, const char *key, double value);
	/* @word: "true", "false" or "null", which is not quoted */
	void (*word)(struct an_sink *, const char *key, const char *word);
};

/* Receives lines of a report. */
struct an_text {
	unsigned columns; /* width of the terminal; 0: lines may have any
			     length */
	void (*line)(struct an_text *, const char *text);
	void (*heading)(struct an_text *, const char *text);
};

#endif
