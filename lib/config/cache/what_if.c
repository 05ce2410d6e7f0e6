/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_if.c - changes a cache hierarchy; see cache_geometry.h */

#include "lib/config/cache/cache_geometry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"

enum {
	WORD = 32,	   /* [bytes] of a level's or property's name in a
			      change, with the NUL */
	MAX_FACTOR = 1024, /* greatest factor or divisor of a size */
};

/* The words of a change: "D1.assoc=16" is "D1", "assoc", '=', "16". */
struct change {
	const char *text;
	char level[WORD];
	char property[WORD]; /* "": the size is multiplied or divided */
	char operator;	     /* '*', '/' or '=' */
	const char *value;
};

/* Split the change @text into level, property, operator and value, stored in
   @c. The level, the operator and the value must not be empty; a property is
   required before '=' and forbidden before '*' and '/'. Whether the level and
   the property exist is not checked. Return: 0; -EINVAL with a message. */
static int split_change_into_words(struct change *c, const char *text,
				   char *message)
{
	size_t level = strcspn(text, ".*/="), property = 0;
	const char *rest = text + level;

	*c = (struct change){.text = text};
	if (*rest == '.') {
		property = strcspn(++rest, "*/=");
		snprintf(c->property, WORD, "%.*s", (int)property, rest);
		rest += property;
	}
	snprintf(c->level, WORD, "%.*s", (int)level, text);
	c->operator= * rest;
	c->value = *rest ? rest + 1 : rest;
	if (level > 0 && *rest && *c->value && (*rest == '=') == (property > 0))
		return 0;
	return al_message_return_einval(
		message,
		"'--what-if=%.60s': not a change of a level, such "
		"as L2*2, LL/2, D1.size=48K or D1.assoc=16",
		text);
}

/* Return the level that a change names; NULL with a message if there is
   none. */
static struct an_level *find_changed_level_or_report(const struct change *c,
						     struct an_geometry *g,
						     char *message)
{
	const char *names[AN_MAX_LEVELS + 1] = {NULL}, *nearest;
	char list[AN_MAX_LEVELS * (AN_LEVEL_NAME + 2)] = "";

	for (int i = 0; i < g->n_levels; i++) {
		size_t used = strlen(list);

		if (!strcmp(g->level[i].name, c->level))
			return &g->level[i];
		names[i] = g->level[i].name;
		snprintf(list + used, sizeof(list) - used, "%s%s",
			 i ? ", " : "", names[i]);
	}
	nearest = al_suggest_word(c->level, names);
	if (nearest)
		al_message_return_einval(
			message,
			"'--what-if=%.60s': no level '%s'; did you mean "
			"'%s'?",
			c->text, c->level, nearest);
	else
		al_message_return_einval(
			message, "'--what-if=%.60s': no level '%s', only %s",
			c->text, c->level, list);
	return NULL;
}

/* Whether al_level_check_and_derive_sets() finds no fault in the size, line
   size and associativity of @l. */
static bool has_size_divisible_into_sets(const struct an_level *l)
{
	struct an_level copy = *l;
	char why[AL_MESSAGE];

	return !al_level_check_and_derive_sets(&copy, why);
}

/* Return the associativity nearest to that of @l with which a level of its size
   and line size is valid; the lower one of two that are equally near. */
static uint32_t find_nearest_valid_assoc(const struct an_level *l)
{
	struct an_level copy = *l;

	for (uint32_t d = 1; d; d++) {
		copy.assoc = l->assoc - d;
		if (d < l->assoc && has_size_divisible_into_sets(&copy))
			return copy.assoc;
		copy.assoc = l->assoc + d;
		if (has_size_divisible_into_sets(&copy))
			return copy.assoc;
		if (d >= l->assoc && l->assoc + d > l->size / l->line)
			break;
	}
	return (uint32_t)(l->size / l->line);
}

/* Return the size nearest to that of @l with which a level of its
   associativity, which may be AL_ASSOC_FULL, and line size is valid. */
