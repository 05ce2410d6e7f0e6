/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_test.c - the producer of a ring, and the daemon's side by hand
 *
 * The functions of Valgrind's core and of the tool that ring.c calls are
 * defined here.
 */
#include "vgtool/transport/ring.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_vki.h>
#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/tap.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/staging.h"

enum {
	CHUNK = PT_MIN_CHUNK,
	LOG = 2 * PT_MAX_RECORD,
	PLACES = 4,
	BYTES = 2 * PT_PAGE + LOG + (1 + PLACES) * CHUNK,
	RECORD = 1000, /* [bytes] that do not divide the log */
};

/* ---- the core ---- */

static jmp_buf failed; /* where a failed assertion goes */

void VG_(assert_fail)(Bool is_core, const HChar *expr, const HChar *file,
		      Int line, const HChar *fn, const HChar *format, ...)
{
	(void)is_core;
	(void)expr;
	(void)file;
	(void)line;
	(void)fn;
	(void)format;
	longjmp(failed, 1);
}

void *VG_(memcpy)(void *to, const void *from, SizeT bytes)
{
	return memcpy(to, from, bytes);
}

SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd,
					       Off64T offset)
{
	void *p = mmap(NULL, length, (int)prot, MAP_SHARED, fd, offset);
	SysRes r = {._val = (UWord)p, ._isError = p == MAP_FAILED};

	return r;
}

SysRes VG_(am_munmap_valgrind)(Addr start, SizeT length)
{
	SysRes r = {._isError = munmap((void *)start, length) != 0};

	return r;
}

/* ---- the tool ---- */

static Bool stages; /* the next chunk is staged */

void vt_staging_resume_trial_timer(void)
{
}

void vt_staging_pause_trial_timer(void)
{
}

void vt_staging_add_chunk_cost_to_trial(ULong bytes, Bool staged)
{
	(void)bytes;
	(void)staged;
}

Bool vt_staging_is_chosen_for_next_chunk(void)
{
	return stages;
}

ULong vt_clock_monotonic_now_ns(void)
{
	static ULong now;

	return now += 10;
}

/* ---- the daemon ---- */

static struct pt_daemon_page *daemon_page; /* also the start of the memory */
static UInt n_messages[PT_MSG_BYE + 20];
static ULong asked; /* value of the last PT_MSG_WAIT */
static Bool reads;  /* a tool that waits gets room */
static Bool lives;  /* else the connection ends when the tool waits */

static const struct pt_tool_page *tool_page(void)
{
	return (const void *)((const UChar *)daemon_page + PT_PAGE);
}

static const UChar *log_start(void)
{
	return (const UChar *)daemon_page + 2 * PT_PAGE;
}

static const ULong *place(UInt i)
{
	return (const ULong *)(log_start() + LOG + (1 + i) * CHUNK);
}

void vt_connection_send_await_or_drop_if_full(enum pt_message_type type,
					      ULong value)
{
	n_messages[type]++;
	if (type == PT_MSG_WAIT)
		asked = value;
}

Bool vt_connection_execute_msg_is_connected(UInt timeout_ms)
{
	(void)timeout_ms;
	if (!lives) {
		vt_ring_detach_to_sink();
		return False;
	}
	if (reads) {
		daemon_page->log_tail.value = tool_page()->log_head.value;
		daemon_page->released.value = tool_page()->published.value;
	}
	return True;
}

/* Make memory with a ring of PLACES. Return: its descriptor. */
static Int make_memory(void)
{
	Int fd = (Int)syscall(SYS_memfd_create, "ring", 0);

	if (fd < 0 || ftruncate(fd, BYTES) != 0)
		return -1;
	daemon_page =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	*daemon_page = (struct pt_daemon_page){
		.chunk_bytes = CHUNK,
		.n_chunks = PLACES,
		.log_bytes = LOG,
	};
	memset(n_messages, 0, sizeof(n_messages));
	reads = lives = True;
	return fd;
}

static void attach(void)
{
	Int fd = make_memory();

	vt_ring_switch_to_sink_page();
	ok(!vt_ring_is_attached() && vt_ring_try_attach(fd, BYTES) &&
		   vt_ring_is_attached(),
	   "a ring is attached");
	close(fd);
}

static void leave(void)
{
	vt_ring_switch_to_sink_page();
	munmap(daemon_page, BYTES);
}

