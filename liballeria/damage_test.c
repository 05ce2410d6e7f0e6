/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * damage_test.c - a wrong bit in each byte of a profile: the library reports
 * it, or gives the answers of the undamaged one
 */
#include <alleria/alleria.h>
#include <sys/stat.h>

#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

enum { TEXT = 1 << 14 };

/* All answers as text, and whether any call reported damage. */
struct answers {
	char text[TEXT];
	bool reported;
};

static void note(struct answers *a, long result)
{
	a->reported |= result == ALLERIA_E_DAMAGED;
}

static void ask_run(struct alleria_profile *p, FILE *f)
{
	const struct alleria_run *r = alleria_run(p);

	fprintf(f, "run %s %u %llu %llu, status %u %s\n", r->version,
		r->processes, (unsigned long long)r->counts.instructions,
		(unsigned long long)r->counts.reads, alleria_state(p)->status,
		alleria_state(p)->reason);
}

static void ask_process(struct alleria_profile *p, FILE *f, uint32_t i,
			struct answers *out)
{
	const struct alleria_process *a = alleria_process(p, i);
	const struct alleria_thread *t;
	long n = alleria_threads(p, i, &t);

	note(out, n);
	fprintf(f,
		"process %u of %u, pid %u, %s, ended %u %d, %u %s, %ld "
		"threads",
		a->number, a->parent, a->pid, a->command[0], a->ending,
		a->value, a->status, a->reason, n);
	for (long k = 0; k < n; k++)
		fprintf(f, " %u: %llu", t[k].number,
			(unsigned long long)t[k].instructions);
	fputc('\n', f);
}

static void ask_functions(struct alleria_profile *p, FILE *f,
			  struct answers *out)
{
	const struct alleria_function *function;
	long n = alleria_functions(p, &function);

	note(out, n);
	for (long i = 0; i < n; i++)
		fprintf(f, "function %s %s\n", function[i].name,
			function[i].object);
}

static void ask_instructions(struct alleria_profile *p, FILE *f,
			     struct answers *out)
{
	const struct alleria_instruction *i;
	struct alleria_cursor *c;
	long n = alleria_cursor_open(p, ALLERIA_INSTRUCTIONS, NULL, &c);

	while (n >= 0 || n == ALLERIA_E_DAMAGED) {
		n = alleria_next_instruction(c, &i);
		note(out, n);
		if (n == 0)
			break;
		if (n > 0)
			fprintf(f, "%llu %u: %llx %u\n",
				(unsigned long long)i->number, i->thread,
				(unsigned long long)i->address, i->n_accesses);
	}
	alleria_cursor_close(c);
}

/* Open the profile and store the answers to all questions. Return: whether it
   could be opened. */
static bool ask(struct answers *out)
{
	struct alleria_profile *p;
	FILE *f;

	memset(out, 0, sizeof(*out));
	if (alleria_open(toy_profile_path, &p, NULL))
		return false;
	f = fmemopen(out->text, TEXT, "w");
	ask_run(p, f);
	for (uint32_t i = 1; i <= alleria_run(p)->processes; i++)
		ask_process(p, f, i, out);
	ask_functions(p, f, out);
	ask_instructions(p, f, out);
	fclose(f);
	out->reported |= alleria_state(p)->damage == ALLERIA_BROKEN ||
			 alleria_damaged_blocks(p) > 0;
	alleria_close(p);
	return true;
}

static void flip(uint64_t offset, unsigned bit)
{
	FILE *f = fopen(toy_profile_path, "r+e");
	int byte;

	if (!f || fseek(f, (long)offset, SEEK_SET) || (byte = getc(f)) == EOF ||
	    fseek(f, (long)offset, SEEK_SET) ||
	    putc(byte ^ (int)(1u << bit), f) == EOF || fclose(f))
		abort();
}

static void test_each_byte(void)
{
	static struct answers right, got;
	unsigned silent = 0, reported = 0, n = 0;
	struct stat st;

	if (!ask(&right) || stat(toy_profile_path, &st))
		abort();
	ok(!right.reported && strlen(right.text) > 200,
	   "of a whole profile nothing is reported");
	for (uint64_t offset = 0; offset < (uint64_t)st.st_size; offset++) {
		flip(offset, (unsigned)(offset * 5 % 8));
		n++;
		if (!ask(&got) || got.reported)
			reported++;
		else if (strcmp(got.text, right.text) && silent++ < 5)
			printf("# byte %llu\n", (unsigned long long)offset);
		flip(offset, (unsigned)(offset * 5 % 8));
	}
	is_u64(silent, 0, "a wrong bit is reported, or all answers are right");
	ok(reported > n / 10 && reported < n, "some are reported, not all");
}

