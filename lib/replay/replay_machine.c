/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_machine.c - reads the processor of the recorded run; see
   replay_state.h */

#include <stdio.h>

#include "lib/replay/replay_state.h"

/* Store the fourth string of a PF_MACHINE record as the processor's name. */
static void read_processor_name(struct al_processor *p,
				struct pf_fact_reader *f)
{
	const char *unused, *name;

	if (pf_fact_read_string(f, &unused) &&
	    pf_fact_read_string(f, &unused) &&
	    pf_fact_read_string(f, &unused) && pf_fact_read_string(f, &name))
		snprintf(p->name, sizeof(p->name), "%s", name);
}

static void read_processor_features(struct al_processor *p,
				    struct pf_fact_reader *f)
{
	const char *features;

	if (pf_fact_read_string(f, &features))
		snprintf(p->features, sizeof(p->features), "%s", features);
}

void al_replay_read_processor(struct al_replay *r)
{
	struct al_processor *p = &r->run->processor;
	struct pf_fact_reader f;
	const void *payload;
	size_t offset = 0, n;
	const struct pf_entry *e = pf_reader_entries(r->reader, &n);

	if (n == 0 || e->head.kind != PF_RUN ||
	    al_replay_load_block_payload(r, e, &payload))
		return;
	while (pf_records_read_next_fact_or_0_at_end(payload, e->head.bytes,
						     &offset, &f) > 0) {
		if (f.kind == PF_MACHINE)
			read_processor_name(p, &f);
		else if (f.kind == PF_FEATURES)
			read_processor_features(p, &f);
	}
}
