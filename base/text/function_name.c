/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_name.c - compares names of functions with words of users; see
   function_name.h */

#include "base/text/function_name.h"

#include <stdbool.h>
#include <string.h>

/* Whether an operator's name, which may hold any of "<>()", begins at
   @position. */
static bool begins_operator_name(const char *name, const char *position)
{
	static const char word[] = "operator";

	return !strncmp(position, word, sizeof(word) - 1) &&
	       (position == name || strchr(": ", position[-1]));
}

/* Return the length of the name "operator..." that begins at @operator_word, of
   symbols only: 10 for "operator()". */
static size_t length_of_operator_word_and_symbols(const char *operator_word)
{
	size_t n = strlen("operator");

	if (!strncmp(operator_word + n, "()", 2))
		return n + 2;
	return n + strspn(operator_word + n, "<>=+-*/%^&|~!,[]");
}

size_t al_function_name_length_without_params(const char *name)
{
	static const char anonymous[] = "(anonymous namespace)";
	int depth = 0;

	for (const char *s = name; *s; s++) {
		if (begins_operator_name(name, s))
			s += length_of_operator_word_and_symbols(s) - 1;
		else if (!strncmp(s, anonymous, sizeof(anonymous) - 1))
			s += sizeof(anonymous) - 2;
		else if (*s == '<')
			depth++;
		else if (*s == '>')
			depth--;
		else if (*s == '(' && depth == 0 && s > name)
			return (size_t)(s - name);
	}
	return strlen(name);
}

/* Return the length of the first @name_length bytes of @name without the
   template arguments "<...>" at their end; @name_length if there are none. */
static size_t length_without_template_args(const char *name, size_t name_length)
{
	size_t length = name_length;
	int depth = 0;

	if (name_length == 0 || name[name_length - 1] != '>')
		return name_length;
	while (length > 0) {
		length--;
		depth += (name[length] == '>') - (name[length] == '<');
		if (depth == 0)
			return length ? length : name_length;
	}
	return name_length;
}

/* Return how well @word matches the end of the first @name_length bytes of
   @name: AL_NAME_PLAIN, AL_NAME_INNERMOST or AL_NAME_NONE. */
static enum al_name_match match_level_at_end(const char *name,
					     size_t name_length,
					     const char *word, size_t len)
{
	if (len > name_length ||
	    memcmp(name + name_length - len, word, len) != 0)
		return AL_NAME_NONE;
	if (len == name_length || strchr(" *&", name[name_length - len - 1]))
		return AL_NAME_PLAIN;
	return name[name_length - len - 1] == ':' ? AL_NAME_INNERMOST
						  : AL_NAME_NONE;
}

/* Return the length of the first @name_length bytes of @name without what a
   compiler appends to the name of a part or a variant of a function, such as
   ".constprop.0". */
static size_t length_without_clone_suffix(const char *name, size_t name_length)
{
	static const char *const suffixes[] = {
		".constprop", ".isra", ".part", ".cold", ".lto_priv", ".llvm."};
	size_t length = name_length;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const char *found =
			memmem(name, length, suffixes[i], strlen(suffixes[i]));

		if (found != NULL && found > name)
			length = (size_t)(found - name);
	}
	return length;
}

enum al_name_match al_function_name_match(const char *name, const char *word,
					  size_t word_bytes)
{
	size_t n = length_without_clone_suffix(
		name, al_function_name_length_without_params(name));
	enum al_name_match with, without;

	if (strlen(name) == word_bytes && !memcmp(name, word, word_bytes))
		return AL_NAME_WHOLE;
	with = match_level_at_end(name, n, word, word_bytes);
	without = match_level_at_end(
		name, length_without_template_args(name, n), word, word_bytes);
	with = with < without ? with : without;
	return with == AL_NAME_NONE &&
			       memmem(name, strlen(name), word, word_bytes)
		       ? AL_NAME_PART
		       : with;
}

/* Return the end of the brackets that open at @open, which is a '(' or '<':
   their last character; @open if they are not closed. */
static const char *closing_bracket(const char *open)
{
	int depth = 0;

	for (const char *s = open; *s; s++) {
		depth += *s == '(' || *s == '<';
		depth -= *s == ')' || *s == '>';
		if (depth == 0)
			return s;
	}
	return open;
}

size_t al_function_name_length_in_list(const char *list, char separator)
{
	const char *s = list;

	for (; *s && *s != separator; s++)
		if (begins_operator_name(list, s))
			s += length_of_operator_word_and_symbols(s) - 1;
		else if (*s == '(' || *s == '<')
			s = closing_bracket(s);
	return (size_t)(s - list);
}
