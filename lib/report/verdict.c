/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.c - prints what stands out in a run
 *
 * The sentences are, in this order: a note that the run is mostly start-up; the
 * findings; code without symbols; if there is none of these, how much the
 * caches miss, and the function with most misses; caches that are unlikely;
 * threads that share one hierarchy.
 */
#include "lib/report/results.h"

#include <stdarg.h>
#include <string.h>

#include "lib/report/findings/findings.h"

enum {
	INDENT = 5,
	STARTUP_PERCENT = 50, /* least percentage of misses in the dynamic
				 linker that is worth a note */
	NAMELESS_PERCENT = 20,
	TOP_PERCENT = 20,  /* least percentage of the misses that one function
			      has to be worth a note */
	HIGH_PERCENT = 10, /* least percentage of accesses that miss a level,
			      from which on "Nothing stands out" is not
			      printed */
	UNLIKELY_SIZE = 128 << 20, /* [bytes] a cache that is larger is
				      unlikely */
	SENTENCE = 480,		   /* [bytes] */
	OBJECT = 60,		   /* [bytes] of a name in a sentence */
};

struct verdict {
	struct al_text *out;  /* NULL: the sentences are written to @list */
	struct an_sink *list; /* receives the sentences as items of its open
				 list; or NULL */
	unsigned n;	      /* number of sentences printed so far */
	unsigned max;	      /* greatest number of sentences */
};

/* Print a sentence after its number, from 1, wrapped into lines of at most 80
   columns; or write it to the list. Print nothing if @v->max sentences were
   printed before. */
__attribute__((format(printf, 2, 3))) static void
print_numbered_sentence_wrapped(struct verdict *v, const char *format, ...)
{
	char sentence[SENTENCE], number[INDENT + 1];
	va_list ap;

	if (v->n == v->max)
		return;
	va_start(ap, format);
	vsnprintf(sentence, sizeof(sentence), format, ap);
	va_end(ap);
	snprintf(number, sizeof(number), "%3u. ", ++v->n % 10);
	if (v->out)
		al_text_print_wrapped(v->out, number, INDENT, sentence);
	else
		v->list->string(v->list, NULL, sentence);
}

/* Print that most misses of a level are in the dynamic linker, if
   al_ld_so_miss_percent() is at least STARTUP_PERCENT, and a remedy: to record
   the program that was started by exec if @has_unrecorded_exec, else to use a
   window or a larger input. */
static void
print_note_if_startup_has_most_misses(struct verdict *v,
				      const struct al_level_with_misses *l,
				      bool has_unrecorded_exec)
{
	unsigned percent = al_ld_so_miss_percent(l);

	if (percent >= STARTUP_PERCENT)
		print_numbered_sentence_wrapped(
			v,
			"Start-up dominates: %u %% of %s misses are in "
			"the dynamic linker. %s",
			percent, l->name,
			has_unrecorded_exec
				? "The program became another one, which was "
				  "not recorded: use --trace-children=yes."
				: "The run is too short to judge the program; "
				  "use a window or a larger input.");
}

/* Print the percentage of a level's misses that are in code without symbols,
   if it is at least NAMELESS_PERCENT, the object with most of them, and how to
   get its symbols. */
static void
print_note_if_misses_lack_symbols(struct verdict *v,
				  const struct al_level_with_misses *l)
{
	uint64_t misses = 0, most = 0;
	const char *object = "";

	for (size_t i = 0; i < l->functions->n_rows; i++) {
		uint64_t n = al_table_row(l->functions, i)[l->column].number;

		if (strcmp(al_row_text_or_empty(l->functions, i, "name"),
			   "???") != 0)
			continue;
		misses += n;
		if (n > most) {
			most = n;
			object =
				al_row_text_or_empty(l->functions, i, "object");
		}
	}
	if (al_rounded_down_percent(misses, l->misses) < NAMELESS_PERCENT)
		return;
	print_numbered_sentence_wrapped(
		v,
		"%u %% of %s misses are in code without symbols, most "
		"in %.*s. Install its -dbgsym package, or set "
		"DEBUGINFOD_URLS so that Valgrind fetches them, or "
		"build it with -g and do not strip it.",
		al_rounded_down_percent(misses, l->misses), l->name, OBJECT,
		object);
}

/* Return the row of the function with most misses of a level. */
static size_t
row_of_function_with_most_misses(const struct al_level_with_misses *l)
{
	size_t top = 0;

	for (size_t i = 1; i < l->functions->n_rows; i++)
		if (al_table_row(l->functions, i)[l->column].number >
		    al_table_row(l->functions, top)[l->column].number)
			top = i;
	return top;
}

