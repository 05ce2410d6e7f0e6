/* SPDX-License-Identifier: GPL-2.0-or-later */
/* locking_test.c - the assertion that nothing blocks under the daemon's lock */

#include "tests/tap.h"

#include "daemon/client/state.h"
#include "daemon/core/proc_info.h"
#include "tests/fixtures/fake_tool.h"

#include "base/system/blocking_output.h"
#include "lib/record/recording.h"

static void wait_for_process(void)
{
	int status;

	dm_process_poll_end_200ms_at_most(getpid(), 0, &status);
}

static void hold_task(void)
{
	struct dm_task task = {.turn = NULL};

	dm_workers_pause_task(&d->workers, &task);
	dm_workers_resume_task_requeue_if_posted(&d->workers, &task);
}

static void open_output(void)
{
	fclose(al_special_file_open_write_stream("/dev/null"));
}

/* Begin a profile, which adds a block to its queue. */
static struct al_recording *begin_recording(void)
{
	char name[80];

	snprintf(name, sizeof(name), "%s/profile", base);
	return al_recording_new_create_file_later(name,
						  al_packers_new_empty_pool(1));
}

static void add_to_profile(void)
{
	begin_recording();
}

static void write_profile(void)
{
	al_recording_write_queue_down_to_max(begin_recording());
}

static void remove_profile(void)
{
	char name[80];

	snprintf(name, sizeof(name), "%s/profile", base);
	unlink(name);
}

/* Whether a child survives @block, called with or without the lock. */
static bool survives(void (*block)(void), bool locked)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(STDERR_FILENO);
		if (locked)
			dm_lock(d);
		block();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status);
}

static void check(void (*block)(void), const char *with, const char *without)
{
	ok(survives(block, false), without);
#ifdef AL_LOCK_CHECKS
	ok(!survives(block, true), with);
#else
	skip("configured without --enable-lock-checks", with);
#endif
}

int main(void)
{
	set_up();
	start();
	check(wait_for_process, "it may not be under the lock",
	      "a process may be waited for");
	check(hold_task, "it may not be under the lock", "a task may be held");
	check(open_output, "it may not be under the lock",
	      "an output may be opened");
	check(write_profile, "it may not be under the lock",
	      "a profile may be written");
	remove_profile();
	ok(survives(add_to_profile, true),
	   "blocks may be added under the lock");
	dm_lock(d);
	dm_wait_for_changed_signal_or_timeout(d, 1);
	dm_unlock(d);
	open_output();
	ok(true, "what gives the lock up may wait");
	free(stop());
	return tear_down();
}
