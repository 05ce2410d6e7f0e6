/* SPDX-License-Identifier: GPL-2.0-or-later */
/* return_sites.c - stores the addresses to which allocator calls return; see
   return_sites.h */

#include "vgtool/heap/return_sites.h"

#include <pub_tool_hashtable.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/instrument.h"

/* An address to which calls return. The first two members are those of
   Valgrind's hash table. */
struct return_site {
	struct return_site *next;
	UWord pc;
	struct return_site *next_new;
};

static VgHashTable *return_sites;
static struct return_site *new_return_sites; /* list, linked by next_new, of the
						addresses added since
						translations were last
						discarded: the code there may
						have been translated without the
						check for a return */

void vt_return_sites_add(ThreadId tid, Addr pc)
{
	struct return_site *b;

	if (return_sites == NULL)
		return_sites = VG_(HT_construct)("vt.heap");
	if (VG_(HT_lookup)(return_sites, pc) != NULL)
		return;
	b = VG_(malloc)("vt.heap", sizeof(*b));
	*b = (struct return_site){.pc = pc, .next_new = new_return_sites};
	new_return_sites = b;
	VG_(HT_add_node)(return_sites, b);
	vt_instrument_end_time_slice(tid, False);
}

Bool vt_return_sites_discard_code_of_added(void)
{
	Bool any = new_return_sites != NULL;

	for (; new_return_sites != NULL;
	     new_return_sites = new_return_sites->next_new)
		VG_(discard_translations)(new_return_sites->pc, 1, "alleria");
	return any;
}

Bool vt_return_sites_has(Addr pc)
{
	return return_sites != NULL && VG_(HT_lookup)(return_sites, pc) != NULL;
}