/* ---- blocks of facts ---- */

/* Whether opening the profile in its present state counts a damaged block,
   although all checksums are right. */
static bool is_refused(void)
{
	struct alleria_profile *p;
	bool refused;

	write_profile();
	if (alleria_open(toy_profile_path, &p, NULL))
		return false;
	refused = alleria_state(p)->damage == ALLERIA_BROKEN &&
		  alleria_damaged_blocks(p) == 1;
	alleria_close(p);
	make();
	return refused;
}

static void test_malformed(void)
{
	ok(!is_refused(), "well-formed records are accepted");
	pf_records_append_u64_to_fact(begin(CHILD, PF_FORK), 0);
	ok(is_refused(), "a fork without its numbers is damage");
	pf_records_append_raw_to_fact(begin(IMAGE, PF_DIRECTORY), "/", 1);
	ok(is_refused(), "so is a string without an end, of an image");
	pf_records_append_raw_to_fact(begin(RUN, PF_VERSION), "2", 1);
	ok(is_refused(), "of the run");
	pf_records_append_raw_to_fact(begin(END, PF_CUT_SHORT), "why", 3);
	ok(is_refused(), "of an image's end");
	pf_records_append_string_to_fact(begin(DONE, PF_STATUS), "complete");
	ok(is_refused(), "and a status without its reason");
	pf_records_append_raw_to_fact(begin(DONE, PF_SEEN), "1234", 4);
	ok(is_refused(), "or an end that was seen, cut short");
}

/* Check that a cursor returns all intact records, then reports the lost image
   once. */
static void test_lost_image(void)
{
	const struct alleria_access *a;
	struct alleria_profile *p;
	struct alleria_cursor *c;
	unsigned n = 0, damaged = 0;
	int got = 1;

	made[CHILD].left_out = true;
	write_profile();
	if (alleria_open(toy_profile_path, &p, NULL) ||
	    alleria_cursor_open(p, ALLERIA_ACCESSES, NULL, &c))
		abort();
	while (got > 0 || got == ALLERIA_E_DAMAGED) {
		got = alleria_next_access(c, &a);
		n += got > 0;
		damaged += got == ALLERIA_E_DAMAGED;
		if (got < 0)
			is_str(alleria_cursor_error(c),
			       "stream 1 has no beginning, and is left out",
			       "a lost image is reported");
	}
	ok(n == 6 && damaged == 1 && got == 0,
	   "once, behind all that is there");
	ok(!alleria_seek_access(c, 5) && alleria_next_access(c, &a) == 1 &&
		   alleria_next_access(c, &a) == ALLERIA_E_DAMAGED,
	   "and again when the end is reached again");
	alleria_cursor_close(c);
	alleria_close(p);
	make();
}

/* Check that a cursor reports broken descriptors once for all chunks. */
static void test_broken_descriptors(void)
{
	const struct alleria_access *a;
	struct alleria_profile *p;
	struct alleria_cursor *c;

	log_desc(0)->block.id = 2;
	write_profile();
	if (alleria_open(toy_profile_path, &p, NULL) ||
	    alleria_cursor_open(p, ALLERIA_ACCESSES, NULL, &c))
		abort();
	ok(alleria_next_access(c, &a) == ALLERIA_E_DAMAGED &&
		   strstr(alleria_cursor_error(c),
			  "part 0 and all later parts cannot be decoded: "
			  "descriptors of code are broken or missing"),
	   "a broken log makes all parts undecodable");
	alleria_cursor_close(c);
	alleria_close(p);
	make();
}

static void add_fields(void)
{
	for (unsigned i = 0; i < BLOCKS; i++)
		if (made[i].head.kind == PF_IMAGE)
			pf_records_append_u64_to_fact(
				begin(i, PF_FIELDS),
				ALLERIA_HAS_ACCESSES | ALLERIA_HAS_ADDRESSES);
}

int main(void)
{
	toy_profile_begin();
	test_malformed();
	add_fields();
	test_lost_image();
	add_fields();
	test_broken_descriptors();
	add_fields();
	write_profile();
	test_each_byte();
	toy_profile_end();
	return done_testing();
}
