/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branch_kind.h - classifies x86-64 branches by their bytes
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

/* Return the kind of branch of the x86-64 instruction in @bytes [@size];
   EX_NO_BRANCH if it is no branch. */
enum ex_branch ex_branch_classify(const uint8_t *bytes, unsigned size);

/* Return the target of the direct branch at @address. @bytes: [@size] the
   instruction, which must be a direct branch; that is not checked. */
uint64_t ex_compute_direct_target_unchecked(const uint8_t *bytes, unsigned size,
					    uint64_t address);

/* Whether a branch of kind @b reads its target from a register or from memory,
   as returns do. */
static inline bool ex_branch_is_indirect(enum ex_branch b)
{
	return b == EX_JUMP_INDIRECT || b == EX_CALL_INDIRECT || b == EX_RETURN;
}

#endif
