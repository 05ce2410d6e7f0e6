/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_rescue_test.c - what is told of a profile that was recovered
 *
 * Room:    lib.
 */
#include "lib/al_rescue.h"

#include <stdio.h>

#include "lib/al_made.h"
#include "profile/pf_reader.h"
#include "tests/tap.h"

/* What was made, recovered, is told of by @words. */
static void is_told(const char *words, const char *fact)
{
	char out[sizeof(made_path) + 8], want[256], message[AL_MESSAGE] = "";

	snprintf(out, sizeof(out), "%s.saved", made_path);
	snprintf(want, sizeof(want), "'%s' %s", out, words);
	write_profile();
	ok(!al_rescue(made_path, out, message), "it is recovered");
	is_str(message, want, fact);
	unlink(out);
	make();
}

/* Log an object that covers the blocks, run the program, and leave out the
   records of its end. */
static void run_on(const char *path)
{
	char blocks[sizeof(made[LOG].data)], name[32] = "";
	const struct pt_log_map map = {
		.head = {PT_LOG_MAP, sizeof(map) + sizeof(name)},
		.start = 0x1000,
		.size = 0x2000,
	};
	size_t bytes = made[LOG].bytes;

	snprintf(name, sizeof(name), "%s", path);
	memcpy(blocks, made[LOG].data, bytes);
	made[LOG].bytes = 0;
	add(LOG, &map, sizeof(map));
	add(LOG, name, sizeof(name));
	add(LOG, blocks, bytes);
	for (unsigned i = END; i < BLOCKS; i++)
		made[i].left_out = true;
}

/* Whether the recovered profile of a running process has names of its code. */
static bool has_names(const char *path)
{
	char out[sizeof(made_path) + 8], message[AL_MESSAGE] = "";
	struct pf_reader *r;
	const struct pf_entry *e;
	size_t n = 0, names = 0;

	snprintf(out, sizeof(out), "%s.saved", made_path);
	run_on(path);
	write_profile();
	al_rescue(made_path, out, message);
	r = pf_reader_open(out, message);
	for (e = r ? pf_reader_entries(r, &n) : NULL; n > 0; n--, e++)
		names += e->head.kind == PF_NAMES;
	pf_reader_close(r);
	unlink(out);
	make();
	return names == 1;
}

int main(void)
{
	made_begin();
	run_on("/no/such/file");
	is_told("has 5 blocks, all before the end, which is missing; 1 object "
		"file cannot be read: code of it has no names",
		"object files that are gone are counted");
	ok(has_names("/proc/self/exe"),
	   "code of a process that was running gets names");
	is_told("has all 10 blocks", "a whole one has all");
	for (unsigned i = 0; i < DONE; i++)
		made[i].left_out = true;
	is_told("has but an end: nothing was kept of the run",
		"one in which nothing was kept has not 'all 0 blocks'");
	made_end();
	return done_testing();
}
