/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire_test.c - tests numbers and layouts that other versions and files rely on
 *
 * A daemon and a tool of different builds speak with each other, and profiles
 * hold units, logs and plans of the version that recorded them. A change here
 * raises the minor or major number in hello.h and that of the profile.
 */
#include <stddef.h>

#include "proto/allocator.h"
#include "proto/call.h"
#include "proto/hello.h"
#include "proto/log.h"
#include "proto/ring.h"
#include "proto/shared/time_slice.h"
#include "proto/unit.h"
#include "proto/window.h"
#include "tests/tap.h"

struct number {
	const char *name;
	uint64_t is, was;
};

#define N(name, was)                                                           \
	{                                                                      \
#name, name, was                                               \
	}
#define SIZE(type, was)                                                        \
	{                                                                      \
		"size of " #type, sizeof(struct type), was                     \
	}
#define AT(type, field, was)                                                   \
	{                                                                      \
#type "." #field, offsetof(struct type, field), was            \
	}

static const struct number kinds[] = {
	N(PT_CHUNK, 1),
	N(PT_CUT, 2),
	N(PT_THREAD, 3),
	N(PT_THREAD_START, 4),
	N(PT_THREAD_END, 5),
	N(PT_SIGNAL, 6),
	N(PT_CHILD_EXIT, 7),
	N(PT_WINDOW_OPEN, 8),
	N(PT_WINDOW_CLOSE, 9),
	N(PT_CORE, 10),
	N(PT_WRITTEN, 11),
	N(PT_MARK, 12),
	N(PT_WINDOW_RECORDS, 13),
	N(PT_SITE, 14),
	N(PT_BORN, 15),
	N(PT_DIED, 16),
	N(PT_RESIZED, 17),
	N(PT_STACK, 18),
	N(PT_MAPPED, 19),
	N(PT_UNMAPPED, 20),
	N(PT_VARIABLE, 21),
	N(PT_MEMORY, 22),
	N(PT_MEMORY_UNMAPPED, 23),
	N(PT_MEMORY_MOVED, 24),
	N(PT_ALLOCATORS, 25),
	N(PT_ELEMENT_BORN, 26),
	N(PT_ELEMENT_DIED, 27),
	N(PT_ELEMENT_RESIZED, 28),
	N(PT_THREAD_VARIABLE, 29),
	N(PT_THREAD_VARIABLES_END, 30),
	N(PT_NAMED_ALLOCATOR, 31),
	N(PT_KINDS, 33),
	N(PT_MEMORY_OF_ALLOCATOR, 8),
	N(PT_MEMORY_OF_BRK, 16),
	N(PT_BY_SYSTEM_CALL, 1),
	N(PT_BY_SIGNAL, 2),
	N(PT_BY_MAPPING, 3),
	N(PT_BY_VALGRIND, 4),
	N(PT_MAX_INSTRS, 1024),
	N(PT_MAX_ACCESSES, 1024),
	N(PT_MAX_EXITS, 1024),
	N(PT_MAX_SLOTS, 120),
	N(PT_MAX_UNIT, 1024),
	N(PT_MAX_ROUTES, 0x1000000),
	N(PT_CHUNK_HEAD, 16),
	N(PT_LENGTH, 0xff),
};

