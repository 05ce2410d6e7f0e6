/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording_test.c - tests profiles of several programs, one of which changes
 * its ring
 */
#include <errno.h>
#include <malloc.h>
#include <unistd.h>

#include "base/text/message.h"
#include "lib/pipeline/stream_state.h"
#include "lib/record/recording.h"
#include "lib/record/recording_state.h"
#include "lib/recover/page_index.h"
#include "lib/recover/recovered_chunk.h"
#include "lib/report/report.h"
#include "lib/run/profile_files.h"
#include "profile/codec/codec.h"
#include "profile/format/reader.h"
#include "tests/fixtures/toy_run.h"
#include "tests/tap.h"

static char path[] = "/tmp/alleria-recording.XXXXXX";

static void start_recording(void)
{
	char message[AL_MESSAGE];

	unlink(path);
	settings.profile = path;
	start_run();
	ok(al_run_begin_shared_profile_if_set(run, message) == 0,
	   "a profile is begun");
}

static int recording_error(const struct al_stream *s)
{
	return al_recording_error(al_stream_writer_recording(
		al_stream_profile_writer_or_null(s)));
}

static struct al_stream *start_program(pid_t pid, struct al_process **p)
{
	*p = al_run_add_process(run, pid, NULL);
	return start_image(*p, "prog");
}

static void end_program(struct al_process *p, struct al_stream *s)
{
	al_stream_finish_counts_and_analyses(s);
	al_process_end_image(p, s);
	al_process_free_stream(p, s);
	al_process_set_ending(p, AL_EXITED, 0);
}

/* ---- the units of a stream, read back ---- */

static size_t decode_units(struct pf_reader *reader,
			   struct pf_unpacker *unpacker,
			   const struct pf_entry *e, void *out)
{
	struct pf_coder *coder = pf_coder_new();
	const void *code;
	int err = pf_reader_load_block(reader, unpacker, e, &code);

	if (!err)
		err = pf_decode_chunk(coder, code, e->head.bytes, out,
				      e->head.words);
	pf_coder_free(coder);
	return err ? 0 : e->head.words;
}

/* Read the units of @stream in the profile into @out. Return: [bytes]. */
static size_t read_units(uint32_t stream, char *out)
{
	char message[AL_MESSAGE];
	struct pf_reader *reader = pf_reader_open(path, message);
	struct pf_unpacker *unpacker = pf_unpacker_new();
	const struct pf_entry *e;
	size_t n, bytes = 0;

	e = pf_reader_entries(reader, &n);
	for (size_t i = 0; i < n; i++)
		if (e[i].head.kind == PF_UNITS && e[i].head.stream == stream)
			bytes += decode_units(reader, unpacker, &e[i],
					      out + bytes);
	pf_unpacker_free(unpacker);
	pf_reader_close(reader);
	return bytes;
}

/* ---- a chunk that changes after it was checked ---- */

/* Feed a chunk and change the first header after those of the start to @header
   once the chunk was recovered. */
static void feed_and_change(struct al_stream *s, uint32_t header)
{
	enum { FIRST = 2 * 16 }; /* PT_CHUNK and PT_THREAD_START come before */
	struct al_job job;

	chunk[1] = used;
	al_stream_begin_chunk(s, chunk, CHUNK, 0);
	while (al_stream_choose_job_for_worker(s, &job, 1)) {
		al_stream_run_and_time_job(s, &job);
		if (job.stage == AL_RECOVER)
			memcpy((char *)chunk + FIRST, &header, sizeof(header));
		al_stream_finish_job_return_chunk_ended(s, &job);
	}
}

/* Check a program that changes a header to @header, and another program
   recorded with it. */
