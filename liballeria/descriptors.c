/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descriptors.c - reads the block descriptors of an image; see descriptors.h
 */
#include "liballeria/descriptors.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "liballeria/windows.h"
#include "proto/unit.h"

enum { MAX_FORKS = 4096 /* greatest depth of nested forks */ };

/* ---- the log ---- */

/* Read the descriptors of blocks of code in the stream's next PF_LOG block into
   s->blocks. Return: 0; -EBADMSG: the block is damaged, or an earlier log block
   is missing; -EPROTO: a record is invalid; another -errno. */
static int read_descriptors_of_next_log_block(struct ap_stream *s)
{
	uint32_t entry = s->logs.entry[s->n_logs];
	const struct pf_head *h = ap_entry_head(s->profile, entry);
	const void *log;
	int err = 0;

	if (h->position != s->blocks.log_bytes)
		return -EBADMSG;
	if (h->bytes > 0)
		err = ap_load_block(s->profile, entry, &log);
	if (!err && h->bytes > 0)
		err = al_blocks_parse_and_store_log(&s->blocks, log, h->bytes);
	if (!err)
		s->n_logs++;
	return err;
}

/* Read the next log block, unless damage was found earlier: then return the
   stored error. New damage is stored; after other errors a call may be
   repeated. Return: 0; -errno. */
static int read_next_log_block(struct ap_stream *s)
{
	int err = s->log_error ? s->log_error
			       : read_descriptors_of_next_log_block(s);

	if (err == -EBADMSG || err == -EPROTO)
		s->log_error = -EBADMSG;
	return err;
}

/* Read the parent's log up to the fork, and make the blocks described there
   part of this stream, without copying them. Return: 0; -errno. */
static int read_and_borrow_parent_blocks(struct ap_stream *s)
{
	struct ap_stream *parent = (struct ap_stream *)s->fork_of;
	int err = 0;

	while (!err && parent->blocks.log_bytes < s->fork_log)
		err = parent->n_logs < parent->logs.n
			      ? read_next_log_block(parent)
			      : -EBADMSG;
	if (!err)
		err = al_blocks_borrow_blocks_and_mappings(
			&s->blocks, &parent->blocks, s->fork_blocks,
			s->fork_log);
	s->fork_routes = s->blocks.n_routes;
	return err;
}

/* Read the descriptors inherited at the fork, those of all ancestors first,
   unless they were read already. Return: 0; -errno. Damage is stored in
   log_error. */
static int inherit_fork_blocks_once(struct ap_stream *s)
{
	int err = 0;

	if (s->has_inherited || !s->fork_of) {
		s->has_inherited = true;
		return 0;
	}
	if (s->log_error)
		return s->log_error;
	if (s->depth > MAX_FORKS)
		err = -EBADMSG;
	if (!err)
		err = inherit_fork_blocks_once((struct ap_stream *)s->fork_of);
	if (!err)
		err = read_and_borrow_parent_blocks(s);
	if (err == -EBADMSG || err == -EPROTO)
		s->log_error = -EBADMSG;
	s->has_inherited = !err;
	return err;
}

int ap_stream_read_log_before_entry(struct ap_stream *s, uint32_t entry_index)
{
	int err = inherit_fork_blocks_once(s);

	while (!err && s->n_logs < s->logs.n &&
	       s->logs.entry[s->n_logs] < entry_index)
		err = read_next_log_block(s);
	return err == -EPROTO ? -EBADMSG : err;
}

uint64_t ap_stream_log_bytes_before_entry(const struct ap_stream *s,
					  uint32_t entry_index)
{
	uint64_t log_offset = 0;

	for (uint32_t i = 0; i < s->logs.n && s->logs.entry[i] < entry_index;
	     i++) {
		const struct pf_head *h =
			ap_entry_head(s->profile, s->logs.entry[i]);

		log_offset = h->position + h->bytes;
	}
	return log_offset;
}

/* ---- blocks ---- */

/* A block followed by its arrays, in one allocation. */
struct block_with_arrays {
	struct ap_block block;
	char arrays[];
};