static const struct number records[] = {
	N(PT_LOG_BLOCK, 1),
	N(PT_LOG_MAP, 2),
	N(PT_LOG_UNMAP, 3),
	N(PT_LOG_PAD, 4),
	N(PT_LOG_FILE, 5),
	N(PT_LOG_LANES, 6),
	N(PT_LOG_VALUES, 7),
	N(PT_LOG_NAMED, 8),
	N(PT_LOG_CALL, 9),
	N(PT_LOG_RETURN, 10),
	N(PT_LOG_BODY, 11),
	N(PT_LOG_OUTCOME, 12),
	N(PT_MAX_RECORD, 0x20000),
	N(PT_MAX_MAPPED, 0x10000),
	N(PT_MAX_LEN, 19),
	N(PT_MAX_VALUE, 64),
	N(PT_LOAD, 0),
	N(PT_STORE, 1),
	N(PT_MODIFY, 2),
	N(PT_GUARDED, 1),
	N(PT_HELPER, 2),
	N(PT_ATOMIC, 4),
	N(PT_NO_SLOT, 0xffff),
	N(PT_JUMP_OTHER, 0),
	N(PT_JUMP_BORING, 1),
	N(PT_JUMP_CALL, 2),
	N(PT_JUMP_RET, 3),
	N(PT_JUMP_SYSCALL, 4),
	N(PT_JUMP_SIGNAL, 5),
	N(PT_NAMED_MARK, 1),
	N(PT_NAMED_EVENT, 2),
	N(PT_NAMED_BEGIN, 3),
	N(PT_NAMED_END, 4),
	N(PT_NAMED_START, 5),
	N(PT_NAMED_STOP, 6),
	N(PT_NAMED_REGION, 7),
	N(PT_MAX_NAME, 255),
	N(PT_MAX_NAMES, 0x100000),
	N(PT_OUTCOME_ALL, 1),
	N(PT_OUTCOME_EVENT, 2),
	N(PT_OUTCOME_IMAGE, 3),
	N(PT_OUTCOME_FUNCTION, 4),
	N(PT_OUTCOME_HAPPENED, 1),
	N(PT_OUTCOME_MAPPED, 2),
	N(PT_OUTCOME_FOUND, 4),
	N(PT_MAX_MISSED, 256),
};

static const struct number calls[] = {
	N(PT_MAX_CALL, 0x10000),      N(PT_MAX_BODY, 0x10000),
	N(PT_MAX_FOLLOWED, 64),	      N(PT_RESULT, 0xffff),
	N(PT_POINTER_BYTES, 12),      N(PT_ELEMENTS, 0xffffff),
	N(PT_MORE, 0x40000000),	      N(PT_NOT_FOLLOWED, 0x80000000),
	N(PT_UNREADABLE, 0xffffffff), N(PT_CALL_LEFT, 1),
	N(PT_CALL_WHOLE, 0),	      N(PT_CALL_UNREADABLE, 1),
	N(PT_CALL_NO_ROOM, 2),
};

