/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - parses common options; see options.h
 */
#include "lib/config/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/replaceable.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "lib/config/editor_url.h"
#include "lib/config/settings.h"
#include "lib/config/allocator_file.h"
#include "lib/config/analyze_option.h"
#include "lib/config/cache/cache_file.h"
#include "lib/config/cache/cache_geometry.h"
#include "lib/config/output_targets.h"
#include "lib/config/window/windows.h"
#include "profile/format/writer.h"
#include "proto/ring.h"

enum {
	DEFAULT_CHUNKS = 12, /* chunks of a ring if their number is not
				adapted */
	FIRST_CHUNKS = 4,    /* initial number of chunks if it is adapted */
	DEFAULT_CHUNK = 512 << 10,
	PROFILE_CHUNK = 2 << 20, /* [bytes] of a chunk with a profile, since
				    larger chunks compress better */
	PROFILE_CHUNKS = 8,	 /* greatest number of chunks of a ring with a
				    profile if their number is adapted, unless
				    --adaptive or --buffers gives another */
	DEFAULT_MEMORY = 192 << 20,
	LEAST_MEMORY = 1 << 20,	  /* [bytes] least value of --memory; the
				     smallest ring needs 520 KiB */
	MAX_ANALYZE_OPTIONS = 32, /* --analyze options, at most */
	/* options that the caller of al_options_report_unknown() adds, at
	   most */
	MAX_OWN_OPTIONS = 32,
	MAX_ROWS = 1000000, /* greatest number of rows of a table, --top */
};

#define MOST_MEMORY (1ull << 40)

struct al_options {
	struct al_settings settings;
	/* analyses of --analyze and of al_options_add_analysis(), in the order
	   in which they were added */
	struct al_analysis analysis[MAX_ANALYZE_OPTIONS];
	char *text[MAX_ANALYZE_OPTIONS]; /* [n_analyses] strings that the
					    analyses point into */
	size_t n_analyses;
	const char *what_if[AL_MAX_CACHES - 1]; /* changes of --what-if */
	unsigned n_what_ifs;
	const char *level_options[AL_HOST_LEVELS];
	const char *workers; /* argument of --workers if it is a number;
				     NULL: adaptive */
	const char *record;  /* argument of --record, or NULL */
	const char
		*allocators[AL_MAX_ALLOCATOR_OPTIONS]; /* [n_allocators] values
							  of --allocators */
	unsigned n_allocators;
	const char *only, *calls; /* arguments of --only and --calls, or NULL */
};

/* Parse the number @value of option @name, from @min to @max. Return: 0;
   -EINVAL with @message. */
static int parse_option_number_in_range(const char *name, const char *value,
					uint64_t min, uint64_t max,
					uint64_t *out, char *message)
{
	if (!al_number_parse_digits_only(value, out) && *out >= min &&
	    *out <= max)
		return 0;
	return al_message_return_einval(message,
					"'%s=%.60s': not a number from %" PRIu64
					" to %" PRIu64,
					name, value, min, max);
}

int al_options_add_analysis(struct al_options *o, const char *value,
			    char *message)
{
	struct al_analysis *a = &o->analysis[o->n_analyses];
	char why[AL_MESSAGE];
	char *text;

	if (o->n_analyses == MAX_ANALYZE_OPTIONS)
		return al_message_return_einval(
			message, "more than %d analyses, from '%.60s'",
			MAX_ANALYZE_OPTIONS, value);
	text = strdup(value);
	if (!text)
		return al_message_return_einval(message, "out of memory");
	free(o->text[o->n_analyses]);
	o->text[o->n_analyses] = text;
	if (al_analysis_parse_name_and_options(text, a, why))
		return al_message_return_einval(
			message, "'--analyze=%.120s': %s", value, why);
	for (size_t i = 0; i < o->n_analyses; i++)
		if (o->analysis[i].class == a->class)
			return al_message_return_einval(
				message,
				"'--analyze=%.120s': analysis '%s' "
				"is given twice",
				value, a->class->name);
	o->n_analyses++;
	return 0;
}

