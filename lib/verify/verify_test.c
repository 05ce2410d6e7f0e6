/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify_test.c - tests every rule for profiles with a profile that breaks this
 * rule only
 */
#include "lib/verify/verify.h"

#include <fcntl.h>

#include "lib/config/window/plan/plan.h"
#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

static char *text;

static int verify(void)
{
	char message[AL_MESSAGE] = "";
	size_t size;
	FILE *out;
	int faults;

	free(text);
	out = open_memstream(&text, &size);
	faults = al_verify_print_and_count_faults(toy_profile_path, out,
						  message);
	fclose(out);
	return faults;
}

/* Verify the profile that was made. It has one fault, whose message contains
   @words. */
static void check_fault(const char *words, const char *fact)
{
	write_profile();
	if (!ok(verify() == 1 && strstr(text, words), fact))
		printf("# want '%s', got:\n# %s\n", words, text);
	make();
}

/* Verify the profile that was made. It has no fault. */
static void check_no_fault(const char *fact)
{
	write_profile();
	if (!ok(verify() == 0 && !*text, fact))
		printf("# %s\n", text);
	make();
}

/* ---- what may be broken ---- */

static void test_streams(void)
{
	made[RUN].head.kind = PF_KINDS;
	check_fault("block 0 at byte 0: the first block is not that of the run",
		    "the run comes first");
	made[NAMES].head.kind = PF_RUN;
	check_fault("a second run begins", "and only once");
	made[CHILD].head.stream = 7;
	made[CHILD_UNITS].left_out = made[CHILD_END].left_out = true;
	check_fault("expected stream 1, found 7", "streams are in order");
	pf_records_clear(&made[CHILD].records);
	make_image(CHILD, 0, 1);
	numbers(begin(CHILD, PF_FORK), 3,
		(uint64_t[]){0, 2, 2 * sizeof(struct desc)});
	check_fault("it has no process, or no command",
		    "a stream is of a process");
	made[CHILD_END].left_out = true;
	check_fault("stream 1 does not end", "a stream ends");
	made[CHILD_UNITS].head.stream = 0;
	check_fault("its stream has ended", "and nothing of it follows");
	made[CHILD_UNITS].head.stream = 2;
	check_fault("its stream has not begun",
		    "nothing precedes its beginning");
	numbers(begin(CHILD, PF_FORK), 3,
		(uint64_t[]){0, 3, 2 * sizeof(struct desc)});
	check_fault("its parent stream, or code inherited from it, is missing",
		    "a fork has no more than its parent");
	numbers(begin(END, PF_ENDING), 2, (uint64_t[]){4, 0});
	check_fault("its kind of process end, 4, is unknown",
		    "endings are known ones");
}

/* Check a profile with a window for thread 2 alone: its blocks need not follow
   each other. */
static void test_windows(void)
{
	struct al_windows *w =
		good("windows: [profile: [threads: [thread: 2]]]");
	struct pf_window of = {0, {2, 1, 0, 0}};
	size_t bytes;
	void *plan;

	if (al_plan_make(w, 1, &plan, &bytes))
		abort();
	for (int i = 0; i < 4; i++) {
		made[UNITS].head.counts = made[MORE].head.before =
			(struct pf_counts){0};
		made[MORE].head.counts = of.counts;
		log_desc(0)->exit.target = 0x3000;
		pf_records_append_raw_to_fact(begin(IMAGE, PF_PLAN), plan,
					      bytes - (i == 2));
		of.openings = i % 2;
		pf_records_append_raw_to_fact(begin(END, PF_WINDOWS), &of,
					      sizeof(of));
		if (i == 3)
			pf_records_append_raw_to_fact(&made[END].records, &of,
						      sizeof(of));
		if (i == 0)
			check_no_fault("of a run with windows there is a part");
		else if (i == 1)
			check_fault("its end and its units have different "
				    "counts of window 1",
				    "what its end says of them is checked");
		else if (i == 2)
			check_fault("its recording plan is invalid",
				    "and its plan");
		else
			check_fault("its end has 2 windows, its plan 1",
				    "and how many its end has");
	}
	free(plan);
	al_windows_free(w);
}

static void test_log(void)
{
	made[LOG].head.position = 8;
	check_fault("expected log byte 0, found 8", "a log has no gap");
	log_desc(1)->block.id = 2;
	check_fault("descriptors contradict each other", "ids count up");
	log_desc(1)->access.size = 0;
	check_fault("descriptors contradict each other",
		    "an access has a size");
	log_desc(1)->access.slot = 1;
	check_fault("descriptors contradict each other",
		    "an address is in a slot of its unit");
}

