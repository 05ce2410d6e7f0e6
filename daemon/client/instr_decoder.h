/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_decoder.h - answers which selects of its plan match an instruction
 *
 * Threads: any, with dm_daemon.lock held.
 */
#ifndef DAEMON_CLIENT_INSTR_DECODER_H
#define DAEMON_CLIENT_INSTR_DECODER_H

#include "daemon/client/state.h"

/* Answer a PT_MSG_DECODE, the packet of @bytes, or fail the client if the
   packet is invalid. */
void dm_decode_answer(struct dm_client *, const struct pt_message *,
		      size_t bytes);

#endif
