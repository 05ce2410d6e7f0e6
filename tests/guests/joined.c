/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * joined.c - joins a thread that has ended: pthread_join() then reads the
 * thread's id, which the kernel has cleared, without a futex call. The thread
 * has read its id before, for a mutex.
 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *lock_and_unlock(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, lock_and_unlock, NULL) != 0)
		return 1;
	usleep(200000);
	return pthread_join(thread, NULL);
}