static uint64_t find_nearest_size_of_whole_sets(const struct an_level *l)
{
	uint64_t ways = l->assoc == AL_ASSOC_FULL ? 1 : l->assoc;
	uint64_t way = ways * l->line;
	uint64_t most = AL_MAX_LINES * (uint64_t)l->line / way * way;
	uint64_t sets = l->size / way + (l->size % way > way / 2);

	if (sets > most / way)
		return most;
	return (sets ? sets : 1) * way;
}

/* Set the number of sets of @l, of which the size or the associativity was
   changed. A fully associative level of another size stays fully associative.
   Return: 0 or -EINVAL with a message that names the nearest valid value. */
static int check_level_and_derive_sets(const struct change *change_for_error,
				       struct an_level *l, char *message)
{
	bool is_assoc = !strcmp(change_for_error->property, "assoc");
	char why[AL_MESSAGE];
	enum al_fault fault;

	if (!is_assoc && l->sets == 1)
		l->assoc = AL_ASSOC_FULL;
	fault = al_level_check_and_derive_sets(l, why);
	if (fault == AL_FAULT_NONE)
		return 0;
	return al_message_return_einval(
		message, "'--what-if=%.60s': %.100s; nearest: %s.%s=%" PRIu64,
		change_for_error->text, why, l->name,
		is_assoc ? "assoc" : "size",
		is_assoc ? find_nearest_valid_assoc(l)
			 : find_nearest_size_of_whole_sets(l));
}

/* Multiply or divide the size of a level by the number c->value, 1 to
   MAX_FACTOR. Return: 0 or -EINVAL with a message. */
static int multiply_or_divide_level_size(const struct change *c,
					 struct an_level *l, char *message)
{
	uint64_t factor;

	if (al_number_parse_digits_only(c->value, &factor) || factor < 1 ||
	    factor > MAX_FACTOR)
		return al_message_return_einval(
			message,
			"'--what-if=%.60s': '%.30s' is not a number "
			"from 1 to %d",
			c->text, c->value, MAX_FACTOR);
	l->size = c->operator== '*' ? l->size * factor : l->size / factor;
	return check_level_and_derive_sets(c, l, message);
}

static int parse_and_set_level_assoc(const struct change *c, struct an_level *l,
				     char *message)
{
	uint64_t assoc = AL_ASSOC_FULL;

	if (strcmp(c->value, "full") != 0 &&
	    (al_number_parse_digits_only(c->value, &assoc) || assoc < 1 ||
	     assoc > l->size / l->line))
		return al_message_return_einval(
			message,
			"'--what-if=%.60s': '%.30s' is not a number "
			"from 1 to %" PRIu64 ", nor 'full'",
			c->text, c->value, l->size / l->line);
	l->assoc = (uint32_t)assoc;
	return check_level_and_derive_sets(c, l, message);
}

static int parse_and_set_level_size(const struct change *c, struct an_level *l,
				    char *message)
{
	if (al_size_parse_optional_kmg(c->value, &l->size))
		return al_message_return_einval(
			message,
			"'--what-if=%.60s': '%.30s' is not a size "
			"such as 48K",
			c->text, c->value);
	return check_level_and_derive_sets(c, l, message);
}

int al_what_if_apply(const char *change, struct an_geometry *g, char *message)
{
	static const char *const properties[] = {"size", "assoc", NULL};
	struct an_level *l;
	const char *nearest;
	struct change c;

	if (split_change_into_words(&c, change, message))
		return -EINVAL;
	l = find_changed_level_or_report(&c, g, message);
	if (!l)
		return -EINVAL;
	if (!*c.property)
		return multiply_or_divide_level_size(&c, l, message);
	if (!strcmp(c.property, "assoc"))
		return parse_and_set_level_assoc(&c, l, message);
	if (!strcmp(c.property, "size"))
		return parse_and_set_level_size(&c, l, message);
	nearest = al_suggest_word(c.property, properties);
	return al_message_return_einval(
		message, "'--what-if=%.60s': no property '%s'%s%s%s", change,
		c.property,
		nearest ? "; did you mean '" : ", only size and assoc",
		nearest ? nearest : "", nearest ? "'?" : "");
}
