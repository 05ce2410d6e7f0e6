/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_decoder.h - a tool asks what instructions are called
 *
 * Threads: any, with dm_daemon.lock held.
 */
#ifndef DAEMON_CLIENT_INSTR_DECODER_H
#define DAEMON_CLIENT_INSTR_DECODER_H

#include "daemon/client/state.h"

/* Answers a PT_MSG_DECODE of @bytes, or ends the connection when it is none. */
void dm_decode_answer(struct dm_client *, const struct pt_message *,
		      size_t bytes);

#endif
