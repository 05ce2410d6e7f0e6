/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play.h - plays a dump to a daemon as if a tool recorded it
 *
 * Threads: one, of a process of its own, since for the daemon a process has
 *          one image at a time.
 *
 * The daemon gets the descriptors of the dump once, then its chunks, `repeat`
 * times. If the ring has as many slots as the dump has chunks, each chunk is
 * copied into the ring once, before time is measured; later it is only
 * published again, which takes hardly any time.
 */
#ifndef BENCH_PLAY_H
#define BENCH_PLAY_H

#include "bench/dump.h"

struct play {
	const struct dump *dump;
	const char *socket;
	uint64_t repeat; /* times that the chunks are played, >= 1 */
	uint64_t rate;	 /* [bytes of units per second]; 0: no limit */
};

/* Messages of one byte between the feeder and a player, sent through the
   channel of play(), a stream socket. */
enum play_signal {
	PLAY_CONNECT = 'c', /* to the player: the daemon accepts connections */
	PLAY_READY = 'r',   /* from the player: its ring is filled, and no
			       chunk is published */
	PLAY_GO = 'g',	    /* to the player: publish the chunks */
	PLAY_DONE = 'd',    /* from the player: every chunk was analysed */
	PLAY_LEAVE = 'l',   /* to the player: send PT_MSG_BYE and return */
};

/* Play a dump as the signals on @channel direct. Return: 0; -1 if the daemon,
   with a message on standard error, or the channel failed. */
int play(const struct play *, int channel);

#endif
