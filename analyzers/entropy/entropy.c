/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entropy.c - entropy of the addresses of data accesses
 *
 * Each access counts once by its first address, whatever its size; a modify
 * counts twice. (Global and local memory entropy: Shao and Brooks, ISPASS 2013,
 * as in PRISM.)
 */

#include <errno.h>

#include "analyzers/analyzer.h"
#include "analyzers/block_list.h"
#include "analyzers/entropy/address_counts.h"

struct entropy {
	struct an_address_counts counts;
	struct an_block_list blocks;
	uint64_t n_accesses; /* counted accesses; a modify is two */
};

static int entropy_store_block_pointer(void *state, const struct an_block *b)
{
	return an_block_list_append(&((struct entropy *)state)->blocks, b);
}

static int count_address_unless_guarded_off(struct entropy *s,
					    const struct pt_access *access,
					    const struct an_batch *batch,
					    struct an_exec exec)
{
	uint64_t base = access->slot == PT_NO_SLOT
				? 0
				: an_exec_slot_value(batch, exec, access->slot);
	unsigned times = access->kind == PT_MODIFY ? 2 : 1;

	if ((access->flags & PT_GUARDED) && access->slot != PT_NO_SLOT &&
	    base == PT_NOT_DONE)
		return 0;
	s->n_accesses += times;
	return an_address_counts_add(&s->counts, base + access->delta, times);
}

static int entropy_count_addresses_of_batch(void *state,
					    const struct an_batch *batch)
{
	struct entropy *s = state;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_block *b = s->blocks.block[e.block];
		unsigned n = b->exit[an_exec_exit_number(e)].n_accesses;

		for (unsigned k = 0; k < n && !err; k++)
			err = count_address_unless_guarded_off(s, &b->access[k],
							       batch, e);
		if (err)
			return err;
	}
	return 0;
}

static int entropy_free_block_list(void *state)
{
	an_block_list_free_array(&((struct entropy *)state)->blocks);
	return 0;
}

static int entropy_add_counts_of_other_state(void *into, const void *from)
{
	struct entropy *to = into;
	const struct entropy *s = from;

	to->n_accesses += s->n_accesses;
	return an_address_counts_add_all(&to->counts, &s->counts);
}

static void entropy_add_result_to_model(const void *state, struct al_model *m)
{
	const struct entropy *s = state;
	double *h = al_model_alloc_uninitialised(m, (1 + AN_LOCAL_ENTROPIES) *
							    sizeof(*h));

	if (h == NULL)
		return;
	if (an_address_counts_compute_entropies(&s->counts, h)) {
		m->error = -ENOMEM;
		return;
	}
	m->title = "Memory entropy";
	al_model_add_number(m, "accesses", NULL, NULL, s->n_accesses);
	al_model_add_number(m, "addresses", NULL, NULL, s->counts.n);
	al_model_add_real(m, "global", NULL, "bits", h[0]);
	al_model_add_uncopied_real_series(m, "local", "bits", h + 1,
					  AN_LOCAL_ENTROPIES);
}

static void entropy_free_blocks_and_counts(void *state)
{
	struct entropy *s = state;

	an_block_list_free_array(&s->blocks);
	an_address_counts_release(&s->counts);
}

extern const struct an_class an_entropy;

const struct an_class an_entropy = {
	.name = "entropy",
	.summary = "entropy of the addresses of data",
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.state_size = sizeof(struct entropy),
	.block = entropy_store_block_pointer,
	.batch = entropy_count_addresses_of_batch,
	.finish = entropy_free_block_list,
	.merge = entropy_add_counts_of_other_state,
	.result = entropy_add_result_to_model,
	.close = entropy_free_blocks_and_counts,
};
