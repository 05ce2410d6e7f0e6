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

/* Return the kind of branch of the instruction in @bytes [@size]. */
enum ex_branch ex_branch_classify(const uint8_t *bytes, unsigned size);

/* Return the target of the direct branch at @address. @bytes: [@size] the
   instruction. */
uint64_t ex_compute_direct_target_unchecked(const uint8_t *bytes, unsigned size,
					    uint64_t address);

/* Whether the target of a branch is taken from a register or from memory. */
static inline bool ex_branch_is_indirect(enum ex_branch b)
{
	return b == EX_JUMP_INDIRECT || b == EX_CALL_INDIRECT || b == EX_RETURN;
}

#endif