static void test_shapes(void)
{
	Int fd = make_memory();
	struct pt_daemon_page good = *daemon_page;
	UInt wrong = 0;

	vt_ring_switch_to_sink_page();
	for (UInt i = 0; i < 7; i++) {
		*daemon_page = good;
		switch (i) {
		case 0:
			daemon_page->chunk_bytes = PT_MIN_CHUNK - PT_PAGE;
			break;
		case 1:
			daemon_page->chunk_bytes += 8;
			break;
		case 2:
			daemon_page->n_chunks = 1;
			break;
		case 3:
			daemon_page->log_bytes = PT_MAX_RECORD;
			break;
		case 4:
			daemon_page->log_bytes -= PT_PAGE;
			break;
		case 5:
			daemon_page->n_chunks++;
			break;
		default:
			daemon_page->log_bytes = 0;
		}
		wrong += vt_ring_try_attach(fd, BYTES) || vt_ring_is_attached();
	}
	is_u64(wrong, 0, "memory that holds no valid ring is not attached");
	*daemon_page = good;
	ok(!vt_ring_try_attach(fd, BYTES - 8) && !vt_ring_was_ever_attached(),
	   "nor a ring that is larger than its memory");
	daemon_page->n_chunks = 2;
	ok(vt_ring_try_attach(fd, BYTES) && vt_ring_was_ever_attached(),
	   "the smallest ring is");
	close(fd);
	leave();
}

/* Whether vt_ring_await_room_and_append_log() refuses @bytes. */
static Bool is_refused(UInt bytes)
{
	static ULong record[PT_MAX_RECORD / 8 + 1];

	if (setjmp(failed) != 0)
		return True;
	vt_ring_await_room_and_append_log(record, bytes);
	return False;
}

static void test_lengths(void)
{
	UInt wrong = 0;

	attach();
	for (UInt i = 1; i < 8; i++)
		wrong += !is_refused(16 + i);
	is_u64(wrong, 0, "a record's length must be a multiple of 8");
	is_u64(tool_page()->log_head.value, 0, "else nothing is logged");
	ok(is_refused(PT_MAX_RECORD + 8), "and at most PT_MAX_RECORD");
	ok(!is_refused(16) && !is_refused(PT_MAX_RECORD),
	   "the longest record is logged");
	is_u64(tool_page()->log_head.value, 16 + PT_MAX_RECORD, "whole");
	leave();
	ok(is_refused(17), "also without a ring");
}

/* Read the records of the log from *@offset on. Return: the number of records
   whose words are not what was logged; *@n is the number of records so far. */
static UInt read_log(ULong *offset, UInt *n)
{
	UInt wrong = 0;

	while (*offset < tool_page()->log_head.value) {
		const struct pt_log_head *r =
			(const void *)(log_start() + *offset % LOG);
		const ULong *word = (const ULong *)(r + 1);

		if (r->bytes < 8 || r->bytes % 8 != 0 ||
		    *offset % LOG + r->bytes > LOG)
			return wrong + 1;
		*offset += r->bytes;
		if (r->kind == PT_LOG_PAD)
			continue;
		wrong += r->bytes != RECORD || word[0] != *n ||
			 word[RECORD / 8 - 2] != *n;
		++*n;
	}
	return wrong;
}

static void test_log(void)
{
	static ULong record[RECORD / 8];
	struct pt_log_head *head = (void *)record;
	UInt n = 0, n_read = 0, wrong = 0;
	ULong offset = 0;

	attach();
	*head = (struct pt_log_head){PT_LOG_NAMED, RECORD};
	for (; n < 3000; n++) {
		record[1] = record[RECORD / 8 - 1] = n;
		if (n_messages[PT_MSG_WAIT] == 0 &&
		    tool_page()->log_head.value + RECORD > LOG)
			wrong += read_log(&offset, &n_read);
		wrong += !vt_ring_await_room_and_append_log(record, RECORD);
		if (n % 100 == 99) {
			wrong += read_log(&offset, &n_read);
			daemon_page->log_tail.value = offset;
		}
	}
	is_u64(wrong + n - n_read, 0,
	       "records do not wrap around, none is lost");
	ok(n_messages[PT_MSG_LOG] >= 3000 * RECORD / (LOG / 4) - 2 &&
		   n_messages[PT_MSG_LOG] <= 3000 * RECORD / (LOG / 4),
	   "a message is sent for each quarter of the log");
	leave();
}