static int add_analysis_that_option_can_run(struct al_options *o,
					    const char *value, char *message)
{
	const struct an_class *class;
	int rc = al_options_add_analysis(o, value, message);

	if (rc)
		return rc;
	class = o->analysis[o->n_analyses - 1].class;
	if (!class->command)
		return 0;
	return al_message_return_einval(
		message, "'--analyze=%.120s': only '%s' runs this analysis",
		value, class->command);
}

static int append_cache_file_name(struct al_options *o, const char *file_name,
				  char *message)
{
	struct al_settings *s = &o->settings;

	if (s->n_caches == AL_MAX_CACHES)
		return al_message_return_einval(
			message, "more than %d cache files, from '%.60s'",
			AL_MAX_CACHES, file_name);
	s->cache[s->n_caches++].file = file_name;
	return 0;
}

static int append_unparsed_what_if(struct al_options *o, const char *value,
				   char *message)
{
	if (o->n_what_ifs == AL_MAX_CACHES - 1)
		return al_message_return_einval(
			message, "more than %d changes, from '%.60s'",
			AL_MAX_CACHES - 1, value);
	o->what_if[o->n_what_ifs++] = value;
	return 0;
}

static int append_allocators_option_value(struct al_options *o,
					  const char *value, char *message)
{
	if (o->n_allocators == AL_MAX_ALLOCATOR_OPTIONS)
		return al_message_return_einval(
			message, "more than %d '--allocators', from '%.60s'",
			AL_MAX_ALLOCATOR_OPTIONS, value);
	o->allocators[o->n_allocators++] = value;
	return 0;
}

static int parse_and_store_workers_or_adaptive(struct al_options *o,
					       const char *value, char *message)
{
	static const char *const words[] = {"adaptive", NULL};
	uint64_t n;

	if (!strcmp(value, words[0])) {
		o->workers = NULL;
		return 0;
	}
	if (al_suggest_word(value, words))
		return al_message_return_einval(
			message, "'--workers=%.60s': did you mean '%s'?", value,
			words[0]);
	if (al_number_parse_digits_only(value, &n) || n < 1 ||
	    n > AL_MAX_WORKERS)
		return al_message_return_einval(
			message,
			"'--workers=%.60s': not a number from 1 to "
			"%d, nor 'adaptive'",
			value, AL_MAX_WORKERS);
	o->workers = value;
	o->settings.workers = (unsigned)n;
	return 0;
}

static int parse_and_store_adaptive_worker_settings(struct al_options *o,
						    const char *value,
						    char *message)
{
	char why[AL_MESSAGE];

	if (!al_adaptive_parse_option_value(&o->settings.adaptive, value, why))
		return 0;
	return al_message_return_einval(message, "'--adaptive=%.120s': %s",
					value, why);
}

static int parse_and_store_buffer_size(struct al_options *o, const char *value,
				       char *message)
{
	uint64_t n;

	if (al_size_parse_optional_kmg(value, &n) || n < PT_MIN_CHUNK ||
	    n > PT_MAX_CHUNK || n % PT_PAGE)
		return al_message_return_einval(
			message,
			"'--buffer-size=%.60s': not a size from %dK "
			"to %dM in steps of %dK",
			value, PT_MIN_CHUNK >> 10, PT_MAX_CHUNK >> 20,
			PT_PAGE >> 10);
	o->settings.chunk_bytes = n;
	return 0;
}

static int check_and_store_per_process_json_path(struct al_options *o,
						 const char *value,
						 char *message)
{
	if (!al_output_is_per_process(value))
		return al_message_return_einval(
			message,
			"'--json-each=%.100s' names one file for "
			"all processes: put %%p or %%n into it",
			value);
	o->settings.json_each = value;
	return 0;
}

static int parse_and_store_memory_limit(struct al_options *o, const char *value,
					char *message)
{
	uint64_t n;

	if (al_size_parse_optional_kmg(value, &n) || n < LEAST_MEMORY ||
	    n > MOST_MEMORY)
		return al_message_return_einval(
			message,
			"'--memory=%.60s': not a size from %dK to "
			"%uG",
			value, LEAST_MEMORY >> 10,
			(unsigned)(MOST_MEMORY >> 30));
	o->settings.memory = n;
	return 0;
}

