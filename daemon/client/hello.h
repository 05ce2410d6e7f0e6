/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hello.h - checks and decodes the first message of a tool
 *
 * Threads: any.
 */
#ifndef DAEMON_CLIENT_HELLO_H
#define DAEMON_CLIENT_HELLO_H

#include <stddef.h>

#include "proto/hello.h"

struct dm_hello {
	struct pt_hello fixed; /* its member `valgrind` is NUL-terminated */
	struct pt_token token; /* token of the client that this one was forked
				  from; zero without PT_HELLO_TOKEN */
	char *text;	       /* all strings; owned */
	const char *directory; /* current directory of the program; in `text` */
	const char **argv;     /* NULL-terminated, program first; the array is
			      owned, the strings are in `text` */
};

/**
 * dm_hello_parse_packet() - Check a hello and decode it.
 * @packet: [bytes] as received; copied.
 * @reason: [PT_REASON] receives one line for the tool on error.
 *
 * Return: 0: the caller frees the strings with dm_hello_free_strings();
 *         -EPROTO: the hello is invalid; -ENOMEM. After an error there is
 *         nothing to free.
 */
int dm_hello_parse_packet(const void *packet, size_t bytes, struct dm_hello *,
			  char *reason);

/* Free the strings and argv, and set all members but `fixed` to zero. */
void dm_hello_free_strings(struct dm_hello *);

#endif
