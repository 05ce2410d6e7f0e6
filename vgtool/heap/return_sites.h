/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * return_sites.h - stores the addresses to which allocator calls return
 */
#ifndef VGTOOL_HEAP_RETURN_SITES_H
#define VGTOOL_HEAP_RETURN_SITES_H

#include "vgtool/core/prelude.h"

/* Add the return address @pc, unless it was added before. If it is new, end the
   time slice of thread @tid, so that the code there is translated again before
   it runs. */
void vt_return_sites_add(ThreadId tid, Addr pc);

Bool vt_return_sites_has(Addr pc);

/* Discard the translations of code at those addresses that were added since
   this function was last called. Return: whether there were any. Context: no
   translated code is running. */
Bool vt_return_sites_discard_code_of_added(void);

#endif
