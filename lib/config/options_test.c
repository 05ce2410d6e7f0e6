/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options_test.c - tests every option, valid and invalid
 */
#include "lib/config/options.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/tap.h"

/* Analyses of this test, because the options of the real ones may change. */
static const struct an_option draw_options[] = {
	{"format", "svg|png", "of the picture"},
	{"width", "N", "[pixels]"},
	{"height", "1-12", "[pixels]"},
	{"file", "PATH", "where"},
	{NULL, NULL, NULL},
};
static const struct an_class sum = {
	.name = "sum", .summary = "adds", .needs = 1u << 0};
static const struct an_class draw = {.name = "draw",
				     .summary = "draws",
				     .options = draw_options,
				     .needs = 1u << 1};
static const struct an_class none = {
	.name = "none", .summary = "nothing", .options = draw_options + 3};
static const struct an_class hidden = {
	.name = "hidden", .summary = "by an option", .command = "alleria hide"};
const struct an_class *const an_classes[] = {&sum, &draw, &hidden, &none, NULL};

static char message[AL_MESSAGE];

/* Return the message for up to three arguments; "" if they are valid. */
static const char *parse_error(const char *a, const char *b, const char *c)
{
	const char *args[] = {a, b, c};
	struct al_options *o = al_options_new();
	int rc = 1;

	snprintf(message, sizeof(message), "%s", "");
	for (int i = 0; i < 3 && args[i] && rc == 1; i++)
		rc = al_options_try_parse_argument(o, args[i], message);
	if (rc == 1)
		al_options_finish(o, message);
	al_options_free(o);
	return rc ? message : "not taken";
}

static void test_defaults(void)
{
	struct al_options *o = al_options_new();
	const struct al_settings *s = al_options_finish(o, message);

	if (ok(s, "no options are enough")) {
		is_u64(s->n_analyses, 1, "one analysis");
		is_str(s->analysis[0].class->name, "sum", "the first");
		ok(s->geometry_is_host && s->cache[0].geometry.n_levels >= 3,
		   "the host's caches");
		ok(s->adaptive.enabled && s->workers >= 1 &&
			   s->workers <= AL_FIRST_WORKERS &&
			   s->workers <= s->adaptive.workers,
		   "two workers to begin with, where there are two processors");
		is_u64(s->chunks, 4, "4 buffers to begin with");
		is_u64(s->max_chunks, 24, "24 at most");
		is_u64(s->chunk_bytes, 512 << 10, "of 512 KiB");
		is_u64(s->memory, 192 << 20, "192 MiB for all");
		ok(!s->json && !s->error_exitcode, "nothing else");
	}
	al_options_free(o);
	al_options_free(NULL);
}

static void test_all(void)
{
	static const char *const args[] = {
		"--analyze=draw:format=png,file=/tmp/a:b=c,width=640",
		"--analyze=sum",
		"--I1=1K,2,64",
		"--D1=2K,2,64",
		"--LL=4K,2,64",
		"--json=-",
		"--workers=256",
		"--buffers=32",
		"--buffer-size=4M",
		"--error-exitcode=9",
	};
	struct al_options *o = al_options_new();
	const struct al_settings *s;
	int taken = 0;

	for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++)
		taken += al_options_try_parse_argument(o, args[i], message);
	is_u64((uint64_t)taken, 10, "every option is taken");
	s = al_options_finish(o, message);
	if (!ok(s, "and they go together"))
		return;
	is_u64(s->n_analyses, 2, "two analyses");
	is_str(s->analysis[0].class->name, "draw", "the first as given");
	is_u64(s->analysis[0].n_options, 3, "with three options");
	is_str(s->analysis[0].option[0].value, "png", "a choice");
	is_str(s->analysis[0].option[1].key, "file", "in their order");
	is_str(s->analysis[0].option[1].value, "/tmp/a:b=c",
	       "a value may hold ':' and '='");
	is_u64(s->analysis[1].n_options, 0, "the second has none");
	is_u64(al_settings_fields_tool_must_emit(s), 3,
	       "the tool emits what either needs");
	ok(!s->geometry_is_host, "the caches were given");
	is_u64(s->cache[0].geometry.level[2].size, 4096, "LL");
	is_str(s->json, "-", "json");
	is_u64(s->workers, 256, "workers");
	ok(!s->adaptive.enabled && !s->max_chunks, "a number of them is fixed");
	is_u64(s->chunks, 32, "buffers");
	is_u64(s->chunk_bytes, 4 << 20, "buffer size");
	is_u64((uint64_t)s->error_exitcode, 9, "exit code");
	al_options_free(o);
}

