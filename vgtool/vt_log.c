/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_log.c - the blocks and objects that the daemon knows; see vt_log.h */

#include "vgtool/vt_log.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_debuginfo.h>

#include "vgtool/vt_ring.h"

enum { MAX_PATH = 4096 };

/* An object that the daemon believes mapped. */
struct object {
	ULong start, size;
	HChar *path; /* ours */
	Bool seen;
};

static struct pt_log_block **blocks; /* by id */
static UInt n_blocks, blocks_size, n_routes;
static struct object *objects;
static UInt n_objects, objects_size;
static DiEpoch known_epoch;
static Bool epoch_is_known;

UInt vt_log_n_blocks(void)
{
	return n_blocks;
}

const struct pt_log_block *vt_log_find(UInt route)
{
	UInt low = 0, high = n_blocks; /* it is in [low, high) if anywhere */

	if (route >= n_routes)
		return NULL;
	while (high - low > 1) {
		UInt middle = low + (high - low) / 2;

		if (blocks[middle]->route <= route)
			low = middle;
		else
			high = middle;
	}
	return blocks[low];
}

const struct pt_instr *vt_log_instrs(const struct pt_log_block *b)
{
	return (const struct pt_instr *)(b + 1);
}

const struct pt_access *vt_log_accesses(const struct pt_log_block *b)
{
	return (const struct pt_access *)(vt_log_instrs(b) + b->n_instrs);
}

const struct pt_exit *vt_log_exits(const struct pt_log_block *b)
{
	return (const struct pt_exit *)(vt_log_accesses(b) + b->n_accesses);
}

static UInt padded(UInt bytes)
{
	return (bytes + 7) & ~7u;
}

static UInt record_bytes(const struct vt_plan *p)
{
	return padded(sizeof(struct pt_log_block) +
		      p->n_instrs * sizeof(struct pt_instr) +
		      p->n_accesses * sizeof(struct pt_access) +
		      p->n_exits * sizeof(struct pt_exit) + p->n_code);
}

static void fill(struct pt_log_block *b, const struct vt_plan *p, UInt bytes)
{
	*b = (struct pt_log_block){
		.head = {PT_LOG_BLOCK, bytes},
		.id = n_blocks,
		.route = n_routes,
		.n_instrs = p->n_instrs,
		.n_accesses = p->n_accesses,
		.n_exits = p->n_exits,
		.n_code = p->n_code,
		.n_slots = p->n_slots,
	};
	VG_(memcpy)
	((void *)vt_log_instrs(b), p->instr,
	 p->n_instrs * sizeof(struct pt_instr));
	VG_(memcpy)
	((void *)vt_log_accesses(b), p->access,
	 p->n_accesses * sizeof(struct pt_access));
	VG_(memcpy)
	((void *)vt_log_exits(b), p->exit, p->n_exits * sizeof(struct pt_exit));
	VG_(memcpy)((void *)(vt_log_exits(b) + p->n_exits), p->code, p->n_code);
}

static void keep(struct pt_log_block *b)
{
	if (n_blocks == blocks_size) {
		blocks_size = blocks_size ? 2 * blocks_size : 4096;
		blocks = VG_(realloc)("vt.log.blocks", blocks,
				      blocks_size * sizeof(*blocks));
	}
	blocks[n_blocks++] = b;
	n_routes += b->n_exits;
}

union named {
	struct pt_log_head head;
	struct pt_log_map map;
	UChar room[sizeof(struct pt_log_map) + MAX_PATH];
};

/* Ends a record that has @bytes so far with a path. */
static void log_path(union named *r, UInt bytes, const HChar *path)
{
	UInt len = VG_(strlen)(path);

	if (len >= MAX_PATH)
		return;
	r->head.bytes = padded(bytes + len + 1);
	VG_(memset)(r->room + bytes, 0, r->head.bytes - bytes);
	VG_(memcpy)(r->room + bytes, path, len);
	vt_ring_log(r, r->head.bytes);
}

static void log_map(const DebugInfo *di)
{
	union named r;

	r.map = (struct pt_log_map){
		.head.kind = PT_LOG_MAP,
		.start = VG_(DebugInfo_get_text_avma)(di),
		.size = VG_(DebugInfo_get_text_size)(di),
		.bias = VG_(DebugInfo_get_text_bias)(di),
	};
	log_path(&r, sizeof(r.map), VG_(DebugInfo_get_filename)(di));
}

/* Valgrind knows objects that have data too, and of them the text; of other
   code there is the file that was mapped. */
static void log_file(Addr code)
{
	union named r = {.head.kind = PT_LOG_FILE};
	const NSegment *segment;
	const HChar *path = NULL;

	if (VG_(find_DebugInfo)(known_epoch, code) != NULL)
		return;
	segment = VG_(am_find_nsegment)(code);
	if (segment != NULL)
		path = VG_(am_get_filename)(segment);
	if (path != NULL)
		log_path(&r, sizeof(r.head), path);
}

static void log_unmap(const struct object *o)
{
	struct pt_log_unmap r = {
		.head = {PT_LOG_UNMAP, sizeof(r)},
		.start = o->start,
		.size = o->size,
	};

	vt_ring_log(&r, sizeof(r));
}

static void drop_unseen(void)
{
	UInt i, kept = 0;

	for (i = 0; i < n_objects; i++) {
		if (objects[i].seen) {
			objects[kept++] = objects[i];
			continue;
		}
		log_unmap(&objects[i]);
		VG_(free)(objects[i].path);
	}
	n_objects = kept;
}

/* Not known by its DebugInfo, whose memory the next one may have got. */
static Bool see(const DebugInfo *di)
{
	UInt i;

	for (i = 0; i < n_objects; i++)
		if (objects[i].start == VG_(DebugInfo_get_text_avma)(di) &&
		    objects[i].size == VG_(DebugInfo_get_text_size)(di) &&
		    VG_(strcmp)(objects[i].path,
				VG_(DebugInfo_get_filename)(di)) == 0)
			return objects[i].seen = True;
	return False;
}

static void add_object(const DebugInfo *di)
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
		.seen = True,
	};
	log_map(di);
}

/* Valgrind counts an epoch on whenever objects come or go. Those that went
   are told first, for others may have taken their place. */
static void follow_objects(void)
{
	DiEpoch now = VG_(current_DiEpoch)();
	const DebugInfo *di;
	UInt i;

	if (epoch_is_known && now.n == known_epoch.n)
		return;
	known_epoch = now;
	epoch_is_known = True;
	for (i = 0; i < n_objects; i++)
		objects[i].seen = False;
	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di))
		see(di);
	drop_unseen();
	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di))
		if (VG_(DebugInfo_get_text_size)(di) != 0 && !see(di))
			add_object(di);
}

const struct pt_log_block *vt_log_block(const struct vt_plan *p)
{
	UInt bytes = record_bytes(p);
	struct pt_log_block *b;

	if (n_routes + p->n_exits > PT_MAX_ROUTES)
		return NULL;
	b = VG_(calloc)("vt.log.block", 1, bytes);
	follow_objects();
	log_file(p->instr[0].addr);
	fill(b, p, bytes);
	keep(b);
	vt_ring_log(b, bytes);
	return b;
}
