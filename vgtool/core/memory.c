/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.c - what can be read; see memory.h */

#include "vgtool/core/memory.h"

#include <pub_tool_aspacemgr.h>

#include "vgtool/core/valgrind_core.h"

/* A file that has become shorter than its mapping: reading what is behind its
   end is deadly. The kernel says so, too, when it is to read a set of signals
   there; what to do with the set it is not told. */
static Bool is_in_file(Addr page)
{
	SysRes r = VG_(do_syscall)(__NR_rt_sigprocmask, ~0UL, page, 0,
				   sizeof(ULong), 0, 0);

	return sr_Err(r) != VKI_EFAULT;
}

static Bool are_in_files(Addr from, Addr to)
{
	const NSegment *s;

	for (; from < to; from += VKI_PAGE_SIZE) {
		s = VG_(am_find_nsegment)(from);
		if (s != NULL && s->kind == SkFileC && !is_in_file(from))
			return False;
	}
	return True;
}

Bool vt_memory_can_read(struct vt_memory *m, Addr at, ULong bytes)
{
	Addr end = at + bytes, from, to;

	if (end < at)
		return False;
	if (at >= m->from && end <= m->to)
		return True;
	from = VG_PGROUNDDN(at);
	to = VG_PGROUNDUP(end);
	if (to <= from ||
	    !VG_(am_is_valid_for_client)(from, to - from, VKI_PROT_READ) ||
	    !are_in_files(from, to))
		return False;
	*m = (struct vt_memory){from, to};
	return True;
}

ULong vt_memory_readable(struct vt_memory *m, Addr at, ULong bytes)
{
	Addr end = at;

	while (end - at < bytes && vt_memory_can_read(m, end, 1))
		end = m->to;
	return end - at < bytes ? end - at : bytes;
}
