/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atom.c - sizes of the types of temporaries and constants
 */
#include "vgtool/vexopt/atom.h"

const UChar ps_type_sizes[] = {
	[Ity_I8 - Ity_INVALID] = 1,    [Ity_I16 - Ity_INVALID] = 2,
	[Ity_I32 - Ity_INVALID] = 4,   [Ity_I64 - Ity_INVALID] = 8,
	[Ity_I128 - Ity_INVALID] = 16, [Ity_F16 - Ity_INVALID] = 2,
	[Ity_F32 - Ity_INVALID] = 4,   [Ity_F64 - Ity_INVALID] = 8,
	[Ity_F128 - Ity_INVALID] = 16, [Ity_D32 - Ity_INVALID] = 4,
	[Ity_D64 - Ity_INVALID] = 8,   [Ity_D128 - Ity_INVALID] = 16,
	[Ity_V128 - Ity_INVALID] = 16, [Ity_V256 - Ity_INVALID] = 32,
};