static void test_change(uint32_t header, const char *fact)
{
	static char want[CHUNK], got[2 * CHUNK];
	struct al_process *hostile, *victim;
	struct al_stream *h, *v;
	size_t bytes;

	start_recording();
	h = start_program(100, &hostile);
	for (unsigned i = 0; i < 100; i++)
		execute(0x7000 + i * 8);
	bytes = used - PT_CHUNK_HEAD;
	memcpy(want, (char *)chunk + PT_CHUNK_HEAD, bytes);
	feed_and_change(h, header);
	is_u64((uint64_t)-recording_error(h), 0, fact);
	end_program(hostile, h);
	v = start_program(200, &victim);
	execute(0x9000);
	chunk[1] = used;
	al_stream_process_chunk_in_this_thread(v, chunk, CHUNK, 0);
	end_program(victim, v);
	al_run_end_profiles_and_write_queues(run);
	is_u64(read_units(0, got), bytes, "its profile has all that it did");
	ok(memcmp(got, want, bytes) == 0, "as it was checked and counted");
	is_u64(read_units(1, got), 16 + 12, "so has that of the other program");
}

/* ---- a chunk that cannot be coded ---- */

/* Return a chunk of the units between the chunk's head and @used, without
   recovering it. */
static struct al_recovered_chunk make_unchecked_chunk(void)
{
	return (struct al_recovered_chunk){
		.base = (const uint32_t *)chunk,
		.bytes = CHUNK,
		.recovered_bytes = used,
	};
}

static int store_chunk(struct al_stream *s, struct al_page_index *touch)
{
	struct al_stream_writer *t = al_stream_profile_writer_or_null(s);
	struct al_recovered_chunk p = make_unchecked_chunk();
	struct pf_block *packing;
	int err = al_stream_writer_pack_chunk(t, touch, &p, &packing);

	al_stream_writer_queue_block_of_chunk(t, &p, packing);
	return err;
}

static void test_no_units(void)
{
	static char got[2 * CHUNK];
	const uint32_t none = 0;
	struct al_process *bad, *good;
	struct al_stream *b, *g;
	struct al_page_index *touch;

	start_recording();
	b = start_program(100, &bad);
	g = start_program(200, &good);
	touch = al_page_index_new(&b->recovery);
	start_chunk();
	execute(0x7000);
	ok(store_chunk(b, touch) == 0, "a chunk is kept");
	put(&none, sizeof(none));
	is_u64((uint64_t)-store_chunk(b, touch), EPROTO,
	       "one that is no units is refused");
	is_u64((uint64_t)-recording_error(b), 0, "which ends no recording");
	start_chunk();
	execute(0x7000);
	ok(store_chunk(b, touch) == 0, "nor packing");
	ok(store_chunk(g, touch) == 0, "and others are kept");
	al_page_index_free(touch);
	end_program(bad, b);
	end_program(good, g);
	al_run_end_profiles_and_write_queues(run);
	is_u64(read_units(0, got), 12, "a stream has no gaps");
	is_u64(read_units(1, got), 12, "what others did is there");
}

/* ---- names ---- */

/* Begin a program with an object mapped at @address, where its symbols are, and
   @n blocks STEP bytes apart. */
enum { STEP = 64 };

static struct al_stream *start_named(pid_t pid, uint64_t address, unsigned n,
				     struct al_process **p)
{
	static const char file[16] = "/named/program";
	struct {
		struct pt_log_map map;
		char path[sizeof(file)];
	} mapped = {
		.map = {.head = {PT_LOG_MAP, sizeof(mapped)},
			.start = address,
			.size = (uint64_t)n * STEP},
	};
	const char *argv[] = {"named", NULL};
	struct al_image image = {.argv = argv, .valgrind = "3.19.0"};
	struct block_record r = block;
	struct al_stream *s;

	*p = al_run_add_process(run, pid, NULL);
	s = al_process_add_and_record_image(*p, &image, NULL);
	memcpy(mapped.path, file, sizeof(file));
	al_stream_parse_and_store_log(s, &mapped, sizeof(mapped));
	for (unsigned i = 0; i < n; i++) {
		r.block.id = r.block.route = i;
		r.instr[0].addr = address + (uint64_t)i * STEP;
		r.instr[1].addr = address + (uint64_t)i * STEP + 4;
		al_stream_parse_and_store_log(s, &r, sizeof(r));
	}
	return s;
}