static int check_and_store_editor_url(struct al_options *o, const char *url,
				      char *message)
{
	o->settings.editor_url = url;
	return al_editor_url_check(url, message);
}

static int
allow_outputs_to_replace_profile_or_elf(struct al_options *unused_options,
					const char *unused_value, char *message)
{
	(void)unused_options;
	(void)unused_value;
	(void)message;
	al_replace_allow_profile_or_elf(true);
	return 0;
}

static const char *const classic_names[AL_HOST_LEVELS] = {"--I1", "--D1",
							  "--L2", "--LL"};

enum value_kind {
	PARSED, /* the value is parsed by the function `parse` */
	TEXT_VALUE,
	NUMBER_VALUE, /* unsigned or int, from min to max */
	FLAG_VALUE,   /* bool, set to true; the option has no value */
};

#define TEXT(member)                                                           \
	.kind = TEXT_VALUE, .offset = offsetof(struct al_options, member)
#define NUMBER(member, least, most)                                            \
	.kind = NUMBER_VALUE, .offset = offsetof(struct al_options, member),   \
	.min = (least), .max = (most)
#define FLAG(member)                                                           \
	.kind = FLAG_VALUE, .offset = offsetof(struct al_options, member)
static const struct common_option {
	const char *name;
	const char *value; /* form of the value, for messages; NULL: the option
			      has no value */
	enum value_kind kind;
	int (*parse)(struct al_options *, const char *value, char *message);
	size_t offset; /* in struct al_options, of the member to set */
	unsigned min, max;
} table[] = {
	{"--analyze", "NAME", .parse = add_analysis_that_option_can_run},
	{"--cache", "FILE.yaml", .parse = append_cache_file_name},
	{"--I1", "SIZE,ASSOCIATIVITY,LINE", TEXT(level_options[AL_I1])},
	{"--D1", "SIZE,ASSOCIATIVITY,LINE", TEXT(level_options[AL_D1])},
	{"--L2", "SIZE,ASSOCIATIVITY,LINE", TEXT(level_options[AL_L2])},
	{"--LL", "SIZE,ASSOCIATIVITY,LINE", TEXT(level_options[AL_LL])},
	{"--what-if", "LEVEL*N", .parse = append_unparsed_what_if},
	{"--json", "FILE", TEXT(settings.json)},
	{"--html", "FILE", TEXT(settings.html)},
	{"--no-source", NULL, FLAG(settings.page_has_no_source)},
	{"--editor-url", "URL", .parse = check_and_store_editor_url},
	{"--json-each", "FILE", .parse = check_and_store_per_process_json_path},
	{"--profile", "FILE", TEXT(settings.profile)},
	{"--window", "FILE.yaml", TEXT(settings.window)},
	{"--only", "FUNCTION", TEXT(only)},
	{"--calls", "A-B", TEXT(calls)},
	{"--record", "FIELD,...", TEXT(record)},
	{"--allocators", "FILE.yaml", .parse = append_allocators_option_value},
	{"--compress", "LEVEL", NUMBER(settings.compress, 1, PF_MAX_LEVEL)},
	{"--workers", "N", .parse = parse_and_store_workers_or_adaptive},
	{"--adaptive", "KEY=VALUE,...",
	 .parse = parse_and_store_adaptive_worker_settings},
	{"--partitions", "N",
	 NUMBER(settings.partitions, 0, AN_MAX_PARTITIONS)},
	{"--buffers", "N", NUMBER(settings.chunks, 2, PT_MAX_CHUNKS)},
	{"--buffer-size", "SIZE", .parse = parse_and_store_buffer_size},
	{"--memory", "SIZE", .parse = parse_and_store_memory_limit},
	{"--error-exitcode", "N", NUMBER(settings.error_exitcode, 0, 255)},
	{"--top", "N", NUMBER(settings.top, 1, MAX_ROWS)},
	{"--full", NULL, FLAG(settings.full)},
	{"--strict", NULL, FLAG(settings.strict)},
	{"--force", NULL, .parse = allow_outputs_to_replace_profile_or_elf},
};