static void test_units(void)
{
	execute(UNITS, 2);
	check_fault("the unit 52 bytes into the chunk does not match a "
		    "known block",
		    "a unit is of a block that was described");
	log_desc(0)->exit.bytes = 20;
	check_fault("bytes into the chunk does not match a known block",
		    "a unit is as long as its exit says");
	made[MORE].head.position = 2;
	check_fault("expected chunk 1, found 2", "chunks have no gap");
	made[UNITS].head.kind = PF_KINDS;
	check_fault("expected chunk 0, found 1", "nor does one lack");
	made[MORE].head.counts.reads++;
	check_fault("its head counts 6 instructions, 4 reads",
		    "heads say what units amount to");
	made[MORE].head.before.instructions++;
	check_fault("its head has wrong totals of the chunks before it",
		    "and what those before do");
	made[MORE].head.touched.data[0].first++;
	check_fault("its units access pages that its head does not list",
		    "heads say which memory is touched");
	made[MORE].head.touched.code[0].pages--;
	check_fault("its units access pages that its head does not list",
		    "and where the code lies");
	made[MORE].head.touched.data[1] = (struct pf_extent){8, 1};
	check_fault("the page ranges in its head are unsorted, "
		    "overlapping or adjacent",
		    "there is a page between any two extents");
	made[MORE].head.touched.code[3] = (struct pf_extent){8, 1};
	check_fault("the page ranges in its head are unsorted, "
		    "overlapping or adjacent",
		    "and none is left out");
	made[MORE].head.marks--;
	check_fault("its head and its units differ in their threads or "
		    "number of marks",
		    "marks are counted");
	made[MORE].head.thread = 2;
	check_fault("its head and its units differ in their threads or "
		    "number of marks",
		    "heads say who runs first");
	made[MORE].head.threads |= 4;
	check_fault("its head and its units differ in their threads or "
		    "number of marks",
		    "and who else");
}

static void test_cut(void)
{
	const uint32_t header = pt_encode_control_unit_header(PT_CUT, 24),
		       block = 0;
	const uint64_t slot = 0x7000,
		       how = pt_encode_block_cut_position(1, 2, false);

	add(MORE, &header, sizeof(header));
	add(MORE, &slot, sizeof(slot));
	add(MORE, &block, sizeof(block));
	add(MORE, &how, sizeof(how));
	made[MORE].head.counts.instructions += 2;
	made[MORE].head.counts.reads++;
	made[MORE].head.marks++;
	execute(MORE, 1);
	check_no_fault(
		"a block that a fault has stopped counts as far as it came");
}

static void test_flow(void)
{
	execute(MORE, 1);
	check_fault("execution continues at 0x2000 instead of 0x1000",
		    "execution goes where exits lead");
	log_desc(0)->exit.target = 0x3000;
	check_no_fault(
		"but where no block begins, and Valgrind leads elsewhere");
	log_desc(1)->exit.jump = PT_JUMP_RET;
	execute(MORE, 1);
	check_no_fault("or where an exit does not know");

	mark(MORE, PT_THREAD_START, 4);
	check_fault("expected thread 3 to start, found 4",
		    "threads are numbered");
	mark(MORE, PT_THREAD, 3);
	check_fault("thread 3 runs, but is not alive",
		    "a thread starts before it runs");
	mark(MORE, PT_THREAD, 2);
	check_fault("thread 2 runs, but is not alive",
		    "and runs before it ends");
	mark(MORE, PT_THREAD_END, 2);
	check_fault("thread 2 ends, but is not alive", "and ends once");
	mark(MORE, PT_THREAD_END, 1);
	execute(MORE, 0);
	check_fault("code is executed by thread 1, which is not alive",
		    "who has ended executes nothing");
}

/* Log the mapping of an object file, block 0 inside it and block 1 outside, the
   end of the mapping, and block 2. The exits have no targets. */
static void log_mapped_objects(void)
{
	struct {
		struct pt_log_map map;
		char path[8];
	} object = {.map = {.head = {PT_LOG_MAP, sizeof(object)},
			    .start = 0x1000,
			    .size = 0x100},
		    .path = "/a"};
	const struct pt_log_unmap gone = {.head = {PT_LOG_UNMAP, sizeof(gone)},
					  .start = 0x1000,
					  .size = 0x100};
	struct desc d[] = {desc(0, 0x1000, 0), desc(1, 0x2000, 0),
			   desc(2, 0x3000, 0)};

	made[LOG].bytes = 0;
	add(LOG, &object, sizeof(object));
	add(LOG, d, 2 * sizeof(*d));
	add(LOG, &gone, sizeof(gone));
	add(LOG, d + 2, sizeof(*d));
	made[MORE].head.touched.code[0].pages = 3;
}

