/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.c - checks whether memory can be read; see memory.h */

#include "vgtool/core/memory.h"

#include <pub_tool_aspacemgr.h>

#include "vgtool/core/valgrind_core.h"

/* Whether the file that is mapped at @page still has the bytes there. It may
   have been truncated after it was mapped, and a load past its end raises
   SIGBUS. So the kernel is asked to read a signal set at @page, which fails
   with EFAULT instead; the `how` argument is invalid, so the signal mask never
   changes. */
static Bool is_file_page_readable(Addr page)
{
	SysRes r = VG_(do_syscall)(__NR_rt_sigprocmask, ~0UL, page, 0,
				   sizeof(ULong), 0, 0);

	return sr_Err(r) != VKI_EFAULT;
}

/* Whether each file that is mapped in [@start, @end) still has the bytes mapped
   there. Both addresses are multiples of the page size. */
static Bool are_file_pages_readable(Addr start, Addr end)
{
	const NSegment *s;

	for (; start < end; start += VKI_PAGE_SIZE) {
		s = VG_(am_find_nsegment)(start);
		if (s != NULL && s->kind == SkFileC &&
		    !is_file_page_readable(start))
			return False;
	}
	return True;
}

Bool vt_memory_is_readable_cached(struct vt_readable_range *cached_range,
				  Addr addr, ULong bytes)
{
	Addr end = addr + bytes, from, to;

	if (end < addr)
		return False;
	if (addr >= cached_range->start && end <= cached_range->end)
		return True;
	from = VG_PGROUNDDN(addr);
	to = VG_PGROUNDUP(end);
	if (to <= from ||
	    !VG_(am_is_valid_for_client)(from, to - from, VKI_PROT_READ) ||
	    !are_file_pages_readable(from, to))
		return False;
	*cached_range = (struct vt_readable_range){from, to};
	return True;
}

ULong vt_memory_count_readable_bytes(struct vt_readable_range *cached_range,
				     Addr addr, ULong max_bytes)
{
	Addr end = addr;

	while (end - addr < max_bytes &&
	       vt_memory_is_readable_cached(cached_range, end, 1))
		end = cached_range->end;
	return end - addr < max_bytes ? end - addr : max_bytes;
}

Addr vt_memory_read_word_or_0(Addr addr)
{
	struct vt_readable_range m = {0};

	return vt_memory_is_readable_cached(&m, addr, sizeof(Addr))
		       ? *(const Addr *)addr
		       : 0;
}