enum { N_OPTIONS = sizeof(table) / sizeof(table[0]) };

struct al_options *al_options_new(void)
{
	struct al_options *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	al_adaptive_set_defaults(&o->settings.adaptive);
	o->settings.compress = PF_LEVEL;
	o->settings.memory = DEFAULT_MEMORY;
	return o;
}

void al_options_free(struct al_options *o)
{
	if (!o)
		return;
	for (int i = 0; i < MAX_ANALYZE_OPTIONS; i++)
		free(o->text[i]);
	for (unsigned i = 0; i < AL_MAX_CACHES; i++)
		free(o->settings.cache[i].geometry.sweep);
	al_windows_free(o->settings.windows);
	free(o->settings.allocators);
	free(o);
}

void al_options_protect_program_output(struct al_options *o,
				       const char *program_output_path)
{
	o->settings.program_output = program_output_path;
}

void al_options_disable_per_window_analyses(struct al_options *o)
{
	o->settings.no_per_window = true;
}

/* Store the value of an option. Return: 0; another value, with @message. */
static int set_option(struct al_options *o, const struct common_option *option,
		      const char *value, char *message)
{
	void *member = (char *)o + option->offset;
	uint64_t n;
	int err = 0;

	switch (option->kind) {
	case PARSED:
		return option->parse(o, value, message);
	case TEXT_VALUE:
		*(const char **)member = value;
		break;
	case NUMBER_VALUE:
		err = parse_option_number_in_range(option->name, value,
						   option->min, option->max, &n,
						   message);
		if (!err)
			*(unsigned *)member = (unsigned)n;
		break;
	case FLAG_VALUE:
		*(bool *)member = true;
		break;
	}
	return err;
}

int al_options_try_parse_argument(struct al_options *o, const char *arg,
				  char *message)
{
	size_t len = strcspn(arg, "=");
	int i = 0;

	while (i < N_OPTIONS &&
	       (strncmp(table[i].name, arg, len) != 0 || table[i].name[len]))
		i++;
	if (i == N_OPTIONS)
		return 0;
	if (!table[i].value && arg[len])
		return al_message_return_einval(message, "'%s' takes no value",
						table[i].name);
	if (table[i].value && (!arg[len] || !arg[len + 1]))
		return al_message_return_einval(
			message, "'%s' needs a value: %s=%s", arg,
			table[i].name, table[i].value);
	return set_option(o, &table[i], arg + len + 1, message) ? -EINVAL : 1;
}

int al_options_report_unknown(const char *arg, const char *const *own_options,
			      char *message)
{
	const char *words[N_OPTIONS + MAX_OWN_OPTIONS + 1] = {NULL};
	int n = 0;

	for (; n < N_OPTIONS; n++)
		words[n] = table[n].name;
	for (; own_options && *own_options && n < N_OPTIONS + MAX_OWN_OPTIONS;
	     own_options++)
		words[n++] = *own_options;
	return al_suggest_and_report_bad_option(arg, words, message);
}

/* Append to settings.cache, for each --what-if, a copy of the first hierarchy
   with that change. Return: 0; -EINVAL with @message: a change is invalid, or
   there are several cache files. */
static int add_caches_of_what_if_changes(struct al_options *o, char *message)
{
	struct al_settings *s = &o->settings;
	int rc = 0;

	if (o->n_what_ifs && s->n_caches > 1)
		return al_message_return_einval(
			message,
			"'--what-if=%.60s' needs a single cache "
			"file, not %u",
			o->what_if[0], s->n_caches);
	for (unsigned i = 0; i < o->n_what_ifs && !rc; i++) {
		struct al_cache *c = &s->cache[s->n_caches + i];

		*c = s->cache[0];
		c->what_if = o->what_if[i];
		c->geometry.sweep = NULL;
		rc = al_what_if_apply(c->what_if, &c->geometry, message);
	}
	s->n_what_ifs = o->n_what_ifs;
	return rc;
}

