/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - finds and reports the word that a misspelt one probably meant
 */
#ifndef BASE_TEXT_SUGGEST_H
#define BASE_TEXT_SUGGEST_H

/**
 * al_suggest_word() - Return the word of @words (NULL-terminated) that is most
 * similar to @word; NULL if none is similar enough.
 */
const char *al_suggest_word(const char *word, const char *const *words);

/**
 * al_suggest_and_report_bad_word() - Write to @message [AL_MESSAGE] "@what
 * 'WORD'; did you mean 'NEAREST'?", or "@what 'WORD'; valid: A, B, C" if none
 * of @valid_words (NULL-terminated) is similar.
 * @what: such as "unknown format".
 *
 * Return: -EINVAL.
 */
int al_suggest_and_report_bad_word(const char *what, const char *bad_word,
				   const char *const *valid_words,
				   char *message);

/**
 * al_suggest_and_report_bad_option() - Write to @message [AL_MESSAGE] that
 * there is no option @arg, with the most similar of @options.
 * @arg: "--name" or "--name=value".
 * @options: NULL-terminated, each with its dashes. If the name of @arg is one
 *         of them, the message is that its value is missing or superfluous.
 *
 * Return: -EINVAL.
 */
int al_suggest_and_report_bad_option(const char *arg,
				     const char *const *options, char *message);

#endif
