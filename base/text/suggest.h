/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - the word that was probably meant
 */
#ifndef BASE_TEXT_SUGGEST_H
#define BASE_TEXT_SUGGEST_H

/**
 * al_nearest() - The word of @words (NULL-terminated) most like @word, or NULL
 * when none is near enough to be meant.
 */
const char *al_nearest(const char *word, const char *const *words);

#endif
