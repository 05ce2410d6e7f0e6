/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread_stack.c - sets the size of the stacks of threads; see
   thread_stack.h */

#include "base/system/thread_stack.h"

#include <pthread.h>

enum {
	LEAST_STACK = 2 << 20 /* [bytes] */
};

void al_thread_stack_set_minimum(void)
{
	pthread_attr_t attributes;
	size_t size;

	if (pthread_getattr_default_np(&attributes) != 0)
		return;
	pthread_attr_getstacksize(&attributes, &size);
	if (size < LEAST_STACK) {
		pthread_attr_setstacksize(&attributes, LEAST_STACK);
		pthread_setattr_default_np(&attributes);
	}
	pthread_attr_destroy(&attributes);
}
