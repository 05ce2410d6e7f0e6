/* SPDX-License-Identifier: GPL-2.0-or-later */
/* descriptor_budget.c - limits the memory of descriptions; see
   descriptor_budget.h */

#include "vgtool/instrument/descriptor_budget.h"

#include <pub_tool_libcfile.h>
#include <pub_tool_vki.h>

#include "vgtool/core/message.h"
#include "vgtool/transport/ring.h"

enum {
	FILE_BYTES = 4096, /* [bytes] buffer for a file's start and a NUL */
	SHARE = 4,	   /* descriptions may take 1 / SHARE of all memory */
	RESERVE = 16,	   /* 1 / RESERVE of all memory must stay available */
	STEP = 16 << 20,   /* [bytes] of new descriptions between two checks of
			      the available memory */
};

Int vt_budget_max_mib;
Int vt_budget_max_routes = PT_MAX_ROUTES;

static ULong machine_bytes; /* [bytes] of the machine's memory; 0: not known */
static ULong max_bytes;	    /* [bytes] that all descriptions may take */
static ULong last_check; /* [bytes] size of all descriptions at the last check
			    of the available memory */

/* Read the first FILE_BYTES - 1 bytes of a file, or all if there are fewer,
   into @text and add a NUL. Return: False if the file cannot be read or is
   empty. */
static Bool read_file_start_as_string(const HChar *path, HChar text[FILE_BYTES])
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

/* Return the value of @field_with_colon of /proc/meminfo [bytes]; 0 if it
   cannot be read. @field_with_colon: name with its colon. */
static ULong read_meminfo_field_bytes(const HChar *field_with_colon)
{
	HChar text[FILE_BYTES], *p;

	if (!read_file_start_as_string("/proc/meminfo", text))
		return 0;
	p = VG_(strstr)(text, field_with_colon);
	if (p == NULL)
		return 0;
	for (p += VG_(strlen)(field_with_colon); *p == ' '; p++)
		;
	return VG_(strtoull10)(p, NULL) << 10;
}

/* Return the memory limit of the tool's control group (version 2) [bytes]; 0 if
   there is none or it cannot be read. */
static ULong read_cgroup2_memory_limit_or_0(void)
{
	static const HChar root[] = "/sys/fs/cgroup", file[] = "/memory.max";
	HChar text[FILE_BYTES], path[sizeof(root) + sizeof(file) + FILE_BYTES];
	HChar *end;

	if (!read_file_start_as_string("/proc/self/cgroup", text) ||
	    VG_(strncmp)(text, "0::", 3) != 0)
		return 0;
	end = VG_(strchr)(text, '\n');
	if (end != NULL)
		*end = 0;
	VG_(sprintf)(path, "%s%s%s", root, text + 3, file);
	return read_file_start_as_string(path, text)
		       ? VG_(strtoull10)(text, NULL)
		       : 0;
}

void vt_budget_init_max_descriptor_bytes(void)
{
	ULong limit = read_cgroup2_memory_limit_or_0();

	machine_bytes = read_meminfo_field_bytes("MemTotal:");
	max_bytes = machine_bytes;
	if (limit != 0 && (max_bytes == 0 || limit < max_bytes))
		max_bytes = limit;
	max_bytes = max_bytes != 0 ? max_bytes / SHARE : ~0ULL;
	if (vt_budget_max_mib > 0)
		max_bytes = (ULong)vt_budget_max_mib << 20;
}

/* Whether at least 1 / RESERVE of the machine's memory is available; True if
   that cannot be read. A check costs a few system calls, so there is one for
   each STEP bytes of new descriptions; in between, return True.
   @total_descriptor_bytes: size of all descriptions. */
static Bool is_memory_available_or_check_not_due(ULong total_descriptor_bytes)
{
	ULong available;

	if (total_descriptor_bytes < last_check + STEP)
		return True;
	last_check = total_descriptor_bytes;
	available = read_meminfo_field_bytes("MemAvailable:");
	return available == 0 || available >= machine_bytes / RESERVE;
}

Bool vt_budget_allows_or_stops_recording(ULong total_descriptor_bytes)
{
	HChar text[120];

	if (!vt_ring_is_attached())
		return False;
	if (total_descriptor_bytes <= max_bytes &&
	    is_memory_available_or_check_not_due(total_descriptor_bytes))
		return True;
	VG_(sprintf)
	(text,
	 "descriptions of code take %llu MiB, too much: the "
	 "program goes on unrecorded (--max-code)",
	 total_descriptor_bytes >> 20);
	vt_message_print(text);
	vt_ring_set_overfull_and_stop_recording();
	return False;
}

Bool vt_budget_allows_number_of_exits(UInt exits_of_all_blocks)
{
	return exits_of_all_blocks <= (UInt)vt_budget_max_routes;
}
