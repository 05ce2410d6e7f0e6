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

static int entropy_add_block(void *state, const struct an_block *b)
{
	return an_block_list_append(&((struct entropy *)state)->blocks, b);
}

static int count_access(struct entropy *s, const struct pt_access *a,
			const struct an_batch *batch, struct an_exec e)
{
	uint64_t base = a->slot == PT_NO_SLOT
				? 0
				: an_exec_slot_value(batch, e, a->slot);
	unsigned times = a->kind == PT_MODIFY ? 2 : 1;

	if ((a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT &&
	    base == PT_NOT_DONE)
		return 0;
	s->n_accesses += times;
	return an_address_counts_add(&s->counts, base + a->delta, times);
}

static int entropy_batch(void *state, const struct an_batch *batch)
{
	struct entropy *s = state;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_block *b = s->blocks.block[e.block];
		unsigned n = b->exit[an_exec_exit_number(e)].n_accesses;

		for (unsigned k = 0; k < n && !err; k++)
			err = count_access(s, &b->access[k], batch, e);
		if (err)
			return err;
	}
	return 0;
}

static int entropy_release_blocks(void *state)
{
	an_block_list_free_array(&((struct entropy *)state)->blocks);
	return 0;
}

static int entropy_merge(void *into, const void *from)
{
	struct entropy *to = into;
	const struct entropy *s = from;
	int err = 0;

	to->n_accesses += s->n_accesses;
	for (size_t i = 0; i < s->counts.n_buckets && !err; i++)
		if (s->counts.bucket[i].count != 0)
			err = an_address_counts_add(&to->counts,
						    s->counts.bucket[i].address,
						    s->counts.bucket[i].count);
	return err;
}

static void entropy_result(const void *state, struct al_model *m)
{
	const struct entropy *s = state;
	double *h = al_model_alloc_uninitialised(m, (1 + AN_LOCAL_ENTROPIES) *
							    sizeof(*h));

	if (h == NULL)
		return;
	if (an_address_counts_entropy(&s->counts, h)) {
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

static void entropy_close(void *state)
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
	.block = entropy_add_block,
	.batch = entropy_batch,
	.finish = entropy_release_blocks,
	.merge = entropy_merge,
	.result = entropy_result,
	.close = entropy_close,
};
