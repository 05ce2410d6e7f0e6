/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_log.c - the blocks that the daemon knows; see vt_log.h */

#include "vgtool/vt_log.h"

#include "vgtool/vt_given.h"
#include "vgtool/vt_objects.h"
#include "vgtool/vt_ring.h"

static struct pt_log_block **blocks;  /* by id */
static struct pt_log_values **values; /* by id; NULL: none */
static UInt n_blocks, blocks_size, n_routes;

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

const struct pt_log_values *vt_log_values(const struct pt_log_block *b)
{
	return values[b->id];
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

static UInt record_bytes(const struct vt_plan *p)
{
	return vt_padded(sizeof(struct pt_log_block) +
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

static void keep(struct pt_log_block *b, struct pt_log_values *v)
{
	if (n_blocks == blocks_size) {
		blocks_size = blocks_size ? 2 * blocks_size : 4096;
		blocks = VG_(realloc)("vt.log.blocks", blocks,
				      blocks_size * sizeof(*blocks));
		values = VG_(realloc)("vt.log.values", values,
				      blocks_size * sizeof(*values));
	}
	values[n_blocks] = v;
	blocks[n_blocks++] = b;
	n_routes += b->n_exits;
}

/* In what is kept an instruction's first byte of padding says whether anybody
   wants it. */
UInt vt_log_told(const struct pt_log_block *b, UInt n)
{
	UInt i, told = 0;

	for (i = 0; i < n; i++)
		told += vt_log_instrs(b)[i].pad[0] == 0;
	return told;
}

/* Of a plan, what the windows want. */
static const struct vt_plan *told(const struct vt_plan *p)
{
	static struct vt_plan t;
	const UChar *code = p->code;
	UInt i, at[VT_MAX_INSTRS + 1];

	t.n_instrs = t.n_code = 0;
	for (i = 0; i < p->n_instrs; code += p->instr[i++].len) {
		at[i] = t.n_instrs;
		if (p->lanes[i] == 0)
			continue;
		VG_(memcpy)(t.code + t.n_code, code, p->instr[i].len);
		t.n_code += p->instr[i].len;
		t.lanes[t.n_instrs] = p->lanes[i];
		t.instr[t.n_instrs++] = p->instr[i];
	}
	at[i] = t.n_instrs;
	t.n_accesses = p->n_accesses;
	for (i = 0; i < p->n_accesses; i++) {
		t.access[i] = p->access[i];
		t.access[i].instr = at[p->access[i].instr];
	}
	t.n_exits = p->n_exits;
	for (i = 0; i < p->n_exits; i++) {
		t.exit[i] = p->exit[i];
		t.exit[i].n_instrs = at[p->exit[i].n_instrs];
	}
	t.n_slots = p->n_slots;
	return &t;
}

/* Who wants its instructions: one set when they are alike. */
static void log_wanted(const struct vt_plan *p)
{
	static union {
		struct pt_log_wanted r;
		ULong room[1 + VT_MAX_INSTRS];
	} u;
	UInt i, n = 1;

	for (i = 0; i < p->n_instrs; i++)
		if (p->lanes[i] != p->lanes[0])
			n = p->n_instrs;
	u.r.head = (struct pt_log_head){PT_LOG_WANTED, 8 + 8 * n};
	VG_(memcpy)(u.r.lanes, p->lanes, 8 * n);
	vt_ring_log(&u, 8 + 8 * n);
}

static void log_windowed(struct pt_log_block *kept, const struct vt_plan *p)
{
	static ULong room[PT_MAX_RECORD / 8];
	struct pt_instr *instr = (struct pt_instr *)vt_log_instrs(kept);
	const struct vt_plan *t = told(p);
	UInt i, bytes = record_bytes(t);

	for (i = 0; i < p->n_instrs; i++)
		instr[i].pad[0] = p->lanes[i] == 0;
	log_wanted(t);
	fill((struct pt_log_block *)room, t, bytes);
	((struct pt_log_block *)room)->id = kept->id;
	((struct pt_log_block *)room)->route = kept->route;
	vt_ring_log(room, bytes);
}

/* What the daemon has to be told of slots that are no addresses; NULL: there
   are none. */
static struct pt_log_values *log_values(const struct vt_plan *p)
{
	UInt n = p->has_values ? p->n_accesses : 0;
	UInt bytes = sizeof(struct pt_log_values) + n * sizeof(*p->value);
	struct pt_log_values *v;

	if (!p->has_values && p->stamp == PT_NO_SLOT && p->far == PT_NO_SLOT)
		return NULL;
	v = VG_(malloc)("vt.log.value", bytes);
	*v = (struct pt_log_values){
		.head = {PT_LOG_VALUES, bytes},
		.stamp = p->stamp,
		.n_values = n,
		.far = p->far == PT_NO_SLOT ? 0 : p->far + 1,
	};
	VG_(memcpy)(v->value, p->value, n * sizeof(*p->value));
	vt_ring_log(v, bytes);
	return v;
}

const struct pt_log_block *vt_log_block(const struct vt_plan *p)
{
	UInt bytes = record_bytes(p);
	struct pt_log_block *b;

	if (n_routes + p->n_exits > PT_MAX_ROUTES)
		return NULL;
	b = VG_(calloc)("vt.log.block", 1, bytes);
	vt_objects_follow();
	vt_objects_log_file(p->instr[0].addr);
	fill(b, p, bytes);
	keep(b, log_values(p));
	if (vt_given != NULL)
		log_windowed(b, p);
	else
		vt_ring_log(b, bytes);
	return b;
}
