/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branch_kind.h - what kind of branch an instruction is
 *
 * Of x86-64, from its bytes.
 */
#ifndef LIBALLERIA_EXPORT_BRANCH_KIND_H
#define LIBALLERIA_EXPORT_BRANCH_KIND_H

#include <stdbool.h>
#include <stdint.h>

enum ex_branch {
	EX_NO_BRANCH,
	EX_JUMP,
	EX_JUMP_INDIRECT,
	EX_CONDITIONAL,
	EX_CALL,
	EX_CALL_INDIRECT,
	EX_RETURN,
};

enum ex_branch ex_branch_of(const uint8_t *bytes, unsigned size);

/* Where a direct branch at @address goes when it is taken. */
uint64_t ex_branch_target(const uint8_t *bytes, unsigned size,
			  uint64_t address);

/* Goes to where a register or memory says. */
static inline bool ex_branch_is_indirect(enum ex_branch b)
{
	return b == EX_JUMP_INDIRECT || b == EX_CALL_INDIRECT || b == EX_RETURN;
}

#endif
