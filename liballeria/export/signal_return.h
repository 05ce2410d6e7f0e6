/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signal_return.h - finds where a thread continues after a signal handler
 */
#ifndef LIBALLERIA_EXPORT_SIGNAL_RETURN_H
#define LIBALLERIA_EXPORT_SIGNAL_RETURN_H

#include <stdbool.h>

#include <alleria/alleria.h>

/* Whether an instruction loads the number of rt_sigreturn, the system call that
   leaves a signal handler: "mov $15, %eax" or "mov $15, %rax". */
bool ex_is_load_of_sigreturn_number(const struct alleria_instruction *);

/**
 * ex_find_address_after_handler() - Find the first instruction that a thread
 * executes after a signal handler and the handlers nested in it.
 * @thread_filter: a filter that selects the thread which runs the handler.
 * @handler_first_instr_number: number of the handler's first instruction.
 *
 * Return: the instruction's address; 0: the handler does not leave by
 *         rt_sigreturn, nothing is executed after it, it runs for 2^20
 *         instructions or more, or a part of the profile that is read for this
 *         is damaged or cannot be read.
 */
uint64_t
ex_find_address_after_handler(struct alleria_profile *,
			      const struct alleria_filter *thread_filter,
			      uint64_t handler_first_instr_number);

#endif
