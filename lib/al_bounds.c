/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_bounds.c - bounds on what a program can make grow; see al_bounds.h */

#include "lib/al_bounds.h"

#include <stddef.h>

const char *al_bounds_reason(int err)
{
	switch (-err) {
	case 0:
		return NULL;
	case ENOMEM:
		return "out of memory";
	case AL_E_PARTS:
		return "faults in too many places: over 64 MiB of parts of "
		       "blocks";
	default:
		return "protocol error";
	}
}
