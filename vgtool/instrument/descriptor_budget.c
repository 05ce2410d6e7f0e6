/* SPDX-License-Identifier: GPL-2.0-or-later */
/* descriptor_budget.c - how much code may be described; see descriptor_budget.h
   */

#include "vgtool/instrument/descriptor_budget.h"

#include <pub_tool_libcfile.h>
#include <pub_tool_vki.h>

#include "vgtool/core/message.h"
#include "vgtool/transport/ring.h"

enum {
	FILE_BYTES = 4096, /* [bytes] that are read of a file */
	SHARE = 4,	   /* descriptions may take a quarter of all memory */
	RESERVE = 16,	   /* a sixteenth of all memory must stay available */
	STEP = 16 << 20,   /* [bytes] of descriptions between checks of
			      available memory */
};

Int vt_budget_mib;
Int vt_budget_routes = PT_MAX_ROUTES;

static ULong total; /* [bytes] of the machine's memory; 0: not known */
static ULong most;  /* [bytes] that descriptions may take */
static ULong checked;

/* Read the beginning of a file as a string. Return: False when it cannot be
   read. */
static Bool read_file(const HChar *path, HChar text[FILE_BYTES])
{
	SysRes fd = VG_(open)(path, VKI_O_RDONLY, 0);
	Int n;

	if (sr_isError(fd))
		return False;
	n = VG_(read)(sr_Res(fd), text, FILE_BYTES - 1);
	VG_(close)(sr_Res(fd));
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* Return a field of /proc/meminfo [bytes]; 0: it cannot be read. */
static ULong read_meminfo(const HChar *field)
{
	HChar text[FILE_BYTES], *at;

	if (!read_file("/proc/meminfo", text))
		return 0;
	at = VG_(strstr)(text, field);
	if (at == NULL)
		return 0;
	for (at += VG_(strlen)(field); *at == ' '; at++)
		;
	return VG_(strtoull10)(at, NULL) << 10;
}

/* Return the limit of the control group (version 2) [bytes]; 0: there is
   none. */
static ULong group_limit(void)
{
	static const HChar root[] = "/sys/fs/cgroup", file[] = "/memory.max";
	HChar text[FILE_BYTES], path[sizeof(root) + sizeof(file) + FILE_BYTES];
	HChar *end;

	if (!read_file("/proc/self/cgroup", text) ||
	    VG_(strncmp)(text, "0::", 3) != 0)
		return 0;
	end = VG_(strchr)(text, '\n');
	if (end != NULL)
		*end = 0;
	VG_(sprintf)(path, "%s%s%s", root, text + 3, file);
	return read_file(path, text) ? VG_(strtoull10)(text, NULL) : 0;
}

void vt_budget_start(void)
{
	ULong limit = group_limit();

	total = read_meminfo("MemTotal:");
	most = total;
	if (limit != 0 && (most == 0 || limit < most))
		most = limit;
	most = most != 0 ? most / SHARE : ~0ULL;
	if (vt_budget_mib > 0)
		most = (ULong)vt_budget_mib << 20;
}

/* Whether the machine has memory to spare. A check costs a system call or two,
   so it is made once in STEP bytes. */
static Bool is_available(ULong bytes)
{
	ULong available;

	if (bytes < checked + STEP)
		return True;
	checked = bytes;
	available = read_meminfo("MemAvailable:");
	return available == 0 || available >= total / RESERVE;
}

Bool vt_budget_has(ULong bytes)
{
	HChar text[120];

	if (!vt_ring_is_attached())
		return False;
	if (bytes <= most && is_available(bytes))
		return True;
	VG_(sprintf)
	(text,
	 "descriptions of code take %llu MiB, too much: the "
	 "program goes on unrecorded (--max-code)",
	 bytes >> 20);
	vt_message(text);
	vt_ring_stop();
	return False;
}

Bool vt_budget_has_routes(UInt n)
{
	return n <= (UInt)vt_budget_routes;
}
