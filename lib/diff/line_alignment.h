/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_alignment.h - pairs the lines of two versions of a text
 *
 * Threads: any.
 */
#ifndef LIB_DIFF_LINE_ALIGNMENT_H
#define LIB_DIFF_LINE_ALIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text: its lines without blanks at their ends, and a hash of each. */
struct al_diff_text {
	uint64_t *line; /* [n] hash of each line */
	uint32_t n;
	char *bytes;   /* the lines, a NUL after each */
	size_t *start; /* [n] index of each line's first byte in @bytes */
};

struct al_line_pairing {
	uint32_t other;	 /* index of the line in the other text, or
			   AL_NO_LINE */
	bool is_changed; /* whether the two paired lines are not equal */
};

#define AL_NO_LINE UINT32_MAX

/**
 * al_diff_read_text() - Set @text to the lines of a file if the hash of the
 * whole file is @expected_file_hash.
 * @expected_file_hash: pt_hash_update_with_bytes() over the file's bytes.
 *
 * Return: 0, with @text for al_diff_free_text(); -ESTALE: the file has changed;
 * -errno.
 */
int al_diff_read_text(const char *path, uint64_t expected_file_hash,
		      struct al_diff_text *text);
void al_diff_free_text(struct al_diff_text *);

/* Return the hash of line @line_index of the text with a NUL in place of each
   identifier that equals the first @name_length bytes of @name. */
uint64_t al_diff_line_hash_without_name(const struct al_diff_text *,
					uint32_t line_index, const char *name,
					size_t name_length);

/**
 * al_diff_align_lines() - Pair the lines of @a and @b.
 * @pairing: [a->n] receives the line of @b for each line of @a.
 *
 * Equal lines are paired in order, as many as possible by the algorithm of
 * Myers; fewer where texts differ so much that the search is cut short. Between
 * two neighbouring pairs, the lines left are paired first with first, as long
 * as both texts have one, and marked as changed.
 *
 * Return: 0; -ENOMEM.
 */
int al_diff_align_lines(const struct al_diff_text *a,
			const struct al_diff_text *b,
			struct al_line_pairing *pairing);

#endif