static void test_objects(void)
{
	log_mapped_objects();
	execute(MORE, 0);
	execute(MORE, 2);
	execute(MORE, 1);
	check_no_fault(
		"code of an object is executed while the object is there");
	log_mapped_objects();
	execute(MORE, 2);
	execute(MORE, 0);
	check_fault("code at 0x1000 is executed after its object was "
		    "unmapped",
		    "and not behind code that was met when it was gone");
}

static void test_rest(void)
{
	made[MORE].head.begin_ns = 41;
	check_fault("it ends before it begins",
		    "a block begins before it ends");
	made[MORE].head.begin_ns = made[MORE].head.end_ns = 20;
	check_fault("its end time is before that of the preceding block "
		    "of its stream",
		    "times never go back");

	pf_records_append_raw_to_fact(begin(NAMES, PF_CODE),
				      &(struct pf_code_name){.function = 1},
				      sizeof(struct pf_code_name));
	check_fault("it refers to an undefined name",
		    "names are of texts that were told");
	pf_records_append_raw_to_fact(begin(NAMES, PF_CODE),
				      &(struct pf_code_name){.object = 1},
				      sizeof(struct pf_code_name));
	check_fault("it refers to an undefined name",
		    "and of objects that were");
	pf_records_append_u64_to_fact(begin(NAMES, PF_TEXT), 2);
	check_fault("a name record is invalid", "a text has a string");
	pf_records_append_u64_to_fact(begin(NAMES, PF_TEXT), 2);
	pf_records_append_string_to_fact(&made[NAMES].records, "f");
	check_fault("a name has a wrong number", "texts are numbered");

	say("fine");
	check_fault("the end has no valid status",
		    "the end says how the run was kept");
	pf_records_append_string_to_fact(begin(END, PF_CUT_SHORT), "killed");
	check_fault("the stated status is complete, but a process is truncated",
		    "a profile is not better than its processes");
	pf_records_append_u64_to_fact(begin(END, PF_LOST), 7);
	pf_records_append_string_to_fact(&made[END].records, "7 lost");
	check_fault("the stated status is complete, but a process is lossy",
		    "nor when accesses were lost");
}

/* ---- the file ---- */

static void change_byte(off_t offset)
{
	int fd = open(toy_profile_path, O_RDWR | O_CLOEXEC);
	char byte;

	if (fd < 0 || pread(fd, &byte, 1, offset) != 1)
		abort();
	byte ^= 1;
	if (pwrite(fd, &byte, 1, offset) != 1 || close(fd) < 0)
		abort();
}

static void test_file(void)
{
	const off_t payload = sizeof(struct pf_head) + 4;

	write_profile();
	change_byte(payload);
	ok(verify() == 1 && strstr(text, "block 0 at byte 0: it is damaged"),
	   "payloads have their checksums");
	write_profile();
	if (truncate(toy_profile_path, 2000) < 0)
		abort();
	ok(verify() >= 2 &&
		   strstr(text, "the end is missing: run 'alleria recover'") &&
		   !strstr(text, "block"),
	   "a profile has an end");
	made[NAMES].head.kind = PF_DONE;
	check_fault("blocks follow the end", "and nothing behind it");
	for (unsigned i = 0; i < 20; i++)
		mark(MORE, PT_KINDS + i, 0);
	made[IMAGE].left_out = made[LOG].left_out = true;
	write_profile();
	ok(verify() > 4, "one fault may follow from another");
	make();
}

/* Leave out blocks, and set the run's status to @status. */
static void leave_out_blocks_with_status(const char *status)
{
	say(status);
	made[UNITS].left_out = true;
	made[NAMES].left_out = true;
	made[CHILD_END].left_out = true;
}

static void test_excused(void)
{
	leave_out_blocks_with_status("complete");
	write_profile();
	ok(verify() > 1, "blocks are missed in a complete profile");
	leave_out_blocks_with_status("lossy");
	check_no_fault("but not in one that says that it is lossy");
	leave_out_blocks_with_status("truncated");
	check_no_fault("or truncated");
	say("lossy");
	made[IMAGE].left_out = true;
	check_no_fault("nor what they were about");
	say("lossy");
	made[LOG].left_out = true;
	check_no_fault("or needed");
	say("lossy");
	made[MORE].head.counts.reads++;
	check_fault("its head counts", "what is there is checked");
}

int main(void)
{
	toy_profile_begin();
	check_no_fault("a profile made by hand has no fault");
	test_streams();
	test_windows();
	test_log();
	test_units();
	test_cut();
	test_flow();
	test_objects();
	test_rest();
	test_file();
	test_excused();
	free(text);
	toy_profile_end();
	return done_testing();
}
