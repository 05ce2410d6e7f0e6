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
	case AL_E_KEPT:
		return "too much code: over 4 GiB of descriptions";
	case AL_E_CHILDREN:
		return "waited for over 4194304 children";
	default:
		return "protocol error";
	}
}