static void test_adaptive(void)
{
	struct al_options *o = al_options_new();
	const struct al_settings *s;

	al_options_try_parse_argument(
		o,
		"--adaptive=workers=1,buffers=30,period=20,tp=50,"
		"tay1=1,tay2=2,taz=3",
		message);
	s = al_options_finish(o, message);
	if (ok(s, "every key of --adaptive is taken")) {
		const struct al_adaptive *a = &s->adaptive;

		ok(a->enabled && a->workers == 1 && a->period == 20 &&
			   a->tp == 50 && a->tay1 == 1 && a->tay2 == 2 &&
			   a->taz == 3,
		   "and means what it says");
		is_u64(s->workers, 1, "never more workers than allowed");
		is_u64(s->max_chunks, 30, "nor buffers");
	}
	al_options_free(o);
	o = al_options_new();
	al_options_try_parse_argument(o, "--buffers=40", message);
	s = al_options_finish(o, message);
	ok(s && s->chunks == 40 && s->max_chunks == 40,
	   "more buffers to begin with are allowed later too");
	al_options_free(o);
	o = al_options_new();
	al_options_try_parse_argument(o, "--workers=3", message);
	s = al_options_finish(o, message);
	ok(s && s->workers == 3 && s->chunks == 12,
	   "with so many workers 12 buffers");
	al_options_free(o);
}

static void test_good(void)
{
	is_str(parse_error("--workers=3", "--workers=adaptive",
			   "--adaptive=workers=2"),
	       "", "adaptive workers after all");
	is_str(parse_error("--workers=adaptive", NULL, NULL), "",
	       "adaptive workers");
	is_str(parse_error("--workers=3", "--workers=4", NULL), "",
	       "the last of two counts");
	is_str(parse_error("--analyze=none", NULL, NULL), "", "no analysis");
	is_str(parse_error("--D1=1K,2,64", NULL, NULL), "", "one cache alone");
	is_str(parse_error("--buffers=384", NULL, NULL), "",
	       "buffers that fill the memory");
	is_str(parse_error("--memory=1M", NULL, NULL), "",
	       "less memory than the usual buffers take: they shrink");
	is_str(parse_error("--memory=2G", "--buffers=1024", "--buffer-size=2M"),
	       "", "memory for many buffers");
	is_str(parse_error("--memory=2M", "--buffers=5", NULL),
	       "'--buffers=5' of 512K each are more than the 2M that all "
	       "programs share; see '--memory'",
	       "buffers that do not fit are refused");
	is_str(parse_error("--memory=1023K", NULL, NULL),
	       "'--memory=1023K': not a size from 1024K to 1024G",
	       "too little memory for any program is refused");
	is_str(parse_error("--vg=-v", NULL, NULL), "not taken",
	       "options of others are left to them");
	is_str(parse_error("--cac=x", NULL, NULL), "not taken",
	       "no abbreviations");
	is_str(parse_error("--caches=x", NULL, NULL), "not taken",
	       "no longer names");
	is_str(parse_error("ls", NULL, NULL), "not taken", "no option");
	is_str(parse_error("", NULL, NULL), "not taken", "nothing");
	is_str(parse_error("--", NULL, NULL), "not taken", "dashes");
}

static void test_cache_file(void)
{
	static const char text[] = "levels:\n- {name: L1, kind: unified, "
				   "size: 1K, assoc: full, line: 32}\n";
	int fd = memfd_create("cache.yaml", MFD_CLOEXEC);
	char arg[64], want[200];
	struct al_options *o = al_options_new();
	const struct al_settings *s;

	snprintf(arg, sizeof(arg), "--cache=/proc/self/fd/%d", fd);
	ok(write(fd, text, sizeof(text) - 1) > 0 &&
		   al_options_try_parse_argument(o, arg, message) == 1,
	   "a cache file");
	s = al_options_finish(o, message);
	ok(s && s->cache[0].geometry.n_levels == 1 && !s->geometry_is_host,
	   "it is what counts");
	al_options_free(o);
	snprintf(want, sizeof(want),
		 "'%s' and '--D1=1K,2,64': give one or the other", arg);
	is_str(parse_error(arg, "--D1=1K,2,64", NULL), want,
	       "not with --D1 too");
	o = al_options_new();
	al_options_try_parse_argument(o, arg, message);
	al_options_try_parse_argument(o, arg, message);
	s = al_options_finish(o, message);
	ok(s && s->n_caches == 2 && s->cache[1].geometry.n_levels == 1 &&
		   !strcmp(s->cache[1].file, arg + strlen("--cache=")),
	   "two cache files, even one twice");
	al_options_free(o);
	is_str(parse_error("--LL=1K,2,64", "--cache=x", NULL),
	       "'--cache=x' and '--LL=1K,2,64': give one or the other",
	       "in any order, and before the file is looked at");
	is_str(parse_error("--cache=/nowhere/x", NULL, NULL),
	       "cannot read '/nowhere/x': No such file or directory",
	       "a file that is not there");
	close(fd);
}

