/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help.c - holds the help lines of the options of options.h, and the reasons
 * why a replay refuses some of them
 */
#include "lib/config/options.h"

#include <stddef.h>
#include <string.h>

static const struct option_help {
	const char *lines;	   /* beginning with "  --name" */
	const char *replay_lines;  /* for a replay; NULL: same as .lines */
	const char *not_in_replay; /* reason why a replay refuses the option;
				      NULL: it accepts it */
} option_help[] = {
	{.lines = "  --analyze=NAME[:KEY=VALUE,...]\n"
		  "                          run this analysis; may be "
		  "repeated [cache]\n"},
	{.lines = "  --I1=SIZE,ASSOC,LINE    first-level instruction cache "
		  "[the host's]\n"},
	{.lines = "  --D1=SIZE,ASSOC,LINE    first-level data cache [the "
		  "host's]\n"},
	{.lines =
		 "  --L2=SIZE,ASSOC,LINE    second-level cache [the host's; "
		 "none if\n"
		 "                          another of these four is given]\n"},
	{.lines = "  --LL=SIZE,ASSOC,LINE    last-level cache [the host's]\n"
		  "                          SIZE and LINE in bytes, or with "
		  "K, M or G;\n"
		  "                          ASSOC a number or 'full'; 2 to "
		  "2^28 lines\n"},
	{.lines = "  --cache=FILE.yaml       all caches from a file, see "
		  "alleria-cache(5);\n"
		  "                          may be repeated: the caches of "
		  "each file are\n"
		  "                          simulated apart [none]; not "
		  "together with\n"
		  "                          the four options above\n"},
	{.lines = "  --what-if=LEVEL*N       simulate a changed level as well, "
		  "and report\n"
		  "                          the differences: L2*2, LL/2, "
		  "D1.size=48K,\n"
		  "                          D1.assoc=16; may be repeated "
		  "[none]\n"},
	{.lines = "  --json=FILE             write the report as JSON; '-': "
		  "standard\n"
		  "                          output [none]\n"},
	{.lines = "  --html=FILE             write the report as a web page, "
		  "one file that\n"
		  "                          loads nothing [none]\n"},
	{.lines = "  --no-source             no lines of source files in the "
		  "page\n"},
	{.lines = "  --editor-url=URL        links from the page to an editor: "
		  "URL has\n"
		  "                          {path} and may have {line} "
		  "[none]\n"},
	{.lines = "  --top=N                 rows of each table of the report "
		  "[few, so\n"
		  "                          that it fits on a page]\n"},
	{.lines = "  --full                  all tables of the report, also "
		  "those that are\n"
		  "                          left out otherwise\n"},
	{.lines = "  --json-each=FILE        write a JSON report of each "
		  "process when it\n"
		  "                          ends; %p in FILE is its pid, %n "
		  "its number\n"
		  "                          [none]\n",
	 .not_in_replay = "no process ends during a replay"},
	{.lines = "  --profile=FILE          write the whole run to a profile, "
		  "which must\n"
		  "                          not exist [none]\n"},
	{.lines = "  --window=FILE.yaml      record only what the windows of "
		  "this file\n"
		  "                          select, see doc/WINDOWS.md "
		  "[everything]\n",
	 .not_in_replay = "a profile holds what was recorded"},
	{.lines = "  --only=FUNCTION[@IMAGE]\n"
		  "                          record this function alone; IMAGE "
		  "is the name\n"
		  "                          of an object file [everything]\n",
	 .not_in_replay = "a profile holds what was recorded"},
	{.lines = "  --calls=A-B             from the call number A of that "
		  "function to the\n"
		  "                          return of call number B; A: one "
		  "call; A-: to\n"
		  "                          the end [all the time]\n",
	 .not_in_replay = "a profile holds what was recorded"},
	{.lines = "  --record=FIELD,...      what the profile stores: routine "
		  "(names of code),\n"
		  "                          bytes (code), address and value "
		  "(of accesses),\n"
		  "                          timestamp, core (where it ran), "
		  "data (heap blocks\n"
		  "                          and variables) "
		  "[routine,address,bytes]\n",
	 .not_in_replay = "a profile holds what was recorded"},
	{.lines = "  --allocators=FILE.yaml  allocator functions of the "
		  "program, for data\n"
		  "                          objects; or 'python', those of "
		  "CPython; or\n"
		  "                          'none': not those of the malloc "
		  "family; may\n"
		  "                          be repeated, "
		  "alleria-allocators(5) [none]\n",
	 .not_in_replay = "a profile holds what was recorded"},
	{.lines = "  --compress=LEVEL        compression of the profile, 1 to "
		  "19 [1]\n"},
	{.lines = "  --workers=N             threads that analyse, 1 to 256; "
		  "or 'adaptive':\n"
		  "                          as many threads and buffers as "
		  "are useful\n"
		  "                          [adaptive]\n",
	 .replay_lines = "  --workers=N             threads that analyse, 1 to "
			 "256 [the number of\n"
			 "                          processors, at most 16]\n"},
	{.lines = "  --adaptive=KEY=VALUE,...\n"
		  "                          settings of 'adaptive': greatest "
		  "numbers of\n"
		  "                          workers and buffers, period in "
		  "ms, thresholds\n"
		  "                          tp, tay1, tay2, taz in percent\n"
		  "                          [processors, 24, 50, 75, 10, 10, "
		  "5]\n",
	 .not_in_replay = "no program waits for a replay's workers"},
	{.lines = "  --partitions=N          parts of a cache that are "
		  "simulated in parallel,\n"
		  "                          1 to 64; 1: the whole cache by "
		  "one thread; 0:\n"
		  "                          chosen by the number of threads "
		  "[0]\n"},
	{.lines = "  --buffers=N             buffers of each program, 2 to "
		  "1024; if adaptive,\n"
		  "                          their number at first [12; 4 if "
		  "adaptive]\n",
	 .not_in_replay = "a replay has no buffers"},
	{.lines = "  --buffer-size=SIZE      of each buffer, 128K to 16M "
		  "[512K; 2M\n"
		  "                          with --profile]\n",
	 .not_in_replay = "a replay has no buffers"},
	{.lines = "  --memory=SIZE           buffers of all programs together, "
		  "1M to 1024G;\n"
		  "                          if it is used up, new programs "
		  "get the\n"
		  "                          smallest buffers, and then none "
		  "[192M]\n",
	 .not_in_replay = "a replay has no buffers"},
	{.lines = "  --error-exitcode=N      exit with N if the recording is "
		  "not complete,\n"
		  "                          0 to 255; 0: never [0]\n"},
	{.lines = "  --strict                exit with 1, or N of "
		  "--error-exitcode, if a\n"
		  "                          window never opened\n"},
	{.lines = "  --force                 outputs may replace profiles and "
		  "programs, but\n"
		  "                          no file that is read or run\n"},
};