static void test_log_full(void)
{
	static ULong record[RECORD / 8];
	UInt n;

	attach();
	for (n = 0; n < LOG / RECORD; n++)
		vt_ring_await_room_and_append_log(record, RECORD);
	is_u64(n_messages[PT_MSG_WAIT], 0, "a log that has room is written");
	ok(vt_ring_await_room_and_append_log(record, RECORD),
	   "a full one after a wait");
	is_u64(n_messages[PT_MSG_WAIT], 1, "for which the daemon is asked");
	is_u64(asked, ~0ULL, "for room in the log");
	ok(tool_page()->waits.value == 1 && tool_page()->wait_ns.value == 10,
	   "the wait is counted");
	reads = lives = False;
	for (n = 0; n < LOG / RECORD - 1; n++)
		vt_ring_await_room_and_append_log(record, RECORD);
	ok(!vt_ring_await_room_and_append_log(record, RECORD) &&
		   !vt_ring_is_attached(),
	   "if the daemon ends meanwhile, the record is not logged");
	ok(!vt_ring_await_room_and_append_log(record, RECORD),
	   "nor are later ones");
	leave();
}

/* Fill the chunk up to its limit with control units. Return: their number. */
static UInt fill_chunk(void)
{
	static const ULong words[30];
	UInt n = 0;

	while (vt_ring_tool_or_sink_page()->next <=
	       vt_ring_tool_or_sink_page()->limit) {
		vt_ring_write_or_skip_control_unit(PT_MARK, 7, words, 30);
		n++;
	}
	return n;
}

/* Whether the chunk at @place is number @number, with @n units. */
static Bool holds(const ULong *place, UInt number, UInt n)
{
	return place[0] == pt_control_unit_first_word(PT_CHUNK, number,
						      PT_CHUNK_HEAD) &&
	       place[1] == PT_CHUNK_HEAD + n * (8 + 8 * 30);
}

static void test_chunks(Bool staged)
{
	UInt n, wrong = 0;
	const UInt *units, *end;

	stages = staged;
	attach();
	ok(vt_ring_publish_if_full_has_room() &&
		   tool_page()->published.value == 0,
	   "a chunk that has room is not published");
	for (UInt i = 0; i < PLACES - 1; i++) {
		n = fill_chunk();
		wrong += !vt_ring_publish_if_full_has_room();
		wrong += tool_page()->published.value != i + 1 ||
			 !holds(place(i), i, n);
		units = vt_ring_get_last_published_units_once(&end);
		wrong += units == NULL ||
			 (Addr)end - (Addr)units !=
				 PT_CHUNK_HEAD + n * (8 + 8 * 30);
		wrong += vt_ring_get_last_published_units_once(&end) != NULL;
	}
	is_u64(wrong, 0, "full ones are, with their units");
	is_u64(n_messages[PT_MSG_CHUNK], 1,
	       "the daemon is notified at half of the ring");
	is_u64(n_messages[PT_MSG_WAIT], 0, "without a wait so far");
	reads = False;
	fill_chunk();
	if (staged) {
		ok(vt_ring_publish_if_full_has_room(),
		   "staging needs no place to begin");
		fill_chunk();
	}
	ok(!vt_ring_publish_if_full_has_room() && n_messages[PT_MSG_WAIT] == 1,
	   "without a place, the tool waits");
	is_u64(asked, 1, "for a quarter of the ring");
	daemon_page->released.value = 1;
	ok(vt_ring_publish_if_full_has_room(), "until one is released");
	is_u64(n_messages[PT_MSG_WAIT], 1, "then it does not wait");
	leave();
}

/* Check that an ending is written to the page. */
static void test_ending(void)
{
	attach();
	vt_ring_store_process_ending(PT_FATAL, 11);
	ok(tool_page()->ending == PT_FATAL && tool_page()->ending_value == 11,
	   "the ending is in the tool's page");
	vt_ring_add_to_skipped_record_count(3);
	vt_ring_add_to_skipped_record_count(4);
	vt_ring_store_lost_message_count(5);
	ok(tool_page()->skipped.value == 7 &&
		   tool_page()->lost_messages.value == 5,
	   "so are lost accesses and messages");
	daemon_page->orders.value = 9;
	is_u64(vt_ring_n_socket_messages_from_daemon(), 9,
	       "commands are counted by the daemon");
	vt_ring_set_overfull_and_stop_recording();
	ok(!vt_ring_is_attached() && tool_page()->overfull.value == 1,
	   "a ring that is stopped is detached");
	vt_ring_store_process_ending(PT_EXITED, 1);
	ok(tool_page()->ending == PT_EXITED, "its page still gets the ending");
	is_u64(vt_ring_n_socket_messages_from_daemon(), 0,
	       "no commands come without a ring");
	vt_ring_unmap_parents_ring();
	vt_ring_store_process_ending(PT_FATAL, 2);
	ok(tool_page()->ending == PT_EXITED,
	   "in a forked child it is the parent's, and is left alone");
	leave();
}

int main(void)
{
	test_shapes();
	test_lengths();
	test_log();
	test_log_full();
	test_chunks(False);
	test_chunks(True);
	test_ending();
	return done_testing();
}