static int read_cache_files_or_detect_caches(struct al_options *o,
					     char *message)
{
	struct al_settings *s = &o->settings;
	int rc = 0;

	s->geometry_is_host = !s->n_caches;
	for (int i = 0; i < AL_HOST_LEVELS; i++) {
		if (s->n_caches && o->level_options[i])
			return al_message_return_einval(
				message,
				"'--cache=%.100s' and '%s=%.60s': "
				"give one or the other",
				s->cache[0].file, classic_names[i],
				o->level_options[i]);
		s->geometry_is_host =
			s->geometry_is_host && !o->level_options[i];
	}
	for (unsigned i = 0; i < s->n_caches && !rc; i++)
		rc = al_cachefile_read(s->cache[i].file, &s->cache[i].geometry,
				       message);
	if (rc || s->n_caches)
		return rc;
	s->n_caches = 1;
	return al_geometry_from_options_or_host(o->level_options,
						&s->cache[0].geometry,
						s->geometry_note, message);
}

/* Set the numbers of workers and chunks and the size of chunks that are not
   given; if numbers are adapted, set the initial and the greatest ones. Return:
   0; -EINVAL with @message: --workers=N and --adaptive are both given. */
static int set_worker_and_chunk_counts(struct al_options *o, char *message)
{
	struct al_settings *s = &o->settings;
	struct al_adaptive *a = &s->adaptive;

	a->enabled = !o->workers;
	if (o->workers && a->is_given)
		return al_message_return_einval(
			message,
			"'--workers=%.60s' and '--adaptive': give "
			"one or the other",
			o->workers);
	if (!s->chunk_bytes)
		s->chunk_bytes = s->profile ? PROFILE_CHUNK : DEFAULT_CHUNK;
	if (!s->chunks)
		s->chunks = a->enabled ? FIRST_CHUNKS : DEFAULT_CHUNKS;
	if (!a->enabled)
		return 0;
	s->workers =
		a->workers < AL_FIRST_WORKERS ? a->workers : AL_FIRST_WORKERS;
	s->max_chunks =
		s->profile && !a->is_given ? PROFILE_CHUNKS : a->buffers;
	if (s->max_chunks < s->chunks)
		s->max_chunks = s->chunks;
	return 0;
}

/* Set settings.record, the fields that the profile records of each access:
   those of --record, else addresses. Return: 0; -EINVAL with @message: a field
   is unknown, or --record is given without --profile. */
static int parse_record_option(struct al_options *o, char *message)
{
	if (al_fields_parse_record_option(o->record ? o->record : "address",
					  &o->settings.record, message))
		return -EINVAL;
	if (o->record && !o->settings.profile)
		return al_message_return_einval(
			message, "'--record=%.100s' requires '--profile=FILE'",
			o->record);
	return 0;
}

const struct al_settings *al_options_finish(struct al_options *o, char *message)
{
	struct al_settings *s = &o->settings;
	/* Whether the user chose the number or the size of buffers: only then
	   it is an error if they exceed --memory; default buffers are made
	   smaller later until they fit. */
	bool are_given = s->chunks || s->chunk_bytes;

	if (set_worker_and_chunk_counts(o, message) ||
	    parse_record_option(o, message))
		return NULL;
	if (are_given && s->chunks * s->chunk_bytes > s->memory) {
		al_message_return_einval(
			message,
			"'--buffers=%u' of %zuK each are more than the %zuM "
			"that all programs share; see '--memory'",
			s->chunks, s->chunk_bytes >> 10, s->memory >> 20);
		return NULL;
	}
	if (read_cache_files_or_detect_caches(o, message) ||
	    add_caches_of_what_if_changes(o, message))
		return NULL;
	if (al_settings_set_analyses_per_cache(s, o->analysis, o->n_analyses,
					       message))
		return NULL;
	if (al_settings_read_or_make_windows(s, o->only, o->calls, message) ||
	    al_settings_read_allocators(s, o->allocators, o->n_allocators,
					message))
		return NULL;
	al_settings_add_needed_fields_to_windows(s, o->record ? s->record : 0);
	return al_targets_check_all_outputs(s, message) ? NULL : s;
}