static void execute_named(struct al_process *p, struct al_stream *s, unsigned n)
{
	const uint64_t address = 0x7000;

	start_chunk();
	for (unsigned i = 0; i < n; i++) {
		uint32_t header =
			pt_encode_block_unit_header(i, pt_block_unit_bytes(1));

		put(&header, sizeof(header));
		put(&address, sizeof(address));
	}
	chunk[1] = used;
	al_stream_process_chunk_in_this_thread(s, chunk, CHUNK, 0);
	end_program(p, s);
}

/* Counts of the names in a profile. */
struct names {
	size_t blocks;
	size_t largest; /* [bytes] of the largest block of names, unpacked */
	size_t longest; /* [bytes] of the longest text */
	size_t texts;
	size_t code;
};

static void count_names(const char *payload, size_t bytes, struct names *to)
{
	struct pf_fact_reader fact;
	const char *name;
	uint64_t number;

	for (size_t offset = 0; pf_records_read_next_fact_or_0_at_end(
					payload, bytes, &offset, &fact) > 0;) {
		if (fact.kind == PF_CODE)
			to->code += (size_t)(fact.end - fact.pos) /
				    sizeof(struct pf_code_name);
		if (fact.kind != PF_TEXT || !pf_fact_read_u64(&fact, &number) ||
		    !pf_fact_read_string(&fact, &name))
			continue;
		to->texts++;
		if (strlen(name) > to->longest)
			to->longest = strlen(name);
	}
}

static struct names read_names(void)
{
	char message[AL_MESSAGE];
	struct pf_reader *reader = pf_reader_open(path, message);
	struct pf_unpacker *unpacker = pf_unpacker_new();
	const struct pf_entry *e;
	struct names names = {0};
	const void *payload;
	size_t n;

	e = pf_reader_entries(reader, &n);
	for (size_t i = 0; i < n; i++) {
		if (e[i].head.kind != PF_NAMES ||
		    pf_reader_load_block(reader, unpacker, &e[i], &payload) !=
			    0)
			continue;
		names.blocks++;
		if (e[i].head.bytes > names.largest)
			names.largest = e[i].head.bytes;
		count_names(payload, e[i].head.bytes, &names);
	}
	pf_unpacker_free(unpacker);
	pf_reader_close(reader);
	return names;
}

/* Give each of the 2 * @n instructions of a program at @address a name of its
   own, @bytes long. */
static void add_names(uint64_t address, unsigned n, size_t bytes)
{
	const char *object =
		al_symbols_intern_or_question_marks(symbols, "/named/program");
	const char *file = al_symbols_intern_or_question_marks(
		symbols, "/named/program.cc");
	char *function = malloc(bytes + 1);

	memset(function, 'x', bytes);
	function[bytes] = '\0';
	for (unsigned i = 0; i < 2 * n; i++) {
		struct al_cached_name name = {
			.value = address + (uint64_t)(i / 2) * STEP + i % 2 * 4,
			.file = file,
			.line = 1,
		};

		snprintf(function, bytes, "f%u", i);
		function[strlen(function)] = 'x';
		name.function =
			al_symbols_intern_or_question_marks(symbols, function);
		al_symbols_add_name_stored_in_profile(symbols, object, &name);
	}
	free(function);
}

static void test_long_names(void)
{
	enum { N = 700, LONG = 60000 };
	struct al_process *p;
	struct al_stream *s;
	struct names names;

	add_names(0x10000, N, LONG);
	start_recording();
	s = start_named(100, 0x10000, N, &p);
	execute_named(p, s, N);
	al_run_end_profiles_and_write_queues(run);
	names = read_names();
	is_u64(names.code, 2 * N, "code with long names is named");
	is_u64(names.texts, 2 * N + 1, "by all of them");
	ok(names.longest > 10000 && names.longest < LONG, "each cut");
	ok(names.largest < PF_MAX_BYTES, "in blocks that can be read");
	ok(names.blocks > 1, "of which there are several");
}