static const uint8_t jump_kinds[] = {
	[PT_JUMP_CALL] = ALLERIA_CALL,
	[PT_JUMP_RET] = ALLERIA_RETURN,
	[PT_JUMP_SYSCALL] = ALLERIA_SYSCALL,
};

static const uint8_t no_bytes[PT_MAX_LEN];

/* Fill the array of a block's instructions at *@write_pos, and advance
   *@write_pos past it. Return the array. Each append_...() below does the same
   for another array. */
static const void *append_public_instructions(char **write_pos,
					      const struct al_desc *d)
{
	struct alleria_code *code = (void *)*write_pos;
	const uint8_t *bytes = d->code;

	for (unsigned i = 0; i < d->n_instrs; i++) {
		code[i] = (struct alleria_code){
			.address = d->instr[i].addr,
			.bytes = bytes ? bytes : no_bytes,
			.size = d->instr[i].len,
		};
		if (bytes)
			bytes += d->instr[i].len;
	}
	*write_pos += d->n_instrs * sizeof(*code);
	return code;
}

static const void *append_public_accesses(char **write_pos,
					  const struct al_desc *d)
{
	struct alleria_code_access *access = (void *)*write_pos;

	for (unsigned i = 0; i < d->n_accesses; i++)
		access[i] = (struct alleria_code_access){
			.code = d->access[i].instr,
			.size = d->access[i].size,
			.kind = d->access[i].kind,
			.flags = d->access[i].flags,
		};
	*write_pos += d->n_accesses * sizeof(*access);
	return access;
}

static const void *append_public_exits(char **write_pos,
				       const struct al_desc *d)
{
	struct alleria_code_exit *exit = (void *)*write_pos;

	for (unsigned i = 0; i < d->n_exits; i++) {
		const struct pt_exit *e = &d->exit[i];

		exit[i] = (struct alleria_code_exit){
			.target = e->target,
			.n_code = e->n_instrs,
			.n_accesses = e->n_accesses,
			.kind = e->jump < sizeof(jump_kinds)
					? jump_kinds[e->jump]
					: ALLERIA_JUMP,
			.signal = e->signal,
		};
	}
	*write_pos += d->n_exits * sizeof(*exit);
	return exit;
}

static const struct pt_value no_value = {PT_NO_SLOT, PT_NO_SLOT, PT_NO_SLOT,
					 PT_NO_SLOT};

/* Whether units have a slot (8 recorded bytes) for each value that the access
   reads and writes: both for a modify, else for the one of its kind. */
static bool has_all_values_recorded(const struct pt_access *a,
				    const struct pt_value *value_slots)
{
	return (a->kind == PT_STORE || value_slots->read != PT_NO_SLOT) &&
	       (a->kind == PT_LOAD || value_slots->written != PT_NO_SLOT);
}

/* Fill an array at *@write_pos, in the memory of a public block: for each
   instruction, the number of the set of windows that record it (see
   alleria_window_set()); 0 if memory is short. Advance *@write_pos past the
   array, and return it. NULL if the image has no plan; *@write_pos is then
   unchanged. */
static const uint32_t *
append_window_set_number_of_each_instr(char **write_pos, struct ap_stream *s,
				       const struct al_block *x)
{
	uint64_t all_executed =
		al_executed_nonwarm_lanes_of_class(&s->executed, x->class);
	uint32_t *window = (void *)*write_pos;

	if (!s->plan)
		return NULL;
	for (unsigned i = 0; i < x->desc->n_instrs; i++)
		(void)!ap_find_or_add_window_set_of_lanes(
			s, al_desc_lanes_of_instr(x->desc, i) & all_executed,
			&window[i]);
	*write_pos += (x->desc->n_instrs + 1u) / 2 * 8;
	return window;
}