static const struct number plan[] = {
	N(PT_PLAN_VERSION, 2),
	N(PT_MAX_PLAN, 0x1000000),
	N(PT_MAX_WINDOWS, 64),
	N(PT_MAX_LANES, 64),
	N(PT_MAX_EVENTS, 1024),
	N(PT_MAX_DECODED, 64),
	N(PT_MAX_WARMUP, 0x10000000),
	N(PT_MAX_INTERCEPTS, 1024),
	N(PT_MAX_PARAMETERS, 32),
	N(PT_MAX_TYPES, 256),
	N(PT_MAX_TYPE, 0x10000),
	N(PT_MAX_NESTED, 16),
	N(PT_X87_BYTES, 16),
	N(PT_NO_EVENT, 0xffffffff),
	N(PT_NO_TYPE, 0xffffffff),
	N(PT_WINDOW_REOPENS, 1),
	N(PT_WINDOW_OWN_OUTPUT, 2),
	N(PT_COUNT_INSTRUCTIONS, 0),
	N(PT_COUNT_ACCESSES, 1),
	N(PT_COUNT_NS, 2),
	N(PT_EVENT_ALL, 1),
	N(PT_EVENT_ANY, 2),
	N(PT_EVENT_CREATION, 3),
	N(PT_EVENT_TERMINATION, 4),
	N(PT_EVENT_LOAD, 5),
	N(PT_EVENT_UNLOAD, 6),
	N(PT_EVENT_CALL, 7),
	N(PT_EVENT_RETURN, 8),
	N(PT_EVENT_THREADS, 9),
	N(PT_EVENT_TIME, 10),
	N(PT_EVENT_ACCESSES, 11),
	N(PT_EVENT_READS, 12),
	N(PT_EVENT_WRITES, 13),
	N(PT_EVENT_INSTRUCTIONS, 14),
	N(PT_EVENT_REQUEST, 15),
	N(PT_EVENT_SIGNAL, 16),
	N(PT_EVENT_MONITOR, 17),
	N(PT_EVENT_BY_PATH, 1),
	N(PT_EVENT_DECORATED, 2),
	N(PT_EVENT_SUM, 4),
	N(PT_EVENT_SINCE_OPEN, 8),
	N(PT_EVENT_HAPPENED, 16),
	N(PT_IMAGE_PATH, 1),
	N(PT_IMAGE_NAME, 2),
	N(PT_IMAGE_MAIN, 3),
	N(PT_IMAGE_NO_SYSTEM, 4),
	N(PT_IMAGE_ANY, 5),
	N(PT_FUNCTION_DECORATED, 1),
	N(PT_FUNCTION_NAME, 2),
	N(PT_FUNCTION_ANY, 3),
	N(PT_SELECT_FORM, 1),
	N(PT_SELECT_CLASS, 2),
	N(PT_SELECT_ISA, 3),
	N(PT_SELECT_EXTENSION, 4),
	N(PT_SELECT_CATEGORY, 5),
	N(PT_SELECT_ANY_MEM, 6),
	N(PT_SELECT_ANY, 7),
	N(PT_RECORD_ROUTINE, 1),
	N(PT_RECORD_TIMESTAMP, 2),
	N(PT_RECORD_ADDRESS, 4),
	N(PT_RECORD_VALUE, 8),
	N(PT_RECORD_BYTES, 16),
	N(PT_RECORD_CORE, 32),
	N(PT_RECORD_PHYSICAL, 64),
	N(PT_INTERCEPT_PURE, 1),
	N(PT_IN_INTEGER, 1),
	N(PT_IN_VECTOR, 2),
	N(PT_ON_STACK, 3),
	N(PT_IN_X87, 4),
	N(PT_IN_MEMORY, 5),
	N(PT_PARAMETER_IN, 1),
	N(PT_PARAMETER_OUT, 2),
	N(PT_TYPE_UNSIGNED, 1),
	N(PT_TYPE_SIGNED, 2),
	N(PT_TYPE_FLOAT, 3),
	N(PT_TYPE_ASCII, 4),
	N(PT_TYPE_UNICODE, 5),
	N(PT_TYPE_STRUCT, 6),
	N(PT_TYPE_POINTER, 7),
	N(PT_BOUND_COUNT, 1),
	N(PT_BOUND_SENTINEL, 2),
	N(PT_BOUND_COUNT_VAR, 3),
	N(PT_BOUND_END_VAR, 4),
	N(PT_BOUND_START_VAR, 5),
	N(PT_TYPE_DOWN, 1),
	N(PT_TYPE_END_VALID, 2),
};

static const struct number messages[] = {
	N(PT_MAGIC, 0x41726c41),
	N(PT_CONTROL_MAGIC, 0x43726c41),
	N(PT_MAJOR, 3),
	N(PT_HELLO_FIXED_RING, 4),
	N(PT_MAX_MESSAGE, 0x10000),
	N(PT_REASON, 192),
	N(PT_FIELD_ACCESSES, 1),
	N(PT_FIELD_ADDRESSES, 2),
	N(PT_FIELD_UNUSED_LOADS, 4),
	N(PT_FIELD_VALUES, 8),
	N(PT_FIELD_STAMPS, 128),
	N(PT_FIELD_CORES, 256),
	N(PT_FIELD_DATA, 512),
	N(PT_HELLO_FORKED, 1),
	N(PT_HELLO_TOKEN, 2),
	N(PT_WANT_GOODBYE, 1),
	N(PT_MSG_CHUNK, 1),
	N(PT_MSG_LOG, 2),
	N(PT_MSG_WAIT, 3),
	N(PT_MSG_BYE, 4),
	N(PT_MSG_LOST, 8),
	N(PT_MSG_DECODE, 12),
	N(PT_MSG_ROOM, 5),
	N(PT_MSG_TEXT, 6),
	N(PT_MSG_DONE, 7),
	N(PT_MSG_PLAN, 9),
	N(PT_MSG_ORDER, 11),
	N(PT_MSG_DECODED, 13),
	N(PT_MSG_MARK, 14),
	N(PT_MSG_FLUSH, 15),
	N(PT_MSG_ALLOCATORS, 16),
	N(PT_MSG_HAPPENED, 10),
};

