/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_map.c - numbers the executed instructions; see code_map.h */

#include "analyzers/code/code_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

/* A run: instructions at adjacent addresses of a block that is being added. */
struct run {
	const struct an_block *block;
	const uint8_t *code; /* bytes of the code from instruction `first`
				on; NULL: unknown */
	unsigned first, end; /* indices of instructions, `end` not included */
};

/* ---- the first node at an address ---- */

static bool has_address(const void *nodes, uint32_t index, const void *address)
{
	return ((const struct an_instr_node *)nodes)[index].address ==
	       *(const uint64_t *)address;
}

static uint32_t hash_of_node_address(const void *nodes, uint32_t index)
{
	return al_index_table_hash(
		((const struct an_instr_node *)nodes)[index].address, 0);
}

/* Return the node at @address that was added first; NULL: there is none. */
static struct an_instr_node *
find_first_node_or_null(const struct an_code_map *m, uint64_t address)
{
	uint32_t i = al_index_table_find_index_plus_1(
		&m->addresses, al_index_table_hash(address, 0), has_address,
		m->node, &address);

	return i == 0 ? NULL : &m->node[i - 1];
}

/* ---- versions ---- */

static int64_t find_newest_version_number(const struct an_code_map *m,
					  uint64_t address)
{
	const struct an_instr_node *first = find_first_node_or_null(m, address);

	return first == NULL ? -1 : (int64_t)first->newest;
}

static int64_t find_node_index(const struct an_code_map *m, uint64_t address,
			       uint32_t version)
{
	const struct an_instr_node *first = find_first_node_or_null(m, address);
	struct al_key key = {{address, version, 0}};
	int64_t i;

	if (first == NULL)
		return -1;
	if (first->version == version)
		return first - m->node;
	i = al_key_table_find_index_or_minus_1(&m->others, &key);
	return i < 0 ? -1 : (int64_t)m->other[i];
}

int64_t an_code_map_find_node_or_newest(const struct an_code_map *m,
					uint64_t address, uint32_t version)
{
	int64_t node = find_node_index(m, address, version);
	int64_t newest;

	if (node >= 0)
		return node;
	newest = find_newest_version_number(m, address);
	return newest < 0 ? -1 : find_node_index(m, address, (uint32_t)newest);
}

/* Whether an instruction has the bytes @code. If its own are unknown, they
   count as zeros. */
static bool is_code_of_node(const struct an_instr_node *n, const uint8_t *code)
{
	static const uint8_t unknown[AN_MAX_CODE_BYTES];
	size_t len = n->len < AN_MAX_CODE_BYTES ? n->len : AN_MAX_CODE_BYTES;

	return memcmp(an_instr_node_code_or_null(n) ?: unknown, code, len) == 0;
}

/* Whether each instruction of the run (adjacent instructions) equals version
   @version of the instruction at its address, if one is recorded; true also if
   none is. */
static bool can_instr_sequence_have_version(const struct an_code_map *m,
					    const struct run *r,
					    uint32_t version)
{
	const uint8_t *code = r->code;

	for (unsigned i = r->first; i < r->end; i++) {
		const struct pt_instr *in = &r->block->instr[i];
		int64_t n = find_node_index(m, in->addr, version);

		if (n >= 0 && (m->node[n].len != in->len ||
			       (code && !is_code_of_node(&m->node[n], code))))
			return false;
		if (code)
			code += in->len;
	}
	return true;
}

/* Return the version for a run (adjacent instructions of a block): the newest
   version that equals it where code is recorded; if there is none, the newest
   one + 1. */
static uint32_t choose_matching_or_new_version(const struct an_code_map *m,
					       const struct run *r)
{
	int64_t newest = 0;

	for (unsigned i = r->first; i < r->end; i++) {
		int64_t v =
			find_newest_version_number(m, r->block->instr[i].addr);

		if (v > newest)
			newest = v;
	}
	for (int64_t v = newest; v >= 0; v--)
		if (can_instr_sequence_have_version(m, r, (uint32_t)v))
			return (uint32_t)v;
	return (uint32_t)newest + 1;
}

