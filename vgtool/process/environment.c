/* SPDX-License-Identifier: GPL-2.0-or-later */
/* environment.c - describes the environment with which the program begins; see
   environment.h */

#include "vgtool/process/environment.h"

#include <pub_tool_clientstate.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcproc.h>

#include "proto/ring.h"
#include "proto/shared/atomic.h"
#include "proto/shared/hash.h"
#include "vgtool/transport/ring.h"

static ULong n_variables;
static ULong n_bytes; /* [bytes] of all environment strings with their NULs */
static ULong hash;    /* hash of all environment strings; 0: not known */

void vt_environment_hash_count_vars_and_bytes(void)
{
	HChar **e = VG_(client_envp);
	UInt bytes;

	if (e == NULL)
		return;
	hash = PT_HASH_START;
	for (; *e != NULL; e++) {
		bytes = VG_(strlen)(*e) + 1;
		hash = pt_hash_update_with_bytes(hash, *e, bytes);
		n_bytes += bytes;
		n_variables++;
	}
}

void vt_environment_publish_hash_and_size(void)
{
	struct pt_tool_page *page = vt_ring_tool_or_sink_page();

	if (!vt_ring_is_attached())
		return;
	/* Relaxed: nothing else is read because of it. */
	pt_store_relaxed(&page->environment_variables, n_variables);
	pt_store_relaxed(&page->environment_bytes, n_bytes);
	pt_store_relaxed(&page->environment_hash, hash);
}
