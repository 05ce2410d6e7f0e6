/* SPDX-License-Identifier: GPL-2.0-or-later */
/* objects.c - logs and numbers the object files that are mapped; see
   objects.h */

#include "vgtool/transport/objects.h"

#include <pub_tool_aspacemgr.h>

#include "vgtool/transport/ring.h"

enum { MAX_PATH = 4096 }; /* [bytes] with the NUL; longer paths are cut */

static const HChar cut_mark[] = "..."; /* ends a path that was cut */

/* A mapped object that was logged. */
struct object {
	ULong start, size; /* address and size [bytes] of its text in memory */
	HChar *path;	   /* allocated for this entry */
	UInt number;	   /* from 1; objects and files share one numbering */
	/* whether the present call of vt_objects_update_and_log_changes() has
	   found it mapped */
	Bool is_mapped;
};

/* A file with code that lies in no object's text. */
struct file {
	HChar *path;
	UInt number;
};

static struct object *objects;
static UInt n_objects, objects_size;
static struct file *files;
static UInt n_files, files_size;
static UInt last_number; /* last number given to an object or a file */
static DiEpoch known_epoch;
static Bool epoch_is_known;

static const struct vt_object_listener *listeners[2];

void vt_objects_add_listener(const struct vt_object_listener *new)
{
	UInt i = 0;

	while (listeners[i] != NULL && listeners[i] != new)
		i++;
	listeners[i] = new;
}

static void notify_listeners_of_mapped_object(const DebugInfo *di)
{
	UInt i;

	for (i = 0; i < 2 && listeners[i] != NULL; i++)
		listeners[i]->mapped(di);
}

static void notify_listeners_of_unmapped_object(const struct object *o)
{
	UInt i;

	for (i = 0; i < 2 && listeners[i] != NULL; i++)
		listeners[i]->unmapped(o->path, o->start, o->size);
}

/* Buffer for a log record that ends with a path. */
union path_record {
	struct pt_log_head head;
	struct pt_log_map map;
	UChar room[sizeof(struct pt_log_map) + MAX_PATH];
};

/* Copy @path to @to, which has MAX_PATH bytes. The end of a path that is too
   long is replaced by cut_mark. Return: [bytes] copied, without the NUL. */
static UInt copy_path_truncated(UChar *to, const HChar *path)
{
	const UInt mark = sizeof(cut_mark) - 1;
	UInt len = VG_(strlen)(path);

	if (len < MAX_PATH) {
		VG_(memcpy)(to, path, len);
		return len;
	}
	len = MAX_PATH - 1;
	VG_(memcpy)(to, path, len - mark);
	VG_(memcpy)(to + len - mark, cut_mark, mark);
	return len;
}

/* Append @path to the record @r, which has @record_bytes, and log it. */
static void append_path_and_log_record(union path_record *r, UInt record_bytes,
				       const HChar *path)
{
	UInt end = record_bytes +
		   copy_path_truncated(r->room + record_bytes, path);

	r->head.bytes = vt_record_bytes_padded_to_8(end + 1);
	VG_(memset)(r->room + end, 0, r->head.bytes - end);
	vt_ring_await_room_and_append_log(r, r->head.bytes);
}

static void log_mapped_object_range_and_path(const DebugInfo *di)
{
	union path_record r;

	r.map = (struct pt_log_map){
		.head.kind = PT_LOG_MAP,
		.start = VG_(DebugInfo_get_text_avma)(di),
		.size = VG_(DebugInfo_get_text_size)(di),
		.bias = VG_(DebugInfo_get_text_bias)(di),
	};
	append_path_and_log_record(&r, sizeof(r.map),
				   VG_(DebugInfo_get_filename)(di));
}

/* Return the path of the file that is mapped at @addr, or NULL. */
static const HChar *mapped_file_path_or_null(Addr addr)
{
	const NSegment *segment = VG_(am_find_nsegment)(addr);

	return segment != NULL ? VG_(am_get_filename)(segment) : NULL;
}

/* Valgrind reads an object only when its data segment is mapped, too, and
   records only the range of its text. For other code, the mapping has the
   file's path. */
void vt_objects_log_file_if_no_object(Addr code_addr)
{
	union path_record r = {.head.kind = PT_LOG_FILE};
	const HChar *path = NULL;

	if (VG_(find_DebugInfo)(known_epoch, code_addr) == NULL)
		path = mapped_file_path_or_null(code_addr);
	if (path != NULL)
		append_path_and_log_record(&r, sizeof(r.head), path);
}

static UInt append_file_to_table_return_new_number(const HChar *path)
{
	if (n_files == files_size) {
		files_size = files_size ? 2 * files_size : 16;
		files = VG_(realloc)("vt.log.files", files,
				     files_size * sizeof(*files));
	}
	files[n_files] = (struct file){
		.path = VG_(strdup)("vt.log.path", path),
		.number = ++last_number,
	};
	return files[n_files++].number;
}

/* Return the number of the file @path. If it has none yet, assign the next
   number to it. */
static UInt find_file_in_table_or_assign_number(const HChar *path)
{
	UInt i;

	for (i = 0; i < n_files; i++)
		if (VG_(strcmp)(files[i].path, path) == 0)
			return files[i].number;
	return append_file_to_table_return_new_number(path);
}