static const char *const bad[][2] = {
	{"--cache", "'--cache' needs a value: --cache=FILE.yaml"},
	{"--cache=", "'--cache=' needs a value: --cache=FILE.yaml"},
	{"--json=", "'--json=' needs a value: --json=FILE"},
	{"--I1", "'--I1' needs a value: --I1=SIZE,ASSOCIATIVITY,LINE"},
	{"--I1=1", "'--I1=1' is not SIZE,ASSOCIATIVITY,LINE"},
	{"--analyze=", "'--analyze=' needs a value: --analyze=NAME"},
	{"--analyze=draq",
	 "'--analyze=draq': unknown analysis 'draq'; did you mean 'draw'?"},
	{"--analyze=cache",
	 "'--analyze=cache': unknown analysis 'cache'; valid: sum, draw, "
	 "none"},
	{"--analyze=:x", "'--analyze=:x': unknown analysis ''; valid: sum, "
			 "draw, none"},
	{"--analyze=sum:a=b", "'--analyze=sum:a=b': 'sum' takes no keys"},
	{"--analyze=draw:formt=svg", "'--analyze=draw:formt=svg': unknown key "
				     "'formt'; did you mean 'format'?"},
	{"--analyze=draw:x", "'--analyze=draw:x': unknown key 'x'; valid: "
			     "format, width, height, file"},
	{"--analyze=draw:", "'--analyze=draw:': unknown key ''; valid: "
			    "format, width, height, file"},
	{"--analyze=draw:format",
	 "'--analyze=draw:format': 'format' needs a value: "
	 "format=svg|png"},
	{"--analyze=draw:file=",
	 "'--analyze=draw:file=': 'file' needs a value: file=PATH"},
	{"--analyze=draw:format=svgg",
	 "'--analyze=draw:format=svgg': unknown format 'svgg'; did you mean "
	 "'svg'?"},
	{"--analyze=draw:format=tiff",
	 "'--analyze=draw:format=tiff': unknown format 'tiff'; valid: svg, "
	 "png"},
	{"--analyze=draw:width=wide",
	 "'--analyze=draw:width=wide': width 'wide' is not a number"},
	{"--analyze=draw:height=0",
	 "'--analyze=draw:height=0': height '0': not a number from 1 to 12"},
	{"--analyze=draw:height=13",
	 "'--analyze=draw:height=13': height '13': not a number from 1 to 12"},
	{"--analyze=draw:height=1x",
	 "'--analyze=draw:height=1x': height '1x': not a number from 1 to 12"},
	{"--analyze=draw:width=1,width=2",
	 "'--analyze=draw:width=1,width=2': 'width' is given twice"},
	{"--workers=0",
	 "'--workers=0': not a number from 1 to 256, nor 'adaptive'"},
	{"--workers=257",
	 "'--workers=257': not a number from 1 to 256, nor 'adaptive'"},
	{"--workers=-1",
	 "'--workers=-1': not a number from 1 to 256, nor 'adaptive'"},
	{"--workers=adaptve", "'--workers=adaptve': did you mean 'adaptive'?"},
	{"--adaptive=speed=1", "'--adaptive=speed=1': unknown key 'speed'"},
	{"--adaptive=tp=10,bufers=5",
	 "'--adaptive=tp=10,bufers=5': unknown key 'bufers'; did you mean "
	 "'buffers'?"},
	{"--adaptive=tay2=101",
	 "'--adaptive=tay2=101': 'tay2=101': not a number from 1 to 100"},
	{"--adaptive=tp", "'--adaptive=tp': 'tp' needs a value"},
	{"--buffers=1", "'--buffers=1': not a number from 2 to 1024"},
	{"--buffers=8K", "'--buffers=8K': not a number from 2 to 1024"},
	{"--buffers=385", "'--buffers=385' of 512K each are more than the "
			  "192M that all programs share; see '--memory'"},
	{"--buffer-size=64K", "'--buffer-size=64K': not a size from 128K to "
			      "16M in steps of 4K"},
	{"--buffer-size=32M", "'--buffer-size=32M': not a size from 128K to "
			      "16M in steps of 4K"},
	{"--buffer-size=262145",
	 "'--buffer-size=262145': not a size from 128K to 16M in steps of "
	 "4K"},
	{"--record=adress",
	 "'--record=adress': unknown field 'adress'; did you "
	 "mean 'address'?"},
	{"--record=value", "'--record=value' requires '--profile=FILE'"},
	{"--allocators=own.yaml",
	 "'--allocators=own.yaml' is for data objects: give '--analyze=data' "
	 "or '--record=data', too"},
	{"--error-exitcode=256",
	 "'--error-exitcode=256': not a number from 0 to 255"},
};

