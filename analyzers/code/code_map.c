/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_map.c - numbers the executed instructions; see code_map.h */

#include "analyzers/code/code_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

/* Adjacent instructions of a block that is being added. */
struct run {
	const struct an_block *block;
	const uint8_t *code; /* bytes of instruction `first`; NULL: unknown */
	unsigned first, end; /* indices of instructions, `end` not included */
};

static int64_t find_newest_version(const struct an_code_map *m,
				   uint64_t address)
{
	struct al_key key = {{address, 0, 0}};
	int64_t i = al_key_table_find_index_or_minus_1(&m->addresses, &key);

	return i < 0 ? -1 : (int64_t)m->newest[i];
}

static int64_t find_node_index(const struct an_code_map *m, uint64_t address,
			       uint32_t version)
{
	struct al_key key = {{address, version, 0}};

	return al_key_table_find_index_or_minus_1(&m->versions, &key);
}

int64_t an_code_map_find_node_or_newest(const struct an_code_map *m,
					uint64_t address, uint32_t version)
{
	int64_t node = find_node_index(m, address, version);
	int64_t newest;

	if (node >= 0)
		return node;
	newest = find_newest_version(m, address);
	return newest < 0 ? -1 : find_node_index(m, address, (uint32_t)newest);
}

static unsigned limit_to_stored_code_bytes(unsigned len)
{
	return len < AN_CODE_BYTES ? len : AN_CODE_BYTES;
}

/* Whether each instruction of the run equals version @version of the
   instruction at its address, if one is recorded; true also if none is. */
static bool is_run_equal_where_recorded(const struct an_code_map *m,
					const struct run *r, uint32_t version)
{
	const uint8_t *code = r->code;

	for (unsigned i = r->first; i < r->end; i++) {
		const struct pt_instr *in = &r->block->instr[i];
		int64_t n = find_node_index(m, in->addr, version);

		if (n >= 0 &&
		    (m->node[n].len != in->len ||
		     (code && memcmp(m->node[n].code, code,
				     limit_to_stored_code_bytes(in->len)))))
			return false;
		if (code)
			code += in->len;
	}
	return true;
}

/* Return the version for a run: the newest version that equals it where code is
   recorded; if there is none, the newest one + 1. */
static uint32_t choose_matching_or_new_version(const struct an_code_map *m,
					       const struct run *r)
{
	int64_t newest = 0;

	for (unsigned i = r->first; i < r->end; i++) {
		int64_t v = find_newest_version(m, r->block->instr[i].addr);

		if (v > newest)
			newest = v;
	}
	for (int64_t v = newest; v >= 0; v--)
		if (is_run_equal_where_recorded(m, r, (uint32_t)v))
			return (uint32_t)v;
	return (uint32_t)newest + 1;
}

static int add_or_raise_newest_version(struct an_code_map *m, uint64_t address,
				       uint32_t version)
{
	struct al_key key = {{address, 0, 0}};
	uint32_t known = m->addresses.n;
	int64_t i = al_key_table_find_or_add_index(&m->addresses, &key);

	if (i < 0 ||
	    al_array_reserve(m->newest, m->max_newest, m->addresses.n) != 0)
		return -ENOMEM;
	if (i == known || version > m->newest[i])
		m->newest[i] = version;
	return 0;
}

static void init_node_and_decode_branch(struct an_instr_node *n,
					const struct run *r, unsigned instr,
					const uint8_t *code, uint32_t version)
{
	const struct pt_instr *in = &r->block->instr[instr];

	*n = (struct an_instr_node){
		.address = in->addr,
		.block = r->block,
		.instr = (uint16_t)instr,
		.len = in->len,
		.version = version,
	};
	if (code == NULL)
		return;
	memcpy(n->code, code, limit_to_stored_code_bytes(in->len));
	n->branch = an_branch_decode(code, in->len, in->addr);
}

static int find_or_add_nodes_of_run(struct an_code_map *m, struct run r,
				    uint32_t *node_of_instr)
{
	uint32_t version = choose_matching_or_new_version(m, &r);
	const uint8_t *code = r.code;

	for (unsigned i = r.first; i < r.end; i++) {
		struct al_key key = {{r.block->instr[i].addr, version, 0}};
		uint32_t known = m->versions.n;
		int64_t n = al_key_table_find_or_add_index(&m->versions, &key);

		if (n < 0 ||
		    al_array_reserve(m->node, m->max_nodes, m->versions.n) != 0)
			return -ENOMEM;
		if (n == known)
			init_node_and_decode_branch(&m->node[n], &r, i, code,
						    version);
		if (add_or_raise_newest_version(m, key.word[0], version) != 0)
			return -ENOMEM;
		node_of_instr[i] = (uint32_t)n;
		if (code)
			code += r.block->instr[i].len;
	}
	return 0;
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
		err = find_or_add_nodes_of_run(m, r, node_of_instr);
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
	al_key_table_release(&m->versions);
	al_key_table_release(&m->addresses);
	free(m->node);
	free(m->newest);
	*m = (struct an_code_map){0};
}
