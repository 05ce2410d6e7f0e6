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
	"  --L2=SIZE,ASSOC,LINE    second-level cache [the host's; none where\n"
	"                          another of the four is given]\n"
	"  --LL=SIZE,ASSOC,LINE    last-level cache [the host's]\n"
	"                          SIZE and LINE in bytes, K, M or G;\n"
	"                          ASSOC a number or 'full'; two lines at\n"
	"                          least, 2^28 at most\n"
	"  --cache=FILE.yaml       all caches from a file, alleria-cache(5);\n"
	"                          may be repeated, each file by itself\n"
	"                          [none; not together with the four above]\n"
	"  --what-if=LEVEL*N       simulate a changed level as well, and "
	"report\n"
	"                          what it changes: L2*2, LL/2, D1.size=48K,\n"
	"                          D1.assoc=16; may be repeated [none]\n"
	"  --json=FILE             machine-readable report; '-' is standard\n"
	"                          output [none]\n"
	"  --html=FILE             the report as a web page, one file that "
	"loads\n"
	"                          nothing [none]\n"
	"  --no-source             no lines of source files in the page\n"
	"  --editor-url=URL        links from the page to an editor: URL has\n"
	"                          {path} and may have {line} [none]\n"
	"  --top=N                 rows of each table of the report [few, so\n"
	"                          that it fits on a page]\n"
	"  --full                  all tables of the report, also those that\n"
	"                          matter little\n"
	"  --json-each=FILE        the same of each process as it ends; %p in\n"
	"                          FILE is its id, %n its number [none]\n"
	"  --profile=FILE          keep the whole run in a profile, which is\n"
	"                          not there yet [none]\n"
	"  --window=FILE.yaml      record what this file says, when it says;\n"
	"                          a replay has what was recorded\n"
	"                          [everything]\n"
	"  --only=FUNCTION[@IMAGE]\n"
	"                          record this function alone; IMAGE is a "
	"file's\n"
	"                          name [everything]\n"
	"  --calls=A-B             from its Ath call to the return of its "
	"Bth;\n"
	"                          A: one call, A-: to the end [all the time]\n"
	"  --record=FIELD,...      what the profile stores: routine (names "
	"of code),\n"
	"                          bytes (code), address and value (of "
	"accesses),\n"
	"                          timestamp, core (where it ran), data "
	"(heap blocks\n"
	"                          and variables) [routine,address,bytes]\n"
	"  --allocators=FILE.yaml  allocator functions of the program, for "
	"data\n"
	"                          objects; or 'python', those of CPython; or\n"
	"                          'none': not those of the malloc family; "
	"may\n"
	"                          be repeated, alleria-allocators(5) [none]\n"
	"  --compress=LEVEL        of the profile, 1 to 19 [1]\n"
	"  --workers=N             recovery threads, 1 to 256; or 'adaptive': "
	"as\n"
	"                          many as are useful, and buffers too "
	"[adaptive]\n"
	"  --adaptive=KEY=VALUE,...\n"
	"                          how: workers and buffers at most, period "
	"in\n"
	"                          ms, thresholds tp, tay1, tay2, taz in "
	"percent\n"
	"                          [processors, 24, 50, 75, 10, 10, 5]\n"
	"  --partitions=N          parts of a cache that are simulated at "
	"once,\n"
	"                          1 to 64; 1: in one piece; 0: as is best\n"
	"                          for the number of threads [0]\n"
	"  --buffers=N             buffers for each program, 2 to 1024; to "
	"begin\n"
	"                          with, when adaptive [12, or 4 and growing]\n"
	"  --buffer-size=SIZE      of each buffer, 128K to 16M [512K; 2M\n"
	"                          with --profile]\n"
	"  --memory=SIZE           buffers of all programs together, 1M to\n"
	"                          1024G; when it is used up, new programs\n"
	"                          get the smallest buffers, then none [192M]\n"
	"  --error-exitcode=N      exit with N when the recording is not\n"
	"                          complete, 0 to 255; 0: never [0]\n"
	"  --strict                a window that never opened is an error, 1\n"
	"                          or as above\n"
	"  --force                 outputs replace profiles and programs too;\n"
	"                          never what is read or run\n";

bool al_options_is_help_option(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

void al_options_print_analysis_help(FILE *out)
{
	for (const struct an_class *const *c = an_classes; *c; c++) {
		fprintf(out, "  %-22s  %s\n", (*c)->name, (*c)->summary);
		for (const struct an_option *o = (*c)->options; o && o->key;
		     o++) {
			int n = fprintf(out, "    %s=%s", o->key, o->values);

			fprintf(out, "%*s%s\n", n < 25 ? 26 - n : 1, "",
				o->help);
		}
	}
}
