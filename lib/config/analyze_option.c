/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analyze_option.c - parses the value of --analyze=; see analyze_option.h
 *
 * Each class of analyses lists its keys with their values (struct an_option):
 * words separated by '|' are the only valid values; of words separated by '+'
 * several can be given, joined by '+'; "N" is a number, "1-12" a number from 1
 * to 12, and any other word stands for text.
 */
#include "lib/config/analyze_option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/function_name.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "lib/config/options.h"

enum { MAX_WORDS = 32 };

static int report_unknown_word(const char *word_kind, const char *word,
			       const char *const *valid_words, char *message)
{
	char what[80];

	snprintf(what, sizeof(what), "unknown %.60s", word_kind);
	return al_suggest_and_report_bad_word(what, word, valid_words, message);
}

static const struct an_class *find_analysis_class_or_report(const char *name,
							    char *message)
{
	const char *words[MAX_WORDS + 1] = {NULL};
	int n = 0;

	for (int i = 0; an_classes[i]; i++) {
		if (!strcmp(an_classes[i]->name, name))
			return an_classes[i];
		if (n < MAX_WORDS && !an_classes[i]->command)
			words[n++] = an_classes[i]->name;
	}
	report_unknown_word("analysis", name, words, message);
	return NULL;
}

static const struct an_option *
find_class_option_or_report(const struct an_class *class, const char *key,
			    char *message)
{
	const char *words[MAX_WORDS + 1] = {NULL};
	const struct an_option *o = class->options;

	for (int i = 0; o && o->key; o++) {
		if (!strcmp(o->key, key))
			return o;
		if (i < MAX_WORDS)
			words[i++] = o->key;
	}
	if (words[0])
		report_unknown_word("key", key, words, message);
	else
		al_message_return_einval(message, "'%s' takes no keys",
					 class->name);
	return NULL;
}

/* Check that @value is one of the words in option->values, which are separated
   by @separator. Return: 0; -EINVAL with @message. */
static int check_value_is_choice(const struct an_option *option,
				 const char *value, const char *separator,
				 char *message)
{
	const char *words[MAX_WORDS + 1] = {NULL};
	char copy[160];
	char *rest = copy;

	snprintf(copy, sizeof(copy), "%s", option->values);
	for (int i = 0; rest && i < MAX_WORDS; i++) {
		words[i] = strsep(&rest, separator);
		if (!strcmp(words[i], value))
			return 0;
	}
	return report_unknown_word(option->key, value, words, message);
}

/* Check that @value consists of one or more words of option->values, joined by
   '+'. Return: 0; -EINVAL with @message. */
static int check_value_is_plus_joined_words(const struct an_option *option,
					    const char *value, char *message)
{
	char copy[160];
	char *rest = copy;
	int rc = 0;

	snprintf(copy, sizeof(copy), "%s", value);
	while (rest && !rc)
		rc = check_value_is_choice(option, strsep(&rest, "+"), "+",
					   message);
	return rc;
}

/* Whether @values is a range of numbers, such as "1-12". Set @least and @most.
   */
static bool is_range(const char *values, uint64_t *least, uint64_t *most)
{
	return sscanf(values, "%" SCNu64 "-%" SCNu64, least, most) == 2;
}

/* Check that @value is a number from @least to @most. Return: 0; -EINVAL with
   @message. */
static int check_value_is_number(const struct an_option *option,
				 const char *value, uint64_t least,
				 uint64_t most, char *message)
{
	uint64_t number;
	int rc = al_number_parse_digits_only(value, &number);

	if (rc && most == UINT64_MAX)
		return al_message_return_einval(message,
						"%s '%.60s' is not a number",
						option->key, value);
	if (rc || number < least || number > most)
		return al_message_return_einval(
			message,
			"%s '%.60s': not a number from %" PRIu64 " to %" PRIu64,
			option->key, value, least, most);
	return 0;
}

static int check_option_value(const struct an_option *option, const char *value,
			      char *message)
{
	uint64_t least, most;

	if (!*value)
		return al_message_return_einval(
			message, "'%s' needs a value: %s=%s", option->key,
			option->key, option->values);
	if (strchr(option->values, '|'))
		return check_value_is_choice(option, value, "|", message);
	if (strchr(option->values, '+'))
		return check_value_is_plus_joined_words(option, value, message);
	if (!strcmp(option->values, "N"))
		return check_value_is_number(option, value, 0, UINT64_MAX,
					     message);
	if (is_range(option->values, &least, &most))
		return check_value_is_number(option, value, least, most,
					     message);
	return 0;
}

static int parse_and_add_analysis_option(char *key_and_value,
					 struct al_analysis *a, char *message)
{
	char *value = key_and_value;
	const char *key = strsep(&value, "=");
	const struct an_option *option =
		find_class_option_or_report(a->class, key, message);
	int rc;

	if (!option)
		return -EINVAL;
	rc = check_option_value(option, value ? value : "", message);
	if (rc)
		return rc;
	for (size_t i = 0; i < a->n_options; i++)
		if (!strcmp(a->option[i].key, key))
			return al_message_return_einval(
				message, "'%s' is given twice", key);
	if (a->n_options == AL_MAX_ANALYSIS_OPTIONS)
		return al_message_return_einval(
			message, "too many keys, from '%s'", key);
	a->option[a->n_options].key = option->key;
	a->option[a->n_options++].value = value;
	return 0;
}

/* Cut the first key with its value off @rest_inout, which receives the text
   after the comma; NULL: there is none. A comma in a C++ name ends no value. */
static char *cut_key_and_value(char **rest_inout)
{
	char *text = *rest_inout;
	char *end = text + al_function_name_length_in_list(text, ',');

	*rest_inout = *end ? end + 1 : NULL;
	*end = '\0';
	return text;
}

int al_analysis_parse_name_and_options(char *text, struct al_analysis *out,
				       char *message)
{
	char *rest = text;
	const char *name = strsep(&rest, ":");

	*out = (struct al_analysis){
		.class = find_analysis_class_or_report(name, message)};
	if (!out->class)
		return -EINVAL;
	while (rest) {
		int rc = parse_and_add_analysis_option(cut_key_and_value(&rest),
						       out, message);

		if (rc)
			return rc;
	}
	return 0;
}

const char *al_analysis_option_value_or_null(const struct al_analysis *a,
					     const char *key)
{
	for (size_t i = 0; i < a->n_options; i++)
		if (!strcmp(a->option[i].key, key))
			return a->option[i].value;
	return NULL;
}