static const struct number ring[] = {
	N(PT_PAGE, 0x1000),
	N(PT_MIN_CHUNK, 0x20000),
	N(PT_MAX_CHUNK, 0x1000000),
	N(PT_MAX_CHUNKS, 1024),
	N(PT_TITLE, 128),
	N(PT_ALIVE, 0),
	N(PT_EXITED, 1),
	N(PT_FATAL, 2),
	N(PT_EXEC, 3),
};

static const struct number layouts[] = {
	SIZE(pt_log_head, 8),
	SIZE(pt_log_block, 32),
	AT(pt_log_block, route, 12),
	AT(pt_log_block, n_slots, 24),
	SIZE(pt_instr, 16),
	AT(pt_instr, before, 14),
	SIZE(pt_access, 16),
	AT(pt_access, slot, 10),
	AT(pt_access, flags, 15),
	SIZE(pt_exit, 16),
	AT(pt_exit, signal, 15),
	SIZE(pt_log_map, 40),
	SIZE(pt_log_unmap, 24),
	SIZE(pt_log_lanes, 8),
	SIZE(pt_value, 8),
	SIZE(pt_log_values, 16),
	SIZE(pt_log_named, 32),
	SIZE(pt_log_outcome, 32),
	SIZE(pt_log_call, 48),
	SIZE(pt_call_value, 8),
	SIZE(pt_log_body, 32),
	SIZE(pt_plan, 112),
	SIZE(pt_window, 64),
	SIZE(pt_interval, 16),
	SIZE(pt_event, 48),
	SIZE(pt_lane, 16),
	SIZE(pt_image, 16),
	SIZE(pt_function, 24),
	SIZE(pt_select, 16),
	SIZE(pt_intercept, 32),
	SIZE(pt_parameter, 32),
	SIZE(pt_type, 40),
	SIZE(pt_field, 16),
	SIZE(pt_token, 16),
	SIZE(pt_hello, 64),
	AT(pt_hello, parent_log, 32),
	SIZE(pt_control, 16),
	SIZE(pt_welcome, 248),
	AT(pt_welcome, allocator_bytes, 240),
	SIZE(pt_allocator, 24),
	AT(pt_allocator, kind, 8),
	AT(pt_allocator, bytes, 16),
	SIZE(pt_allocators, 16),
	AT(pt_welcome, plan_bytes, 220),
	SIZE(pt_message, 16),
	AT(pt_daemon_page, released, 16),
	AT(pt_daemon_page, orders, 48),
	AT(pt_tool_page, limit, 16),
	AT(pt_tool_page, staging, 24),
	AT(pt_tool_page, published, 64),
	AT(pt_tool_page, title, 112),
	AT(pt_tool_page, overfull, 240),
	AT(pt_tool_page, environment_variables, 256),
	AT(pt_tool_page, environment_hash, 272),
};

static void are_unchanged(const struct number *n, size_t count,
			  const char *fact)
{
	bool same = true;

	for (size_t i = 0; i < count; i++)
		if (n[i].is != n[i].was) {
			printf("# %s is %" PRIu64 ", was %" PRIu64 "\n",
			       n[i].name, n[i].is, n[i].was);
			same = false;
		}
	ok(same, fact);
}

