/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_badtext.h - mistakes in a file, and what is said of each
 */
#ifndef AL_BADTEXT_H
#define AL_BADTEXT_H

struct bad {
	const char *text;
	const char *want;
	const char *fact;
};

#define N_OF(list) (sizeof(list) / sizeof(list[0]))

static inline void check(const struct bad *bad, size_t n)
{
	for (; n--; bad++)
		is_str(complaint(bad->text), bad->want, bad->fact);
}

#endif
