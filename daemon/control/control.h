/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - sends commands to a running daemon, and executes them there
 *
 *   status                 prints the state of the daemon as JSON
 *   programs               prints a line for each recorded program
 *   windows                prints the names of the windows, a line each
 *   open WINDOW [PID]      opens a window in all programs, or in one
 *   close WINDOW [PID]     closes it
 *   mark NAME [PID]        records a mark in all programs, or in one
 *   flush [PID]            has tools publish the units of incomplete chunks
 *   report text|json [PID] prints a report on all programs, or on one, up to
 *                          now
 */
#ifndef DAEMON_CONTROL_CONTROL_H
#define DAEMON_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct dm_client;

/* Whether @packet, the first one of a connection, is a control command (by its
   magic number), not the hello of a tool. */
bool dm_control_is_command_packet(const void *packet, size_t bytes);

/* Execute a client's command, send the answer, and close the connection. A
   report is sent later, through a duplicate of the connection. Context: lock
   held. */
void dm_control_execute_command_and_hang_up(struct dm_client *,
					    const void *packet, size_t bytes);

/**
 * dm_control_send_command_print_answer() - Send a command to a daemon and print
 * its answer.
 * @socket: path of the daemon's socket.
 * @words: the command, NULL-terminated.
 * @out: receives the answer if the command succeeds.
 * @error_out: receives "alleria: " and the answer if the command fails.
 * @message: [AL_MESSAGE] receives one line if there is no answer.
 *
 * Return: the exit status that the daemon sent, >= 0; -errno with @message.
 */
int dm_control_send_command_print_answer(const char *socket,
					 const char *const *words, FILE *out,
					 FILE *error_out, char *message);

#endif
