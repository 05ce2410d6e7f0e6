/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.c - wakes the server thread, waits for changes and stores the run's
   times, for any thread; see state.h */

#include "daemon/client/state.h"

#include <unistd.h>

#include "base/system/clock.h"
#include "daemon/core/clock.h"

void dm_wake_server(struct dm_daemon *d)
{
	uint64_t one = 1;

	(void)!write(d->wake, &one, sizeof(one));
}

void dm_wait_for_changed_signal_or_timeout(struct dm_daemon *d,
					   unsigned timeout_ms)
{
	al_lock_check_end_blocking_ban();
	al_blocking_check();
	al_cond_wait_until_is_signalled(&d->changed, &d->lock,
					dm_now_ns() + timeout_ms * DM_MS);
	al_lock_check_begin_blocking_ban();
}

void dm_daemon_store_times_in_run(struct dm_daemon *d)
{
	uint64_t busy, idle;

	dm_workers_sum_times_return_now_ns(&d->workers, &busy, &idle);
	al_run_set_times(d->run, dm_now_ns() - d->started_ns, idle, busy);
}
