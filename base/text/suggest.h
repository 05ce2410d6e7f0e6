/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - finds the word that a misspelt one probably meant
 */
#ifndef BASE_TEXT_SUGGEST_H
#define BASE_TEXT_SUGGEST_H

/**
 * al_suggest_word() - Return the word of @words (NULL-terminated) that is most
 * similar to @word; NULL if none is similar enough.
 */
const char *al_suggest_word(const char *word, const char *const *words);

#endif