static const void *append_static_accesses(char **write_pos,
					  const struct al_desc *d,
					  const uint32_t *window_set_by_instr)
{
	struct ap_static_access *accesses = (void *)*write_pos;

	for (unsigned i = 0; i < d->n_accesses; i++) {
		const struct pt_access *a = &d->access[i];

		accesses[i] = (struct ap_static_access){
			.delta = a->delta,
			.code = d->instr[a->instr].addr,
			.instr = a->instr,
			.slot = a->slot,
			.size = a->size,
			.kind = a->kind,
			.flags = a->flags,
			.value = no_value,
			.window = window_set_by_instr
					  ? window_set_by_instr[a->instr]
					  : 0,
		};
		if (d->value)
			accesses[i].value = d->value[i];
		if (has_all_values_recorded(a, &accesses[i].value))
			accesses[i].flags |= ALLERIA_VALUE;
	}
	*write_pos += d->n_accesses * sizeof(*accesses);
	return accesses;
}

/* Whether one of the first @access_count accesses of block @d has a guard in a
   slot, so that it may not be performed. */
static bool has_guard_among_first_accesses(const struct al_desc *d,
					   unsigned access_count)
{
	for (unsigned i = 0; i < access_count; i++)
		if ((d->access[i].flags & PT_GUARDED) &&
		    d->access[i].slot != PT_NO_SLOT)
			return true;
	return false;
}

static const void *append_exits_for_decoding(char **write_pos,
					     const struct ap_block *b)
{
	const struct al_desc *d = b->desc;
	struct ap_exit *exit = (void *)*write_pos;

	for (unsigned i = 0; i < d->n_exits; i++)
		exit[i] = (struct ap_exit){
			.block = b,
			.access = b->access,
			.index = (uint16_t)i,
			.n_instrs = d->exit[i].n_instrs,
			.n_accesses = d->exit[i].n_accesses,
			.length = (uint8_t)(d->exit[i].bytes / 4),
			.has_values = d->value != NULL,
			.has_guards = has_guard_among_first_accesses(
				d, d->exit[i].n_accesses),
		};
	*write_pos += d->n_exits * sizeof(*exit);
	return exit;
}

/* Whether an x86-64 instruction is a direct call (opcode e8), after which
   Valgrind may continue the block in the callee. */
static bool is_direct_call(const struct alleria_code *code)
{
	unsigned i = 0;

	while (i + 1u < code->size &&
	       (code->bytes[i] == 0x66 || code->bytes[i] == 0xf2 ||
		(code->bytes[i] & 0xf0) == 0x40))
		i++;
	return code->bytes[i] == 0xe8;
}

/* Whether an x86-64 instruction is a string instruction with a rep prefix, each
   iteration of which is an execution. */
static bool is_repeated_string_instruction(const struct alleria_code *code)
{
	bool has_rep = false;
	unsigned i = 0;
	uint8_t opcode;

	for (; i + 1u < code->size; i++) {
		bool is_rep = code->bytes[i] == 0xf2 || code->bytes[i] == 0xf3;

		if (!is_rep && code->bytes[i] != 0x66 &&
		    code->bytes[i] != 0x67 && (code->bytes[i] & 0xf0) != 0x40)
			break;
		has_rep |= is_rep;
	}
	opcode = code->bytes[i];
	return has_rep && ((opcode >= 0x6c && opcode <= 0x6f) ||
			   (opcode >= 0xa4 && opcode <= 0xa7) ||
			   (opcode >= 0xaa && opcode <= 0xaf));
}

bool ap_is_rep_string_instr_repeated_at(const struct alleria_code *instr,
					uint64_t next_address)
{
	return instr->address == next_address &&
	       is_repeated_string_instruction(instr);
}

/* Store in @kind_plus_1_by_target_instr [n_code] for each instruction how
   control reached it from the previous one: 1 + enum alleria_branch_kind; 0:
   by no branch. Also set has_inner_branches if one is not 0. Return the
   array. */
static const uint8_t *
fill_branch_kinds_set_has_inner_branches(uint8_t *kind_plus_1_by_target_instr,
					 struct ap_block *b)
{
	const struct alleria_code *code = b->pub.code;

