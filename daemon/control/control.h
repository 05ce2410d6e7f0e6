/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - commands to a running daemon: both ends
 *
 *   status                 everything, as JSON
 *   programs               what is recorded, a line each
 *   windows                names of the windows, a line each
 *   open WINDOW [PID]      in all programs, or in one
 *   close WINDOW [PID]
 *   mark NAME [PID]        leaves a mark in what is recorded
 *   flush [PID]            what was recorded so far is looked at
 *   report text|json [PID] of all programs, or of one, up to now
 */
#ifndef DAEMON_CONTROL_CONTROL_H
#define DAEMON_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct dm_client;

/* Whether a first packet is a command. */
bool dm_control_is(const void *packet, size_t bytes);

/* Execute a client's command and answer it; a report is answered later, when it
   is complete. The connection may be closed then. Context: lock held. */
void dm_control_serve(struct dm_client *, const void *packet, size_t bytes);

/**
 * dm_control_ask() - Send a command and print the answer.
 * @err: for an error, a line that begins with our name.
 * @socket: a daemon's.
 * @words: NULL-terminated.
 * @message: [DM_MESSAGE] one line, when nothing was answered.
 *
 * Return: the exit status that the daemon says, >= 0; -errno with @message.
 */
int dm_control_ask(const char *socket, const char *const *words, FILE *out,
		   FILE *err, char *message);

#endif