static void test_bad(void)
{
	char text[3000];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_str(parse_error(bad[i][0], NULL, NULL), bad[i][1],
		       bad[i][0]);
	is_str(parse_error("--analyze=sum", "--analyze=draw", "--analyze=sum"),
	       "'--analyze=sum': analysis 'sum' is given twice",
	       "an analysis twice");
	is_str(parse_error("--workers=\n", NULL, NULL),
	       "'--workers=?': not a number from 1 to 256, nor 'adaptive'",
	       "a line end in a value leaves the message one line");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		size_t len = strcspn(bad[i][0], "=");

		memcpy(text, bad[i][0], len);
		text[len] = '=';
		parse_error(text, NULL, NULL);
	}
	ok(strstr(message, "xxx': not a number from 0 to 255"),
	   "endless values leave room for what is wrong with them");
}

static void test_unknown(void)
{
	static const char *const own[] = {"--vg", "--trace-children", NULL};

	al_options_report_unknown("--analyse=cache", own, message);
	is_str(message, "unknown option '--analyse'; did you mean '--analyze'?",
	       "one of ours is near");
	al_options_report_unknown("--trace-childern=yes", own, message);
	is_str(message,
	       "unknown option '--trace-childern'; did you mean "
	       "'--trace-children'?",
	       "one of the caller's");
	al_options_report_unknown("--L3=1,2,3", own, message);
	is_str(message, "unknown option '--L3'; did you mean '--L2'?",
	       "a short one");
	al_options_report_unknown("-v", NULL, message);
	is_str(message, "unknown option '-v'", "none is near");
	al_options_report_unknown("-json=x", NULL, message);
	is_str(message, "unknown option '-json'; did you mean '--json'?",
	       "a single dash");
}

static void test_analysis_of_other_command(void)
{
	struct al_options *o = al_options_new();
	const struct al_settings *s;

	is_str(parse_error("--analyze=hidden", NULL, NULL),
	       "'--analyze=hidden': only 'alleria hide' runs this analysis",
	       "an analysis of another command is refused");
	is_u64((uint64_t)al_options_add_analysis(o, "hidden", message), 0,
	       "that command can add it");
	s = al_options_finish(o, message);
	ok(s && s->n_analyses == 1 && s->analysis[0].class == &hidden,
	   "and run it");
	al_options_free(o);
}

static bool is_narrow(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len > 80 || !text[len])
			return false;
		text += len + 1;
	}
	return true;
}

static void test_help(void)
{
	static char help[10000];
	char text[1000] = "";
	FILE *f = fmemopen(help, sizeof(help), "w");

	if (f) {
		al_options_print_help(f, AL_HELP_FOR_RUN);
		fclose(f);
	}
	ok(is_narrow(help), "help has 80 columns and whole lines");
	is_str(al_options_replay_refusal_reason("--buffers=2"),
	       "a replay has no buffers", "a replay refuses --buffers");
	ok(!al_options_replay_refusal_reason("--buffer=2") &&
		   !al_options_replay_refusal_reason("--json=x"),
	   "but not the beginning of an option, nor --json");
	f = fmemopen(text, sizeof(text), "w");
	if (f) {
		al_options_print_analysis_help(f);
		fclose(f);
	}
	is_str(text,
	       "  sum                     adds\n"
	       "  draw                    draws\n"
	       "    format=svg|png        of the picture\n"
	       "    width=N               [pixels]\n"
	       "    height=1-12           [pixels]\n"
	       "    file=PATH             where\n"
	       "  none                    nothing\n"
	       "    file=PATH             where\n",
	       "the analyses with their options");
}

int main(void)
{
	test_defaults();
	test_all();
	test_adaptive();
	test_good();
	test_cache_file();
	test_bad();
	test_unknown();
	test_analysis_of_other_command();
	test_help();
	return done_testing();
}
