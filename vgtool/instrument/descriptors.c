/* SPDX-License-Identifier: GPL-2.0-or-later */
/* descriptors.c - logs each block's descriptor once; see descriptors.h */

#include "vgtool/instrument/descriptors.h"

#include "vgtool/core/plan_view.h"
#include "vgtool/instrument/descriptor_budget.h"
#include "vgtool/instrument/known_descriptors.h"
#include "vgtool/transport/objects.h"
#include "vgtool/transport/ring.h"

static UInt n_routes;

UInt vt_descriptor_n_described_blocks(void)
{
	return vt_known_n_descriptors();
}

static struct pt_log_block *block_by_id(UInt existing_id)
{
	return vt_known_descriptor_by_id(existing_id)->block;
}

const struct pt_log_block *vt_descriptor_find_block_by_route(UInt route)
{
	UInt low = 0,
	     high = vt_known_n_descriptors(); /* the block's id is in [low,
						 high) */

	if (route >= n_routes)
		return NULL;
	while (high - low > 1) {
		UInt middle = low + (high - low) / 2;

		if (block_by_id(middle)->route <= route)
			low = middle;
		else
			high = middle;
	}
	return block_by_id(low);
}

const struct pt_log_values *
vt_descriptor_value_slots_or_null(const struct pt_log_block *b)
{
	return vt_known_descriptor_by_id(b->id)->values;
}

const struct pt_instr *vt_descriptor_instrs(const struct pt_log_block *b)
{
	return (const struct pt_instr *)(b + 1);
}

const struct pt_access *vt_descriptor_accesses(const struct pt_log_block *b)
{
	return (const struct pt_access *)(vt_descriptor_instrs(b) +
					  b->n_instrs);
}

const struct pt_exit *vt_descriptor_exits(const struct pt_log_block *b)
{
	return (const struct pt_exit *)(vt_descriptor_accesses(b) +
					b->n_accesses);
}

/* Return the size [bytes] of a struct pt_log_block with the arrays of layout
   @p, padded to a multiple of 8. */
static UInt block_descriptor_record_bytes(const struct vt_block_layout *p)
{
	return vt_record_bytes_padded_to_8(
		sizeof(struct pt_log_block) +
		p->n_instrs * sizeof(struct pt_instr) +
		p->n_accesses * sizeof(struct pt_access) +
		p->n_exits * sizeof(struct pt_exit) + p->n_code);
}

/* Fill in the record @b, of @record_bytes, with the layout @p and the next
   block id. */
static void fill_record_from_layout(struct pt_log_block *b,
				    const struct vt_block_layout *p,
				    UInt record_bytes)
{
	UChar *code = (UChar *)b + record_bytes -
		      vt_record_bytes_padded_to_8(p->n_code);

	*b = (struct pt_log_block){
		.head = {PT_LOG_BLOCK, record_bytes},
		.id = vt_known_n_descriptors(),
		.route = n_routes,
		.n_instrs = p->n_instrs,
		.n_accesses = p->n_accesses,
		.n_exits = p->n_exits,
		.n_code = p->n_code,
		.n_slots = p->n_slots,
	};
	VG_(memcpy)
	((void *)vt_descriptor_instrs(b), p->instr,
	 p->n_instrs * sizeof(struct pt_instr));
	VG_(memcpy)
	((void *)vt_descriptor_accesses(b), p->access,
	 p->n_accesses * sizeof(struct pt_access));
	VG_(memcpy)
	((void *)vt_descriptor_exits(b), p->exit,
	 p->n_exits * sizeof(struct pt_exit));
	VG_(memset)(code, 0, vt_record_bytes_padded_to_8(p->n_code));
	VG_(memcpy)(code, p->code, p->n_code);
}

/* In the tool's copy of a record, an instruction's first byte of padding is 1
   if no lane (a window's thread filter) records the instruction. */
UInt vt_descriptor_count_recorded_instrs(const struct pt_log_block *b,
					 UInt instr_count)
{
	UInt i, n_logged = 0;

	for (i = 0; i < instr_count; i++)
		n_logged += vt_descriptor_instrs(b)[i].pad[0] == 0;
	return n_logged;
}

/* Return a copy of layout @p without the instructions that no lane (a window's
   thread filter) records. Valid until the next call. */
static const struct vt_block_layout *
copy_layout_of_recorded_instrs(const struct vt_block_layout *p)
{
	static struct vt_block_layout t;
	const UChar *code = p->code;
	UInt i, new_index[VT_MAX_INSTRS + 1];

	t.n_instrs = t.n_code = 0;
	for (i = 0; i < p->n_instrs; code += p->instr[i++].len) {
		new_index[i] = t.n_instrs;
		if (p->lanes[i] == 0)
			continue;
		VG_(memcpy)(t.code + t.n_code, code, p->instr[i].len);
		t.n_code += p->instr[i].len;
		t.lanes[t.n_instrs] = p->lanes[i];
		t.instr[t.n_instrs++] = p->instr[i];
	}
	new_index[i] = t.n_instrs;
	t.n_accesses = p->n_accesses;
	for (i = 0; i < p->n_accesses; i++) {
		t.access[i] = p->access[i];
		t.access[i].instr = new_index[p->access[i].instr];
	}
	t.n_exits = p->n_exits;
	for (i = 0; i < p->n_exits; i++) {
		t.exit[i] = p->exit[i];
		t.exit[i].n_instrs = new_index[p->exit[i].n_instrs];
	}
	t.n_slots = p->n_slots;
	return &t;
}