/* Return the size of allocated memory. [bytes] */
static size_t allocated_bytes(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

/* Check two programs of one file, whose code is at @address. */
static void test_high_names(uint64_t address, const char *fact)
{
	enum { N = 10 };
	struct al_process *p;
	struct al_stream *s;
	size_t before;

	add_names(address, N, 20);
	start_recording();
	s = start_named(100, address, N, &p);
	before = allocated_bytes();
	execute_named(p, s, N);
	ok(allocated_bytes() < before + (32 << 20), fact);
	s = start_named(200, address, N, &p);
	execute_named(p, s, N);
	al_run_end_profiles_and_write_queues(run);
	is_u64(read_names().code, 2 * N, "each of its instructions once");
	is_u64(read_names().texts, 2 * N + 1, "with the names that it has");
}

/* ---- short memory ---- */

__typeof__(calloc) __real_calloc, __wrap_calloc;

static size_t refused; /* size of an allocation that fails; 0: none fails */

void *__wrap_calloc(size_t n, size_t bytes)
{
	return n * bytes == refused ? NULL : __real_calloc(n, bytes);
}

static const char *report_unwritten_output(void)
{
	FILE *f;

	free(text);
	f = open_memstream(&text, &size);
	al_report_print_unwritten_outputs(run, "test", f);
	fclose(f);
	return text;
}

static enum al_status get_run_status(void)
{
	const char *why;

	return al_run_status(run, &why);
}

static void test_no_track(void)
{
	struct al_process *p;
	struct al_stream *s;

	start_recording();
	refused = sizeof(struct al_stream_writer);
	s = start_program(100, &p);
	refused = 0;
	ok(al_stream_profile_writer_or_null(s) == NULL,
	   "memory is short for a stream's track");
	end_program(p, s);
	al_run_end_profiles_and_write_queues(run);
	ok(says(report_unwritten_output(), strerror(ENOMEM)),
	   "so the profile is not whole");
	is_u64(get_run_status(), AL_TRUNCATED, "nor is the run");
}

/* Check a profile for each process, one of which cannot begin. */
static void test_no_profile(void)
{
	static const char each[] = "/tmp/alleria-recording-none-%p";
	const char *argv[] = {"prog", NULL};
	const struct al_image image = {.argv = argv};
	struct al_process *p;
	struct al_stream *s;

	settings.profile = NULL;
	start_run();
	s = start_program(100, &p);
	settings.profile = each;
	refused = sizeof(struct al_profile_file);
	al_process_begin_image_in_profile(p, &image, NULL, s);
	refused = 0;
	end_program(p, s);
	al_run_end_profiles_and_write_queues(run);
	ok(says(report_unwritten_output(), strerror(ENOMEM)),
	   "a profile cannot begin");
	is_u64(get_run_status(), AL_TRUNCATED, "nor is the run whole");
	settings.profile = path;
}

int main(void)
{
	int fd = mkstemp(path);

	close(fd);
	start_test();
	test_change(0, "a header that becomes 0 does not end the profile");
	test_change(pt_encode_control_unit_header(PT_MARK, 1000),
		    "nor one that becomes too long");
	test_change(pt_encode_block_unit_header(77, pt_block_unit_bytes(1)),
		    "nor one of a block that is unknown");
	test_no_units();
	test_long_names();
	test_high_names(0x78000000, "code linked at 2 GB takes little memory");
	test_high_names(0x7800000000, "so does code linked at 480 GB");
	test_no_track();
	test_no_profile();
	end_test();
	unlink(path);
	return done_testing();
}
