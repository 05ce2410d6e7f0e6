/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects.c - shared objects that take turns at the same place
 *
 *   objects N FILE...   N rounds: each is loaded, runs and is unloaded
 *
 * A FILE has a function run().
 */
#include <dlfcn.h>
#include <stdlib.h>

static int in_object(const char *file)
{
	void *object = dlopen(file, RTLD_NOW);
	void (*run)(void);

	if (object == NULL)
		return 1;
	*(void **)&run = dlsym(object, "run");
	run();
	return dlclose(object);
}

int main(int argc, char **argv)
{
	int round, i;

	for (round = 0; round < atoi(argv[1]); round++)
		for (i = 2; i < argc; i++)
			if (in_object(argv[i]))
				return 1;
	return 0;
}
