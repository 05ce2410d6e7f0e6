/* SPDX-License-Identifier: GPL-2.0-or-later */
/* normal_name.c - normalises names; see normal_name.h */

#include "lib/diff/normal_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { RUST_HASH = 16 /* number of hex digits of a hash in a Rust name */ };

static void remove_substring(char *start, const char *end)
{
	memmove(start, end, strlen(end) + 1);
}

/* Return the number of decimal digits that @s begins with. */
static size_t count_leading_digits(const char *s)
{
	size_t n = 0;

	while (isdigit((unsigned char)s[n]))
		n++;
	return n;
}

static size_t count_leading_hex_digits(const char *s)
{
	size_t n = 0;

	while (isxdigit((unsigned char)s[n]))
		n++;
	return n;
}

/* Return the length of the suffix of a clone, such as ".isra.0", that @s begins
   with; 0: there is none. */
static size_t leading_clone_suffix_length(const char *s)
{
	static const char *const word[] = {".constprop", ".isra", ".part",
					   ".cold", ".lto_priv"};
	size_t n, digits;

	if (strncmp(s, ".llvm.", 6) == 0) {
		n = count_leading_hex_digits(s + 6);
		return n ? 6 + n : 0;
	}
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		n = strlen(word[i]);
		if (strncmp(s, word[i], n) != 0)
			continue;
		digits = s[n] == '.' ? count_leading_digits(s + n + 1) : 0;
		if (digits > 0)
			return n + 1 + digits;
		return s[n] == '.' || isalnum((unsigned char)s[n]) ||
				       s[n] == '_'
			       ? 0
			       : n;
	}
	return 0;
}

/* Remove each " [clone ...]" from a name, and each suffix of a clone that is
   followed by '.' or the end of the name. */
static void drop_clone_suffixes(char *name)
{
	char *suffix = name, *clone;
	size_t n;

	while ((clone = strstr(name, " [clone ")) != NULL) {
		char *end = strchr(clone, ']');

		if (end == NULL)
			break;
		remove_substring(clone, end + 1);
	}
	while ((suffix = strchr(suffix, '.')) != NULL) {
		n = leading_clone_suffix_length(suffix);
		if (n > 0 && (suffix[n] == '\0' || suffix[n] == '.') &&
		    suffix > name)
			remove_substring(suffix, suffix + n);
		else
			suffix++;
	}
}

static void drop_rust_hash(char *name)
{
	size_t n = strlen(name);
	char *hash;

	if (n <= RUST_HASH + 3)
		return;
	hash = name + n - RUST_HASH - 3;
	if (strncmp(hash, "::h", 3) == 0 &&
	    count_leading_hex_digits(hash + 3) == RUST_HASH)
		*hash = '\0';
}

/* Remove each "#N", where N is decimal, that is followed by '}'. */
static void drop_lambda_unnamed_type_numbers(char *name)
{
	char *number = name;
	size_t n;

	while ((number = strchr(number, '#')) != NULL) {
		n = count_leading_digits(number + 1);
		if (n > 0 && number[1 + n] == '}')
			remove_substring(number, number + 1 + n);
		else
			number++;
	}
}

static void drop_abi_tags(char *name)
{
	char *tag = name, *end;

	while ((tag = strstr(tag, "[abi:")) != NULL) {
		end = strchr(tag, ']');
		if (end == NULL)
			return;
		remove_substring(tag, end + 1);
	}
}

char *al_diff_normalize_function_name(char *name)
{
	if (strpbrk(name, ".[#:") == NULL)
		return name;
	drop_clone_suffixes(name);
	drop_rust_hash(name);
	drop_lambda_unnamed_type_numbers(name);
	drop_abi_tags(name);
	return name;
}

static size_t leading_identifier_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$' ||
	       s[n] < 0)
		n++;
	return n;
}

/* The identifier is the last one before the parameters that is in no brackets
   of any kind. */
const char *al_diff_identifier_in_function_name(const char *name,
						size_t *length)
{
	const char *identifier = name, *rest = name;
	size_t n;

	*length = 0;
	for (unsigned depth = 0; *rest; rest += n ? n : 1) {
		n = leading_identifier_length(rest);
		if (n > 0 && depth == 0) {
			identifier = rest;
			*length = n;
		}
		if (*rest == '(' && depth == 0 && *length && rest[-1] != ':')
			break;
		if (strchr("([{<", *rest) != NULL)
			depth++;
		else if (strchr(")]}>", *rest) != NULL && depth > 0)
			depth--;
	}
	return identifier;
}

char *al_diff_drop_library_version(char *name)
{
	char *so = strstr(name, ".so.");

	if (so != NULL)
		so[3] = '\0';
	return name;
}