#define UNCHANGED(list, fact)                                                  \
	are_unchanged(list, sizeof(list) / sizeof(*(list)), fact)

static void test_headers(void)
{
	uint32_t block = pt_encode_block_unit_header(0x123457, 0x7c);
	uint64_t mark = pt_control_unit_first_word(PT_MARK, 0xabcd, 8);
	uint64_t cut = pt_encode_block_cut_position(0x321, 0x123, true);

	is_u64(block, 0x1234571f, "a block's header");
	ok(pt_unit_is_block(0x1234571f) &&
		   pt_block_unit_route(block) == 0x123457 &&
		   pt_unit_length_in_bytes(block) == 0x7c &&
		   pt_unit_length_in_u32s(block) == 31,
	   "its route and length");
	is_u64(pt_block_unit_bytes(3), 28, "a block's bytes with three slots");
	is_u64(mark, UINT64_C(0xabcd00000c02), "a control unit");
	ok(!pt_unit_is_block((uint32_t)mark) &&
		   pt_control_unit_kind((uint32_t)mark) == PT_MARK &&
		   pt_unit_length_in_bytes((uint32_t)mark) == 8,
	   "its kind and length");
	is_u64(cut, UINT64_C(0x8000012300000321), "where a block was cut");
	ok(pt_decode_cut_accesses_done(cut) == 0x321 &&
		   pt_decode_cut_instrs_begun(cut) == 0x123 &&
		   pt_decode_cut_modify_load_done(cut) &&
		   !pt_decode_cut_modify_load_done(
			   pt_encode_block_cut_position(1, 2, false)),
	   "its accesses and instructions");
	ok(pt_capped_count_of_8_byte_slots(1) == 1 &&
		   pt_capped_count_of_8_byte_slots(8) == 1 &&
		   pt_capped_count_of_8_byte_slots(9) == 2 &&
		   pt_capped_count_of_8_byte_slots(64) == 8 &&
		   pt_capped_count_of_8_byte_slots(65) == 8,
	   "slots of a value");
}

static void test_places(void)
{
	struct pt_places p = {0, 3};

	ok(pt_ring_place_index_of_chunk(p, 0) == 0 &&
		   pt_ring_place_index_of_chunk(p, 5) == 2 &&
		   pt_ring_place_index_of_chunk(p, 6) == 0,
	   "chunks lie in turn in the places of a ring");
	p = pt_places_after_growth(p, 6, 5);
	ok(pt_ring_place_index_of_chunk(p, 6) == 3 &&
		   pt_ring_place_index_of_chunk(p, 7) == 4 &&
		   pt_ring_place_index_of_chunk(p, 8) == 0 &&
		   pt_ring_place_index_of_chunk(p, 11) == 3,
	   "in one that has grown, first in the new places");
}

static void test_slices(void)
{
	struct pt_sched_attr usual = {.slice = PT_SLICE - 1},
			     longer = {.slice = PT_SLICE},
			     other = {.policy = 1};

	ok(pt_sched_attr_lengthen_slice(&usual) && usual.slice == 20000000 &&
		   usual.size == 48,
	   "a thread asks for longer turns");
	ok(!pt_sched_attr_lengthen_slice(&longer) &&
		   !pt_sched_attr_lengthen_slice(&other) && !other.slice,
	   "but not where its user chose as long ones or another policy");
}

int main(void)
{
	UNCHANGED(kinds, "numbers of units");
	UNCHANGED(records, "numbers of the log");
	UNCHANGED(calls, "numbers of calls");
	UNCHANGED(plan, "numbers of plans");
	UNCHANGED(messages, "numbers of messages");
	UNCHANGED(ring, "numbers of the ring");
	UNCHANGED(layouts, "layouts of what is sent and stored");
	test_headers();
	test_places();
	test_slices();
	return done_testing();
}