static struct an_instr_node make_node_of_instr(const struct run *r,
					       unsigned instr,
					       const uint8_t *code,
					       uint32_t version)
{
	const struct pt_instr *in = &r->block->instr[instr];
	struct an_instr_node n = {
		.address = in->addr,
		.block = r->block,
		.instr = (uint16_t)instr,
		.len = in->len,
		.version = version,
		.newest = version,
	};

	if (code != NULL) {
		struct an_branch b = an_branch_decode(code, in->len, in->addr);

		n.code_offset = (uint32_t)(code - r->block->code) & 0xffffff;
		n.branch_kind = b.kind;
		n.is_indirect = b.is_indirect;
	}
	return n;
}

/* Add a node for address @n->address, where @first_at_address_or_null is the
   first node; NULL: there is none. Return: 0 or -ENOMEM. */
static int add_first_or_further_node_at_address(
	struct an_code_map *m, struct an_instr_node *first_at_address_or_null,
	const struct an_instr_node *n)
{
	struct al_key key = {{n->address, n->version, 0}};
	int64_t i;

	if (first_at_address_or_null != NULL) {
		if (n->version > first_at_address_or_null->newest)
			first_at_address_or_null->newest = n->version;
		i = al_key_table_find_or_add_index(&m->others, &key);
		if (i < 0 ||
		    al_array_reserve(m->other, m->max_others, m->others.n) != 0)
			return -ENOMEM;
		m->other[i] = m->n_nodes;
	}
	if (al_array_reserve(m->node, m->max_nodes, m->n_nodes + 1u) != 0)
		return -ENOMEM;
	m->node[m->n_nodes++] = *n;
	return first_at_address_or_null != NULL
		       ? 0
		       : al_index_table_add(&m->addresses, m->n_nodes - 1,
					    hash_of_node_address, m->node);
}

static int find_or_add_nodes_of_instr_sequence(struct an_code_map *m,
					       struct run r,
					       uint32_t *node_of_instr)
{
	uint32_t version = choose_matching_or_new_version(m, &r);
	const uint8_t *code = r.code;

	for (unsigned i = r.first; i < r.end; i++) {
		uint64_t address = r.block->instr[i].addr;
		int64_t n = find_node_index(m, address, version);

		node_of_instr[i] = n < 0 ? m->n_nodes : (uint32_t)n;
		if (n < 0) {
			struct an_instr_node new =
				make_node_of_instr(&r, i, code, version);

			if (add_first_or_further_node_at_address(
				    m, find_first_node_or_null(m, address),
				    &new) != 0)
				return -ENOMEM;
		}
		if (code)
			code += r.block->instr[i].len;
	}
	return 0;
}

uint64_t an_instr_node_branch_target_or_0(const struct an_instr_node *n)
{
	const uint8_t *code = an_instr_node_code_or_null(n);

	if (code == NULL || n->is_indirect || n->branch_kind == AN_BRANCH_NONE)
		return 0;
	return an_branch_decode(code, n->len, n->address).target;
}

int an_code_map_add_block(struct an_code_map *m, const struct an_block *b,
			  uint32_t *node_of_instr)
{
	struct run r = {.block = b, .code = b->code};

	while (r.first < b->n_instrs) {
		const struct pt_instr *in = b->instr;
		size_t bytes = in[r.first].len;
		int err;

		for (r.end = r.first + 1;
		     r.end < b->n_instrs &&
		     in[r.end - 1].addr + in[r.end - 1].len == in[r.end].addr;
		     r.end++)
			bytes += in[r.end].len;
		err = find_or_add_nodes_of_instr_sequence(m, r, node_of_instr);
		if (err)
			return err;
		if (r.code)
			r.code += bytes;
		r.first = r.end;
	}
	return 0;
}

void an_code_map_release(struct an_code_map *m)
{
	al_index_table_release(&m->addresses);
	al_key_table_release(&m->others);
	free(m->node);
	free(m->other);
	*m = (struct an_code_map){0};
}
