/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help.c - holds the help lines of the options of options.h
 */
#include "lib/config/options.h"

#include <string.h>

const char al_options_help[] =
	"  --analyze=NAME[:KEY=VALUE,...]\n"
	"                          run this analysis; may be repeated [cache]\n"
	"  --I1=SIZE,ASSOC,LINE    first-level instruction cache [the host's]\n"
	"  --D1=SIZE,ASSOC,LINE    first-level data cache [the host's]\n"
	"  --L2=SIZE,ASSOC,LINE    second-level cache [the host's; none if\n"
	"                          another of these four is given]\n"
	"  --LL=SIZE,ASSOC,LINE    last-level cache [the host's]\n"
	"                          SIZE and LINE in bytes, or with K, M or G;\n"
	"                          ASSOC a number or 'full'; 2 to 2^28 lines\n"
	"  --cache=FILE.yaml       all caches from a file, see "
	"alleria-cache(5);\n"
	"                          may be repeated: the caches of each file "
	"are\n"
	"                          simulated apart [none]; not together with\n"
	"                          the four options above\n"
	"  --what-if=LEVEL*N       simulate a changed level as well, and "
	"report\n"
	"                          the differences: L2*2, LL/2, D1.size=48K,\n"
	"                          D1.assoc=16; may be repeated [none]\n"
	"  --json=FILE             write the report as JSON; '-': standard\n"
	"                          output [none]\n"
	"  --html=FILE             write the report as a web page, one file "
	"that\n"
	"                          loads nothing [none]\n"
	"  --no-source             no lines of source files in the page\n"
	"  --editor-url=URL        links from the page to an editor: URL has\n"
	"                          {path} and may have {line} [none]\n"
	"  --top=N                 rows of each table of the report [few, so\n"
	"                          that it fits on a page]\n"
	"  --full                  all tables of the report, also those that "
	"are\n"
	"                          left out otherwise\n"
	"  --json-each=FILE        write a JSON report of each process when "
	"it\n"
	"                          ends; %p in FILE is its pid, %n its number\n"
	"                          [none]\n"
	"  --profile=FILE          write the whole run to a profile, which "
	"must\n"
	"                          not exist [none]\n"
	"  --window=FILE.yaml      record only what the windows of this file\n"
	"                          select, see alleria-windows(5) "
	"[everything]\n"
	"  --only=FUNCTION[@IMAGE]\n"
	"                          record this function alone; IMAGE is the "
	"name\n"
	"                          of an object file [everything]\n"
	"  --calls=A-B             from the call number A of that function to "
	"the\n"
	"                          return of call number B; A: one call; A-: "
	"to\n"
	"                          the end [all the time]\n"
	"  --record=FIELD,...      what the profile stores: routine (names of "
	"code),\n"
	"                          bytes (code), address and value (of "
	"accesses),\n"
	"                          timestamp, core (where it ran), data (heap "
	"blocks\n"
	"                          and variables) [routine,address,bytes]\n"
	"  --allocators=FILE.yaml  allocator functions of the program, for "
	"data\n"
	"                          objects; or 'python', those of CPython; or\n"
	"                          'none': not those of the malloc family; "
	"may\n"
	"                          be repeated, alleria-allocators(5) [none]\n"
	"  --compress=LEVEL        compression of the profile, 1 to 19 [1]\n"
	"  --workers=N             threads that analyse, 1 to 256; or "
	"'adaptive':\n"
	"                          as many threads and buffers as are useful\n"
	"                          [adaptive]\n"
	"  --adaptive=KEY=VALUE,...\n"
	"                          settings of 'adaptive': greatest numbers "
	"of\n"
	"                          workers and buffers, period in ms, "
	"thresholds\n"
	"                          tp, tay1, tay2, taz in percent\n"
	"                          [processors, 24, 50, 75, 10, 10, 5]\n"
	"  --partitions=N          parts of a cache that are simulated in "
	"parallel,\n"
	"                          1 to 64; 1: the whole cache by one thread; "
	"0:\n"
	"                          chosen by the number of threads [0]\n"
	"  --buffers=N             buffers of each program, 2 to 1024; if "
	"adaptive,\n"
	"                          their number at first [12; 4 if adaptive]\n"
	"  --buffer-size=SIZE      of each buffer, 128K to 16M [512K; 2M\n"
	"                          with --profile]\n"
	"  --memory=SIZE           buffers of all programs together, 1M to "
	"1024G;\n"
	"                          if it is used up, new programs get the\n"
	"                          smallest buffers, and then none [192M]\n"
	"  --error-exitcode=N      exit with N if the recording is not "
	"complete,\n"
	"                          0 to 255; 0: never [0]\n"
	"  --strict                exit with 1, or N of --error-exitcode, if "
	"a\n"
	"                          window never opened\n"
	"  --force                 outputs may replace profiles and programs, "
	"but\n"
	"                          no file that is read or run\n";

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