enum { N_HELPS = sizeof(option_help) / sizeof(option_help[0]) };

void al_options_print_help(FILE *out, enum al_help_reader reader)
{
	for (const struct option_help *h = option_help;
	     h < option_help + N_HELPS; h++) {
		if (reader == AL_HELP_FOR_RUN)
			fputs(h->lines, out);
		else if (!h->not_in_replay)
			fputs(h->replay_lines ? h->replay_lines : h->lines,
			      out);
	}
}

const char *al_options_replay_refusal_reason(const char *arg)
{
	size_t n = strcspn(arg, "=");

	for (const struct option_help *h = option_help;
	     h < option_help + N_HELPS; h++)
		if (h->not_in_replay && !strncmp(h->lines + 2, arg, n) &&
		    strchr("= ", h->lines[2 + n]))
			return h->not_in_replay;
	return NULL;
}

bool al_options_is_for_started_program(const char *arg)
{
	static const char *const names[] = {"--trace-children", "--vg"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcspn(arg, "=") == strlen(names[i]) &&
		    !strncmp(arg, names[i], strlen(names[i])))
			return true;
	return false;
}

bool al_options_is_help_option(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

void al_options_print_analysis_help(FILE *out)
{
	for (const struct an_class *const *c = an_classes; *c; c++) {
		if ((*c)->command)
			continue;
		fprintf(out, "  %-22s  %s\n", (*c)->name, (*c)->summary);
		for (const struct an_option *o = (*c)->options; o && o->key;
		     o++) {
			int n = fprintf(out, "    %s=%s", o->key, o->values);

			fprintf(out, "%*s%s\n", n < 25 ? 26 - n : 1, "",
				o->help);
		}
	}
}