UInt vt_objects_find_or_assign_number_or_0(Addr code_addr)
{
	const HChar *path;
	UInt i;

	for (i = 0; i < n_objects; i++)
		if (code_addr - objects[i].start < objects[i].size)
			return objects[i].number;
	path = mapped_file_path_or_null(code_addr);
	return path != NULL ? find_file_in_table_or_assign_number(path) : 0;
}

/* Whether two paths are equal, or both NULL. */
static Bool are_paths_equal_or_both_null(const HChar *a, const HChar *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return VG_(strcmp)(a, b) == 0;
}

void vt_objects_find_object_range_of_code(struct vt_code_object *found,
					  Addr addr)
{
	const DebugInfo *di = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), addr);

	const NSegment *segment;

	*found = (struct vt_code_object){.object = di, .code_addr = addr};
	if (di != NULL) {
		found->start = VG_(DebugInfo_get_text_avma)(di);
		found->size = VG_(DebugInfo_get_text_size)(di);
		return;
	}
	segment = VG_(am_find_nsegment)(addr);
	if (segment != NULL && VG_(am_get_filename)(segment) == NULL) {
		found->start = segment->start;
		found->size = segment->end - segment->start + 1;
	}
}

Bool vt_objects_is_in_same_object_file(const struct vt_code_object *t,
				       Addr addr)
{
	struct vt_code_object other;

	if (addr - t->start < t->size)
		return True;
	vt_objects_find_object_range_of_code(&other, addr);
	if (other.object != NULL)
		return False;
	return are_paths_equal_or_both_null(
		t->object != NULL ? VG_(DebugInfo_get_filename)(t->object)
				  : mapped_file_path_or_null(t->code_addr),
		mapped_file_path_or_null(addr));
}

static void log_unmapped_object(const struct object *o)
{
	struct pt_log_unmap r = {
		.head = {PT_LOG_UNMAP, sizeof(r)},
		.start = o->start,
		.size = o->size,
	};

	vt_ring_await_room_and_append_log(&r, sizeof(r));
}

/* Delete the number of the file @path: if the file is mapped again, its code
   gets new descriptions, which come after those of code that had the addresses
   meanwhile. */
static void forget_number_of_file(const HChar *path)
{
	UInt i;

	for (i = 0; i < n_files; i++)
		if (VG_(strcmp)(files[i].path, path) == 0) {
			VG_(free)(files[i].path);
			files[i] = files[--n_files];
			return;
		}
}

/* Log each object that is no longer mapped as unmapped, call the listeners for
   it, and delete its entry and the number of its file. */
static void remove_unmapped_objects(void)
{
	UInt i, n_left = 0;

	for (i = 0; i < n_objects; i++) {
		if (objects[i].is_mapped) {
			objects[n_left++] = objects[i];
			continue;
		}
		log_unmapped_object(&objects[i]);
		notify_listeners_of_unmapped_object(&objects[i]);
		forget_number_of_file(objects[i].path);
		VG_(free)(objects[i].path);
	}
	n_objects = n_left;
}

/* Mark the entry of the object @di as mapped. Return: whether there is one.
   Entries are compared by range and path, since the memory of a DebugInfo may
   be reused for another object. */
static Bool try_find_object_and_set_is_mapped(const DebugInfo *di)
{
	UInt i;

	for (i = 0; i < n_objects; i++)
		if (objects[i].start == VG_(DebugInfo_get_text_avma)(di) &&
		    objects[i].size == VG_(DebugInfo_get_text_size)(di) &&
		    VG_(strcmp)(objects[i].path,
				VG_(DebugInfo_get_filename)(di)) == 0)
			return objects[i].is_mapped = True;
	return False;
}

static void add_log_and_notify_mapped_object(const DebugInfo *di)
{
	if (n_objects == objects_size) {
		objects_size = objects_size ? 2 * objects_size : 64;
		objects = VG_(realloc)("vt.log.objects", objects,
				       objects_size * sizeof(*objects));
	}
	objects[n_objects++] = (struct object){
		.start = VG_(DebugInfo_get_text_avma)(di),
		.size = VG_(DebugInfo_get_text_size)(di),
		.path = VG_(strdup)("vt.log.path",
				    VG_(DebugInfo_get_filename)(di)),
		.number = ++last_number,
		.is_mapped = True,
	};
	log_mapped_object_range_and_path(di);
	notify_listeners_of_mapped_object(di);
}

/* Valgrind starts a new epoch whenever an object is mapped or unmapped.
   Unmapped objects are logged first, because new ones may have the same
   addresses. */
void vt_objects_update_and_log_changes(void)
{
	DiEpoch now = VG_(current_DiEpoch)();
	const DebugInfo *di;
	UInt i;

	if (epoch_is_known && now.n == known_epoch.n)
		return;
	known_epoch = now;
	epoch_is_known = True;
	for (i = 0; i < n_objects; i++)
		objects[i].is_mapped = False;
	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di))
		try_find_object_and_set_is_mapped(di);
	remove_unmapped_objects();
	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di))
		if (VG_(DebugInfo_get_text_size)(di) != 0 &&
		    !try_find_object_and_set_is_mapped(di))
			add_log_and_notify_mapped_object(di);
}
