/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_list.c - sets the analyses of a run; see settings.h
 */
#include "lib/config/settings.h"

#include <string.h>

#include "base/text/message.h"

static void append_analysis_for_cache(struct al_settings *s,
				      const struct al_analysis *a,
				      unsigned hierarchy_index)
{
	s->analysis[s->n_analyses] = *a;
	s->analysis[s->n_analyses++].cache = hierarchy_index;
}

/* Append an analysis: once for each cache file that it can use, or once if it
   uses no caches. Return: 0; -EINVAL with @message: it needs a cache file with
   a sweep, and there is none, or there are too many analyses. */
static int append_analysis_for_each_cache(struct al_settings *s,
					  const struct al_analysis *a,
					  char *message)
{
	size_t n = s->n_analyses;

	if (n + (a->class->uses_caches ? s->n_caches : 1) > AL_MAX_ANALYSES)
		return al_message_return_einval(
			message,
			"more than %d analyses: '--analyze=%s' runs once for "
			"each of %u cache files",
			AL_MAX_ANALYSES, a->class->name, s->n_caches);
	if (!a->class->uses_caches)
		append_analysis_for_cache(s, a, 0);
	for (unsigned i = 0; a->class->uses_caches && i < s->n_caches; i++)
		if (!a->class->uses_sweeps || s->cache[i].geometry.sweep)
			append_analysis_for_cache(s, a, i);
	if (s->n_analyses > n)
		return 0;
	return al_message_return_einval(
		message, "'--analyze=%s' needs a cache file with a 'sweep'",
		a->class->name);
}

/* Append the analysis that compares hierarchies once for each changed one.
   Return: 0; -EINVAL with a message: no such analysis was requested. */
static int append_analyses_of_what_ifs(struct al_settings *s, char *message)
{
	size_t plain = 0;

	while (plain < s->n_analyses &&
	       !s->analysis[plain].class->compares_caches)
		plain++;
	if (s->n_what_ifs && plain == s->n_analyses)
		return al_message_return_einval(
			message, "'--what-if=%.60s' needs '--analyze=cache'",
			s->cache[s->n_caches].what_if);
	for (unsigned i = 0; i < s->n_what_ifs; i++)
		append_analysis_for_cache(s, &s->analysis[plain],
					  s->n_caches + i);
	return 0;
}

/* Return the default analysis: the first class that uses sweeps if the
   hierarchy has a sweep, else the first of all. */
static struct al_analysis
default_analysis_for_geometry(const struct an_geometry *g)
{
	const struct an_class *const *c = an_classes;

	while (g->sweep && *c && !(*c)->uses_sweeps)
		c++;
	return (struct al_analysis){.class = *c ? *c : an_classes[0]};
}

static bool has_analysis(const struct al_settings *s, const char *name)
{
	for (size_t i = 0; i < s->n_analyses; i++)
		if (!strcmp(s->analysis[i].class->name, name))
			return true;
	return false;
}

static const struct an_class *find_analysis_class_or_null(const char *name)
{
	const struct an_class *const *c = an_classes;

	while (*c && strcmp((*c)->name, name))
		c++;
	return *c;
}

/* If a web page was requested and no timeline, append one with a heat map for
   each analysis named "cache". Return: 0; -EINVAL with @message: there are too
   many. */
static int append_timelines_if_page_requested(struct al_settings *s,
					      char *message)
{
	const struct al_analysis timeline = {
		.class = find_analysis_class_or_null("timeline"),
		.option = {{"heat", "yes"}},
		.n_options = 1};
	size_t n = s->n_analyses;

	if (!s->html || !timeline.class || has_analysis(s, "timeline"))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(s->analysis[i].class->name, "cache") != 0)
			continue;
		if (s->n_analyses == AL_MAX_ANALYSES)
			return al_message_return_einval(
				message,
				"more than %d analyses, with the timelines of "
				"the page",
				AL_MAX_ANALYSES);
		append_analysis_for_cache(s, &timeline, s->analysis[i].cache);
	}
	return 0;
}

int al_settings_set_analyses_per_cache(struct al_settings *s,
				       const struct al_analysis *requested,
				       size_t requested_count, char *message)
{
	struct al_analysis a;
	int rc = 0;

	for (size_t i = 0; i < requested_count && !rc; i++)
		rc = append_analysis_for_each_cache(s, &requested[i], message);
	for (unsigned i = 0; !requested_count && i < s->n_caches; i++) {
		a = default_analysis_for_geometry(&s->cache[i].geometry);
		append_analysis_for_cache(s, &a, i);
	}
	if (!rc)
		rc = append_timelines_if_page_requested(s, message);
	return rc ? rc : append_analyses_of_what_ifs(s, message);
}
