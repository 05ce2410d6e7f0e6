/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.c - window files of arbitrary text, plans of arbitrary bytes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text/message.h"
#include "lib/config/window/explain/explain.h"
#include "lib/config/window/plan/plan.h"
#include "tests/fuzz/fuzz.h"

/* Everything that a checked plan refers to. */
static void walk(const struct al_windows *w)
{
	FILE *out = fopen("/dev/null", "w");

	for (uint32_t i = 0; i < w->n[AL_WINDOWS]; i++) {
		if (w->window[i].on != PT_NO_EVENT)
			al_event_print_in_words(w, w->window[i].on, out);
		fputs(w->string + w->window[i].name, out);
	}
	for (uint32_t i = 0; i < w->n[AL_LANES]; i++)
		al_thread_entry_explain_recorded_code(w, i, out);
	for (uint32_t i = 0; i < w->n[AL_TYPES]; i++)
		if (w->type[i].kind >= PT_TYPE_STRUCT)
			al_struct_or_pointer_explain(w, i, out);
	fclose(out);
}

/* A plan of a window file that is right is right. */
static void plan_of(const struct al_windows *w, uint32_t process)
{
	struct al_windows view;
	size_t bytes;
	void *plan;

	if (al_plan_make(w, process, &plan, &bytes))
		return;
	if (al_plan_check(plan, bytes))
		abort();
	al_plan_view_as_windows(plan, &view);
	walk(&view);
	free(plan);
}

void fuzz_window(const uint8_t *data, size_t bytes)
{
	char path[32], message[AL_MESSAGE];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	FILE *out = fopen("/dev/null", "w");
	struct al_windows *w;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, bytes) != (ssize_t)bytes)
		abort();
	if (!al_windows_read(path, &w, message)) {
		al_windows_explain(w, path, out);
		plan_of(w, 1);
		plan_of(w, 2);
		al_windows_free(w);
	}
	fclose(out);
	close(fd);
}

/* The version and the length are right. */
void fuzz_plan(const uint8_t *data, size_t bytes)
{
	struct pt_plan *plan = malloc(bytes + sizeof(*plan));
	struct al_windows view;

	if (!plan)
		abort();
	memset(plan, 0, sizeof(*plan));
	memcpy(plan, data, bytes);
	plan->version = PT_PLAN_VERSION;
	plan->bytes = (uint32_t)bytes;
	if (!al_plan_check(plan, bytes)) {
		al_plan_view_as_windows(plan, &view);
		walk(&view);
	}
	free(plan);
}
