/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_name.h - compares names of functions with words of users
 *
 * A name is the whole signature if known: "int ns::f<int>(char) const".
 */
#ifndef BASE_TEXT_FUNCTION_NAME_H
#define BASE_TEXT_FUNCTION_NAME_H

#include <stddef.h>

/* How well a word matches a name, best first. */
enum al_name_match {
	AL_NAME_WHOLE,	   /* it is the whole name */
	AL_NAME_PLAIN,	   /* the name without parameters, result and the
			      compiler's suffix (".constprop.0"), with or
			      without template arguments: "ns::f" */
	AL_NAME_INNERMOST, /* also without outer namespaces and classes: "f" */
	AL_NAME_PART,	   /* any other part of the name */
	AL_NAME_NONE,	   /* no part of it */
};

/* Return how well the word @word, [@word_bytes], matches @name. */
enum al_name_match al_function_name_match(const char *name, const char *word,
					  size_t word_bytes);

/* Return the length of a name without parameters: up to the first '(' outside
   of template arguments, but for one at the start of the name and those of
   "(anonymous namespace)" and "operator()". */
size_t al_function_name_length_without_params(const char *name);

/* Return the length of the first name in a list of names. It ends at the first
   @separator that is not in brackets "()" or "<>" and not part of an operator's
   name; or at the end of the list. Brackets that are not closed are like other
   characters. */
size_t al_function_name_length_in_list(const char *list, char separator);

#endif
