/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play.h - a dump, played to a daemon as a tool would write it
 *
 * Threads: one, of a process of its own, since for the daemon a process has
 *          one image at a time.
 *
 * The daemon gets all descriptors first, then the chunks, @repeat times. In a
 * ring of as many chunks as the dump has, each is written once, before the
 * start, and then only published again: playing costs nothing.
 */
#ifndef BENCH_PLAY_H
#define BENCH_PLAY_H

#include "bench/dump.h"

struct play {
	const struct dump *dump;
	const char *socket;
	uint64_t repeat; /* >= 1 */
	uint64_t rate; /* [bytes of units per second], 0: as fast as it goes */
};

/* One-byte messages between the two sides of @channel, a stream socket. */
enum play_signal {
	PLAY_CONNECT = 'c', /* to the player: the daemon listens */
	PLAY_READY = 'r',   /* from it: the ring is full, nothing published */
	PLAY_GO = 'g',	    /* to it */
	PLAY_DONE = 'd',    /* from it: every chunk has been analysed */
	PLAY_LEAVE = 'l',   /* to it: say goodbye and return */
};

/* Return: 0; -1 with a message on standard error. */
int play(const struct play *, int channel);

#endif
