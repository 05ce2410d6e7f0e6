/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signal_return.h - where a thread goes on behind the handler of a signal
 */
#ifndef LIBALLERIA_EXPORT_SIGNAL_RETURN_H
#define LIBALLERIA_EXPORT_SIGNAL_RETURN_H

#include <stdbool.h>

#include <alleria/alleria.h>

/* Says which system call: rt_sigreturn, by which handlers are left. */
bool ex_signal_asks_to_return(const struct alleria_instruction *);

/**
 * ex_signal_return() - Look for the end of a handler, and what comes behind.
 * @thread: that runs it, and nothing else.
 * @number: of the handler's first instruction.
 *
 * Return: address; 0: it is not left by rt_sigreturn, or too long for us.
 */
uint64_t ex_signal_return(struct alleria_profile *,
			  const struct alleria_filter *thread, uint64_t number);

#endif