/* Return the record of which lanes (windows' thread filters) record each
   instruction of @p: a mask for each instruction, or one mask if all are equal.
   Valid until the next call. */
static struct pt_log_lanes *
fill_instr_lane_masks_in_static_record(const struct vt_block_layout *p)
{
	static union {
		struct pt_log_lanes r;
		ULong room[1 + VT_MAX_INSTRS];
	} u;
	UInt i, n = 1;

	for (i = 0; i < p->n_instrs; i++)
		if (p->lanes[i] != p->lanes[0])
			n = p->n_instrs;
	u.r.head = (struct pt_log_head){PT_LOG_LANES, 8 + 8 * n};
	VG_(memcpy)(u.r.lanes, p->lanes, 8 * n);
	return &u.r;
}

/* Return the record of those slots of the block that hold its values, its time
   stamp or the process's instruction count; NULL if it has no such slots. Valid
   until the next call. */
static struct pt_log_values *
fill_record_of_nonaddress_slots_or_null(const struct vt_block_layout *p)
{
	static union {
		struct pt_log_values r;
		ULong room[2 + VT_MAX_ACCESSES];
	} u;
	UInt n = p->has_values ? p->n_accesses : 0;

	if (!p->has_values && p->stamp_slot == PT_NO_SLOT &&
	    p->instret_slot == PT_NO_SLOT)
		return NULL;
	u.r = (struct pt_log_values){
		.head = {PT_LOG_VALUES, sizeof(u.r) + n * sizeof(*p->value)},
		.stamp = p->stamp_slot,
		.n_values = n,
		.far = p->instret_slot == PT_NO_SLOT ? 0 : p->instret_slot + 1,
	};
	VG_(memcpy)(u.r.value, p->value, n * sizeof(*p->value));
	return &u.r;
}

/* Return the records that describe layout @p as the block with the next id;
   nothing is logged. @recorded: copy_layout_of_recorded_instrs() of @p; NULL
   without windows. Valid until the next call. */
static struct vt_descriptor
make_block_descriptor_in_static_memory(const struct vt_block_layout *p,
				       const struct vt_block_layout *recorded)
{
	static ULong room[PT_MAX_RECORD / 8];
	struct vt_descriptor d = {
		.block = (struct pt_log_block *)room,
		.values = fill_record_of_nonaddress_slots_or_null(p),
		.lanes = recorded != NULL
				 ? fill_instr_lane_masks_in_static_record(
					   recorded)
				 : NULL,
		.object =
			vt_objects_find_or_assign_number_or_0(p->instr[0].addr),
	};
	struct pt_instr *instr;
	UInt i;

	fill_record_from_layout(d.block, p, block_descriptor_record_bytes(p));
	instr = (struct pt_instr *)vt_descriptor_instrs(d.block);
	for (i = 0; recorded != NULL && i < p->n_instrs; i++)
		instr[i].pad[0] = p->lanes[i] == 0;
	return d;
}

/* Log the records @d that describe a block's code, after the path of its file
   if Valgrind knows no object file there. @recorded_layout:
   copy_layout_of_recorded_instrs() of the block's layout, which is logged in
   place of d->block; NULL if no windows restrict what is recorded. */
static void log_block_records(const struct vt_descriptor *d,
			      const struct vt_block_layout *recorded_layout)
{
	static ULong room[PT_MAX_RECORD / 8];
	struct pt_log_block *b = d->block;

	vt_objects_log_file_if_no_object(vt_descriptor_instrs(d->block)->addr);
	if (d->values != NULL)
		vt_ring_await_room_and_append_log(d->values,
						  d->values->head.bytes);
	if (d->lanes != NULL) {
		vt_ring_await_room_and_append_log(d->lanes,
						  d->lanes->head.bytes);
		b = (struct pt_log_block *)room;
		fill_record_from_layout(
			b, recorded_layout,
			block_descriptor_record_bytes(recorded_layout));
	}
	vt_ring_await_room_and_append_log(b, b->head.bytes);
}

const struct pt_log_block *
vt_descriptor_find_or_log_block(const struct vt_block_layout *p)
{
	const struct vt_block_layout *recorded =
		vt_recording_plan != NULL ? copy_layout_of_recorded_instrs(p)
					  : NULL;
	const struct pt_log_block *b;
	struct vt_descriptor d;
	UInt id;

	vt_objects_update_and_log_changes();
	d = make_block_descriptor_in_static_memory(p, recorded);
	id = vt_known_find_discarded_equal_or_none(&d);
	if (id != VT_NO_DESCRIPTOR)
		return block_by_id(id);
	if (!vt_budget_allows_number_of_exits(n_routes + p->n_exits) ||
	    !vt_budget_allows_or_stops_recording(vt_known_descriptor_bytes()))
		return NULL;
	log_block_records(&d, recorded);
	b = vt_known_add_descriptor_copy(&d);
	n_routes += b->n_exits;
	return b;
}