/* Print which function has most misses of the lowest level, if it has
   TOP_PERCENT of them. @levels: [@level_count] those of
   al_find_levels_with_misses(). */
static void
print_last_level_top_function(struct verdict *v,
			      const struct al_level_with_misses *levels,
			      unsigned level_count)
{
	const struct al_level_with_misses *l = &levels[level_count - 1];
	size_t row = level_count ? row_of_function_with_most_misses(l) : 0;
	uint64_t misses =
		level_count ? al_table_row(l->functions, row)[l->column].number
			    : 0;

	if (level_count &&
	    al_rounded_down_percent(misses, l->misses) >= TOP_PERCENT)
		print_numbered_sentence_wrapped(
			v, "The function with most %s misses is %.*s: %.1f %%.",
			l->name, OBJECT,
			al_row_text_or_empty(l->functions, row, "name"),
			100.0 * (double)misses / (double)l->misses);
}

static size_t count_functions_with_misses(const struct al_level_with_misses *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->functions->n_rows; i++)
		n += al_table_row(l->functions, i)[l->column].number > 0;
	return n;
}

static bool is_high_miss_rate(const struct al_level_with_misses *l)
{
	return al_rounded_down_percent(l->misses, l->accesses) >= HIGH_PERCENT;
}

/* Format how the misses of a level, on which there is no finding, are
   distributed: the function that has half of them, or the number of functions.
   If the level misses often, also why there is no finding. */
static void
format_miss_distribution_over_functions(const struct al_level_with_misses *l,
					char text[static SENTENCE])
{
	size_t row = row_of_function_with_most_misses(l);
	uint64_t most = al_table_row(l->functions, row)[l->column].number;
	bool is_high = is_high_miss_rate(l);

	if (2 * most >= l->misses)
		snprintf(text, SENTENCE, "%.1f %% of the misses are in %.*s%s",
			 100.0 * (double)most / (double)l->misses, OBJECT,
			 al_row_text_or_empty(l->functions, row, "name"),
			 is_high ? ", too few for a finding" : "");
	else
		snprintf(text, SENTENCE, "they are spread over %zu functions%s",
			 count_functions_with_misses(l),
			 is_high ? ", of which none has half of them" : "");
}

/* Print how much the level @level_or_null misses if there is no finding; that
   no level misses if @level_or_null is NULL. */
static void
print_no_finding_sentence(struct verdict *v,
			  const struct al_level_with_misses *level_or_null)
{
	const struct al_level_with_misses *l = level_or_null;
	char distribution[SENTENCE];

	if (l == NULL) {
		print_numbered_sentence_wrapped(
			v, "Nothing stands out: no level misses.");
		return;
	}
	format_miss_distribution_over_functions(l, distribution);
	print_numbered_sentence_wrapped(
		v, "%s%s misses %.2f %% of accesses; %s.",
		is_high_miss_rate(l) ? "" : "Nothing stands out: ", l->name,
		100.0 * (double)l->misses / (double)l->accesses, distribution);
}

/* Print a sentence for each cache level that is larger than UNLIKELY_SIZE or
   has at most one way, if the caches are as detected on this machine. */
static void print_unlikely_host_detected_caches(struct verdict *v,
						const struct al_run *run,
						const struct al_model *m)
{
	const struct al_table *t = al_model_find_table(m, "levels");

	for (size_t i = 0;
	     run->settings->geometry_is_host && t && i < t->n_rows; i++) {
		uint64_t size = al_row_number_or_0(t, i, "size");
		uint64_t ways = al_row_number_or_0(t, i, "assoc");

		if (size <= UNLIKELY_SIZE && ways > 1)
			continue;
		print_numbered_sentence_wrapped(
			v,
			"%s of %llu MB, %s, is what this machine "
			"reports, and unlikely: virtual machines report "
			"such caches. Name the real one with --%s.",
			al_row_text_or_empty(t, i, "name"),
			(unsigned long long)(size >> 20),
			al_row_text_or_empty(t, i, "ways"),
			al_row_text_or_empty(t, i, "name"));
	}
}

static bool has_process_with_several_threads(const struct al_run *run)
{
	struct al_counts c = al_run_counts(run);

	return c.threads > al_run_count_numbered_processes(run);
}

static void print_that_threads_share_caches(struct verdict *v)
{
	print_numbered_sentence_wrapped(
		v, "All threads of a process share one hierarchy of caches "
		   "here: this report cannot show false sharing.");
}

/* The results that findings are made from. */
struct results {
	/* NULL: there is none */
	const struct al_model *cache, *data, *loops, *branch, *mix;
};