	for (unsigned i = 1; i < b->pub.n_code; i++) {
		if (is_direct_call(&code[i - 1]))
			kind_plus_1_by_target_instr[i] = 1 + ALLERIA_CALL;
		else if (code[i - 1].address + code[i - 1].size !=
				 code[i].address &&
			 !ap_is_rep_string_instr_repeated_at(&code[i - 1],
							     code[i].address))
			kind_plus_1_by_target_instr[i] = 1 + ALLERIA_JUMP;
		b->has_inner_branches |= kind_plus_1_by_target_instr[i] != 0;
	}
	return kind_plus_1_by_target_instr;
}

/* Allocate a public block with its arrays for executed block @x of stream @s.
   NULL: memory is short. */
static struct ap_block *alloc_block_with_arrays(struct ap_stream *s,
						const struct al_block *x)
{
	const struct al_desc *d = x->desc;
	struct block_with_arrays *w = calloc(
		1, sizeof(*w) +
			   d->n_instrs * (sizeof(struct alleria_code) + 1) +
			   (d->n_instrs + 1u) / 2 * 8 +
			   d->n_accesses * (sizeof(struct alleria_code_access) +
					    sizeof(struct ap_static_access)) +
			   d->n_exits * (sizeof(struct alleria_code_exit) +
					 sizeof(struct ap_exit)));
	char *next;

	if (!w)
		return NULL;
	next = w->arrays;
	w->block.desc = d;
	w->block.stream = s;
	w->block.pub = (struct alleria_block){
		.code = append_public_instructions(&next, d),
		.access = append_public_accesses(&next, d),
		.exit = append_public_exits(&next, d),
		.number = x->pub.id,
		.object = d->mapping ? d->mapping->number : ALLERIA_NONE,
		.process = s->pub.process,
		.image = s->pub.number,
		.n_code = d->n_instrs,
		.n_accesses = d->n_accesses,
		.n_exits = d->n_exits,
		.flags = x->is_partial ? ALLERIA_FAULTED : 0,
	};
	w->block.window = append_window_set_number_of_each_instr(&next, s, x);
	w->block.access = append_static_accesses(&next, d, w->block.window);
	w->block.exit = append_exits_for_decoding(&next, &w->block);
	w->block.inner_branch = fill_branch_kinds_set_has_inner_branches(
		(uint8_t *)next, &w->block);
	return &w->block;
}

/* Set *@out to the public block of executed block @x, after making the public
   blocks of all executed blocks up to @x, which have the same numbers. Return:
   0; -ENOMEM. */
static int make_blocks_up_to_and_find(struct ap_stream *s,
				      const struct al_block *x,
				      const struct ap_block **out)
{
	while (s->n_blocks <= x->pub.id) {
		const struct al_block *next = s->executed.block[s->n_blocks];

		if (al_array_reserve(s->block, s->blocks_size,
				     s->n_blocks + 1) != 0)
			return -ENOMEM;
		s->block[s->n_blocks] = alloc_block_with_arrays(s, next);
		if (!s->block[s->n_blocks])
			return -ENOMEM;
		s->n_blocks++;
	}
	*out = s->block[x->pub.id];
	return 0;
}

int ap_block_find_or_make_by_route(struct ap_stream *s,
				   uint32_t block_and_exit_route,
				   unsigned thread_class,
				   const struct ap_block **out)
{
	struct al_block *x;
	uint32_t id;
	int err;

	if (block_and_exit_route >= s->blocks.n_routes)
		return -EPROTO;
	id = al_blocks_find_block_id_of_route(&s->blocks, block_and_exit_route);
	err = al_executed_find_or_add_block(&s->executed, &s->blocks, id,
					    thread_class, &x);
	if (err)
		return err;
	if (x)
		return make_blocks_up_to_and_find(s, x, out);
	*out = ap_unrecorded_block_placeholder(s, id);
	return *out ? 0 : -ENOMEM;
}

int ap_block_find_or_make_partial(struct ap_stream *s, uint32_t block_id,
				  uint64_t fault_position,
				  unsigned thread_class,
				  const struct ap_block **out)
{
	struct al_block *x;
	int err = al_executed_find_or_add_faulted_part(&s->executed, &s->blocks,
						       block_id, fault_position,
						       thread_class, &x);

	*out = NULL;
	return err || !x ? err : make_blocks_up_to_and_find(s, x, out);
}
