/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_bounds.c - returns the reason why an error, such as a bound on memory,
   truncated a process; see memory_bounds.h */

#include "lib/recover/memory_bounds.h"

#include <stddef.h>

const char *al_truncation_reason_null_if_0(int err)
{
	switch (-err) {
	case 0:
		return NULL;
	case ENOMEM:
		return "out of memory";
	case AL_E_PARTIAL_BYTES:
		return "faults in too many places (64 MiB)";
	case AL_E_STORED_LOG:
		return "too much code (4 GiB)";
	case AL_E_CHILDREN:
		return "too many children waited for (4194304)";
	default:
		return "protocol error";
	}
}
