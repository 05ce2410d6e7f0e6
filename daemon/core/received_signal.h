/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * received_signal.h - detects that one signal was sent twice
 *
 * timeout(1) sends its signal to its child and then to the process group, which
 * contains the child. This shall have the effect of one signal.
 */
#ifndef DAEMON_CORE_RECEIVED_SIGNAL_H
#define DAEMON_CORE_RECEIVED_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

#include "base/system/clock.h"

/* [ns] time in which a signal that its sender repeats counts once */
#define DM_REPEAT_NS UINT64_C(1000000000)

struct dm_received_signal {
	int number;   /* 0: none was received */
	pid_t sender; /* 0: not a process that called kill() */
	uint64_t time_ns;
};

/* Return a description of signal @number, with the information @info, which is
   received now. */
static inline struct dm_received_signal
dm_received_signal_make(int number, const siginfo_t *info)
{
	return (struct dm_received_signal){
		.number = number,
		.sender = info->si_code == SI_USER ? info->si_pid : 0,
		.time_ns = al_now_ns(),
	};
}

/* Whether the sender of signal @first, which may be none, has sent it again at
   once as @repeated. */
static inline bool
dm_received_signal_is_repeated(const struct dm_received_signal *first,
			       const struct dm_received_signal *repeated)
{
	return repeated->sender != 0 && repeated->sender == first->sender &&
	       repeated->number == first->number &&
	       repeated->time_ns - first->time_ns < DM_REPEAT_NS;
}

#endif