static void print_findings(struct verdict *v, const struct al_findings *f)
{
	for (unsigned i = 0; i < f->n; i++)
		print_numbered_sentence_wrapped(v, "%s", f->item[i].text);
}

/* Whether the program itself, not a child, called exec for a program that was
   not recorded. */
static bool has_first_process_unrecorded_exec(const struct al_run *run)
{
	return run->n_processes > 0 &&
	       al_process_has_ended_by_unrecorded_exec(run->process[0]);
}

static void print_verdict_sentences(struct verdict *v, const struct al_run *run,
				    const struct al_model *m,
				    const struct al_findings *f)
{
	struct al_level_with_misses level[AL_MAX_MISSING];
	unsigned n = al_find_levels_with_misses(m, level);
	const struct al_level_with_misses *most =
		al_find_level_with_most_misses(level, n);
	bool is_threaded = has_process_with_several_threads(run);

	v->max = AL_MAX_FINDINGS - is_threaded;
	if (most)
		print_note_if_startup_has_most_misses(
			v, most, has_first_process_unrecorded_exec(run));
	print_findings(v, f);
	if (most)
		print_note_if_misses_lack_symbols(v, most);
	if (v->n == 0) {
		print_no_finding_sentence(v, most);
		print_last_level_top_function(v, level, n);
	}
	print_unlikely_host_detected_caches(v, run, m);
	v->max = AL_MAX_FINDINGS;
	if (is_threaded)
		print_that_threads_share_caches(v);
}

/* Return the result of the first analysis that has a table of cache levels;
   NULL if there is none. */
static const struct al_model *
find_first_result_with_cache_levels(const struct al_run *run)
{
	const struct al_model *result;

	for (size_t i = 0; i < run->settings->n_analyses; i++)
		if (run->settings->analysis[i].class->compares_caches &&
		    al_result_of_analysis(run, 0, i, &result) == 0 &&
		    al_model_find_table(result, "levels"))
			return result;
	return NULL;
}

static struct results
find_analysis_results_for_findings(const struct al_run *run)
{
	return (struct results){
		.cache = find_first_result_with_cache_levels(run),
		.data = al_result_of_class_or_null(run, "data"),
		.loops = al_result_of_class_or_null(run, "loops"),
		.branch = al_result_of_class_or_null(run, "branch"),
		.mix = al_result_of_class_or_null(run, "mix"),
	};
}

/* Find the findings about code, data objects and what the program does. If
   al_findings_startup_has_most_misses() is true, none are about misses. */
static void find_findings(struct al_findings *f, const struct results *r)
{
	bool is_startup =
		r->cache && al_findings_startup_has_most_misses(r->cache);
	const struct al_program_results program = {
		.cache = is_startup ? NULL : r->cache,
		.loops = r->loops,
		.branch = r->branch,
		.mix = r->mix,
	};

	*f = (struct al_findings){.n = 0};
	if (r->cache)
		al_findings_set_by_code_rules(f, r->cache);
	if (r->data && !is_startup)
		al_findings_add_of_data_objects(f, r->data);
	al_findings_add_of_program(f, &program);
}

/* Print all sentences, or write them to the list of @v; without a cache
   analysis, only the findings. */
static void print_verdict(struct verdict *v, const struct al_run *run,
			  const struct results *r, const struct al_findings *f)
{
	if (r->cache)
		print_verdict_sentences(v, run, r->cache, f);
	else
		print_findings(v, f);
}

void al_verdict_print_findings_as_sentences(const struct al_run *run,
					    struct al_text *out)
{
	struct al_findings findings;
	struct results r = find_analysis_results_for_findings(run);
	struct verdict v = {.out = out, .max = AL_MAX_FINDINGS};

	find_findings(&findings, &r);
	if (r.cache || findings.n > 0) {
		out->text.heading(&out->text, "What stands out");
		print_verdict(&v, run, &r, &findings);
	}
}

void al_verdict_write_sentences(const struct al_run *run, struct an_sink *out)
{
	struct al_findings findings;
	struct results r = find_analysis_results_for_findings(run);
	struct verdict v = {.list = out, .max = AL_MAX_FINDINGS};

	find_findings(&findings, &r);
	out->begin_list(out, "verdict");
	print_verdict(&v, run, &r, &findings);
	out->end(out);
}

void al_findings_of_run_write(const struct al_run *run, struct an_sink *out)
{
	struct al_findings findings;
	struct results r = find_analysis_results_for_findings(run);

	find_findings(&findings, &r);
	al_findings_write(&findings, out);
}
