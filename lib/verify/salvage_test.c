/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * salvage_test.c - tests recovery of profiles that were not completed
 */
#include "lib/verify/verify.h"

#include <stdio.h>

#include "profile/format/reader.h"
#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

/* Recover the profile that was made, and check that the message contains
   @words. */
static void check_message(const char *words, const char *fact)
{
	char out[sizeof(toy_profile_path) + 8], want[256],
		message[AL_MESSAGE] = "";

	snprintf(out, sizeof(out), "%s.saved", toy_profile_path);
	snprintf(want, sizeof(want), "'%s' %s", out, words);
	write_profile();
	ok(!al_salvage_profile(toy_profile_path, out, message),
	   "it is recovered");
	is_str(message, want, fact);
	unlink(out);
	make();
}

/* Make the profile of a process that still runs: log an object file at @path
   that covers the blocks, and leave out the records of the end. */
static void make_running_profile(const char *path)
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
static bool recovers_names(const char *path)
{
	char out[sizeof(toy_profile_path) + 8], message[AL_MESSAGE] = "";
	struct pf_reader *r;
	const struct pf_entry *e;
	size_t n = 0, names = 0;

	snprintf(out, sizeof(out), "%s.saved", toy_profile_path);
	make_running_profile(path);
	write_profile();
	al_salvage_profile(toy_profile_path, out, message);
	r = pf_reader_open(out, message);
	for (e = r ? pf_reader_entries(r, &n) : NULL; n > 0; n--, e++)
		names += e->head.kind == PF_NAMES;
	pf_reader_close(r);
	unlink(out);
	make();
	return names == 1;
}

/* Add the numbers of texts and of objects in a block of names to @sums and
   @counts: index 0 and 1. */
static void add_numbers(const void *payload, size_t bytes, uint64_t sums[2],
			uint64_t counts[2])
{
	struct pf_fact_reader f;
	size_t offset = 0;
	uint64_t number;

	while (pf_records_read_next_fact_or_0_at_end(payload, bytes, &offset,
						     &f) > 0)
		if ((f.kind == PF_TEXT || f.kind == PF_OBJECT) &&
		    pf_fact_read_u64(&f, &number)) {
			sums[f.kind == PF_OBJECT] += number;
			counts[f.kind == PF_OBJECT]++;
		}
}

/* Whether texts and objects of a recovered profile are numbered 0, 1, ... It
   has the names of the parent, and those of the child are added. */
static bool recovers_numbers(void)
{
	char out[sizeof(toy_profile_path) + 8], message[AL_MESSAGE] = "";
	uint64_t sums[2] = {0}, counts[2] = {0};
	struct pf_unpacker *unpacker = pf_unpacker_new();
	struct pf_reader *r;
	const struct pf_entry *e;
	const void *payload;
	size_t n = 0;

	snprintf(out, sizeof(out), "%s.saved", toy_profile_path);
	make_running_profile("/proc/self/exe");
	for (unsigned i = END; i < CHILD_END; i++)
		made[i].left_out = false;
	pf_records_clear(&made[CHILD].records);
	make_image(CHILD, 2, 1);
	numbers(begin(CHILD, PF_FORK), 3, (uint64_t[]){0, 2, made[LOG].bytes});
	write_profile();
	al_salvage_profile(toy_profile_path, out, message);
	r = pf_reader_open(out, message);
	for (e = r ? pf_reader_entries(r, &n) : NULL; n > 0; n--, e++)
		if (e->head.kind == PF_NAMES &&
		    !pf_reader_load_block(r, unpacker, e, &payload))
			add_numbers(payload, e->head.bytes, sums, counts);
	pf_reader_close(r);
	pf_unpacker_free(unpacker);
	unlink(out);
	make();
	printf("# %d texts, %d objects\n", (int)counts[0], (int)counts[1]);
	return counts[0] > 1 && counts[1] == 2 && sums[1] == 1 &&
	       sums[0] == counts[0] * (counts[0] - 1) / 2;
}

int main(void)
{
	toy_profile_begin();
	make_running_profile("/no/such/file");
	check_message(
		"has 5 blocks, all before the end, which is missing; 1 object "
		"file cannot be read: code of it has no names",
		"object files that are gone are counted");
	ok(recovers_names("/proc/self/exe"),
	   "code of a process that was running gets names");
	ok(recovers_numbers(), "beside the names that there are");
	check_message("has all 10 blocks", "a whole one has all");
	for (unsigned i = 0; i < DONE; i++)
		made[i].left_out = true;
	check_message("contains only an end block",
		      "one in which nothing was kept has not 'all 0 blocks'");
	toy_profile_end();
	return done_testing();
}
