/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects_test.c - the records of mapped objects and files
 *
 * The functions of Valgrind's core that objects.c calls are defined here. The
 * core has at most one object, whose path the test chooses.
 */
#include "vgtool/transport/objects.h"

#include <pub_tool_aspacemgr.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "vgtool/transport/ring.h"

enum {
	TEXT = 0x400000,
	FAR = 0x900000, /* in a segment, and in no object's text */
	SIZE = 0x1000,
	LONG = 5000,  /* [bytes] of a path that does not fit */
	LIMIT = 4096, /* [bytes] of the longest path, with the NUL */
};

/* ---- the core ---- */

static HChar object_path[LONG + 1]; /* "": there is no object */
static HChar file_path[LONG + 1];   /* of the segment at FAR */
static UInt epoch;

static const DebugInfo *the_object(void)
{
	return object_path[0] ? (const DebugInfo *)object_path : NULL;
}

DiEpoch VG_(current_DiEpoch)(void)
{
	return (DiEpoch){epoch};
}

const DebugInfo *VG_(next_DebugInfo)(const DebugInfo *di)
{
	return di == NULL ? the_object() : NULL;
}

DebugInfo *VG_(find_DebugInfo)(DiEpoch e, Addr addr)
{
	(void)e;
	return addr - TEXT < SIZE ? (DebugInfo *)the_object() : NULL;
}

Addr VG_(DebugInfo_get_text_avma)(const DebugInfo *di)
{
	(void)di;
	return TEXT;
}

SizeT VG_(DebugInfo_get_text_size)(const DebugInfo *di)
{
	(void)di;
	return SIZE;
}

PtrdiffT VG_(DebugInfo_get_text_bias)(const DebugInfo *di)
{
	(void)di;
	return 0;
}

const HChar *VG_(DebugInfo_get_filename)(const DebugInfo *di)
{
	return (const HChar *)di;
}

NSegment const *VG_(am_find_nsegment)(Addr a)
{
	static const NSegment segment = {.start = FAR, .end = FAR + SIZE - 1};

	return a - FAR < SIZE ? &segment : NULL;
}

const HChar *VG_(am_get_filename)(NSegment const *segment)
{
	(void)segment;
	return file_path;
}

void *VG_(realloc)(const HChar *cc, void *p, SizeT bytes)
{
	(void)cc;
	return realloc(p, bytes);
}

HChar *VG_(strdup)(const HChar *cc, const HChar *s)
{
	(void)cc;
	return strdup(s);
}

void VG_(free)(void *p)
{
	free(p);
}

SizeT VG_(strlen)(const HChar *s)
{
	return strlen(s);
}

Int VG_(strcmp)(const HChar *a, const HChar *b)
{
	return strcmp(a, b);
}

void *VG_(memset)(void *to, Int c, SizeT bytes)
{
	return memset(to, c, bytes);
}

void *VG_(memcpy)(void *to, const void *from, SizeT bytes)
{
	return memcpy(to, from, bytes);
}

/* ---- the log ---- */

static union {
	struct pt_log_head head;
	struct pt_log_map map;
	char bytes[LONG + 100];
} last; /* record that was logged last */
static UInt n_records;

Bool vt_ring_await_room_and_append_log(const void *record, UInt bytes)
{
	memset(&last, 0xff, sizeof(last));
	memcpy(&last, record, bytes);
	n_records++;
	return True;
}

/* Fill a path of @n characters, none of which equals its neighbours. */
static void make_path(HChar *path, UInt n)
{
	for (UInt i = 0; i < n; i++)
		path[i] = i == 0 ? '/' : (HChar)('a' + i % 26);
	path[n] = '\0';
}

/* Replace the object by one with a path of @n characters. */
static void map_object(UInt n)
{
	object_path[0] = '\0';
	epoch++;
	vt_objects_update_and_log_changes();
	make_path(object_path, n);
	epoch++;
	vt_objects_update_and_log_changes();
}

/* Whether the last record ends with @path, cut if need be, and zeros. */
static bool has_path(const HChar *path, UInt offset)
{
	const char *logged = last.bytes + offset;
	size_t n = strlen(path), end = offset + strlen(logged) + 1;

	for (; end < last.head.bytes; end++)
		if (last.bytes[end] != '\0')
			return false;
	if (last.head.bytes % 8 ||
	    last.head.bytes < offset + strlen(logged) + 1)
		return false;
	if (n < LIMIT)
		return !strcmp(logged, path);
	return strlen(logged) == LIMIT - 1 &&
	       !strncmp(logged, path, LIMIT - 1 - 3) &&
	       !strcmp(logged + LIMIT - 1 - 3, "...");
}

static void test_objects(void)
{
	static const UInt lengths[] = {1, 7, 8, LIMIT - 1, LIMIT, LONG};
	UInt wrong = 0;

	for (UInt i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		map_object(lengths[i]);
		wrong += last.head.kind != PT_LOG_MAP ||
			 last.map.start != TEXT || last.map.size != SIZE ||
			 !has_path(object_path, sizeof(last.map));
	}
	is_u64(wrong, 0, "an object is logged with its path, a long one cut");
	is_u64(n_records, 11, "and its removal before the next one");
}

static void test_files(void)
{
	static const UInt lengths[] = {1, LIMIT - 1, LIMIT, LONG};
	UInt wrong = 0;

	for (UInt i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		make_path(file_path, lengths[i]);
		vt_objects_log_file_if_no_object(FAR);
		wrong += last.head.kind != PT_LOG_FILE ||
			 !has_path(file_path, sizeof(last.head));
	}
	is_u64(wrong, 0, "so is the file of code in no object");
	n_records = 0;
	vt_objects_log_file_if_no_object(TEXT);
	vt_objects_log_file_if_no_object(TEXT - SIZE);
	is_u64(n_records, 0,
	       "code of an object, and of no file, has no record");
}

static void test_numbers(void)
{
	UInt object = vt_objects_find_or_assign_number_or_0(TEXT),
	     file = vt_objects_find_or_assign_number_or_0(FAR);

	ok(object != 0 && file != 0 && object != file &&
		   vt_objects_find_or_assign_number_or_0(TEXT - SIZE) == 0,
	   "object and file have numbers, other code has none");
	is_u64(vt_objects_find_or_assign_number_or_0(FAR + 1), file,
	       "a file has one number");
	map_object(3);
	ok(vt_objects_find_or_assign_number_or_0(TEXT) > file,
	   "another object has another one");
	file = vt_objects_find_or_assign_number_or_0(FAR);
	make_path(file_path, 3);
	object = vt_objects_find_or_assign_number_or_0(FAR);
	map_object(3);
	ok(vt_objects_find_or_assign_number_or_0(FAR) > object,
	   "the file of an object that was mapped anew has a new number");
	make_path(file_path, LONG);
	is_u64(vt_objects_find_or_assign_number_or_0(FAR), file,
	       "other files still have theirs");
}

int main(void)
{
	test_objects();
	test_files();
	test_numbers();
	return done_testing();
}
