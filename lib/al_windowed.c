/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_windowed.c - what was recorded for each window; see al_windowed.h */

#include "lib/al_windowed.h"

#include <stdlib.h>
#include <string.h>

#include "lib/al_explain.h"
#include "lib/al_plan.h"
#include "lib/al_planned.h"

const struct pt_plan *al_run_plan(const struct al_run *run)
{
	for (size_t i = 0; i < run->n_processes; i++) {
		const struct pt_plan *p = run->process[i]->plan;

		if (p && p->windows.n)
			return p;
	}
	return NULL;
}

static void add(struct al_window_counts *to, const struct al_window_counts *c)
{
	to->openings += c->openings;
	to->instructions += c->instructions;
	to->reads += c->reads;
	to->writes += c->writes;
	to->modifies += c->modifies;
}

struct al_window_counts al_process_window(const struct al_process *p,
					  uint32_t window)
{
	struct al_window_counts sum = {0};

	for (size_t i = 0; i < p->n_images; i++)
		if (window < p->image[i].ended->n_windows)
			add(&sum, &p->image[i].ended->window[window]);
	return sum;
}

struct al_window_counts al_run_window(const struct al_run *run, uint32_t window)
{
	struct al_window_counts sum = {0};

	for (size_t i = 0; i < run->n_processes; i++) {
		struct al_window_counts c =
			al_process_window(run->process[i], window);

		add(&sum, &c);
	}
	return sum;
}

bool al_run_windows_opened(const struct al_run *run)
{
	const struct pt_plan *plan = al_run_plan(run);
	bool opened = plan || !run->settings->windows;

	for (uint32_t w = 0; plan && opened && w < plan->windows.n; w++)
		opened = al_run_window(run, w).openings;
	return opened;
}

static const char *name_of(const struct pt_plan *plan, uint32_t window)
{
	return al_plan_string(plan, al_plan_windows(plan)[window].name);
}

/* What a window waits for, allocated; NULL: nothing, or no memory. */
static char *awaited(const struct pt_plan *plan, uint32_t window)
{
	uint32_t on = al_plan_windows(plan)[window].on;
	struct al_windows view;
	size_t size;
	char *text = NULL;
	FILE *f;

	if (on == PT_NO_EVENT)
		return NULL;
	f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	al_plan_view(plan, &view);
	al_event_explain(&view, on, f);
	fclose(f);
	return text;
}

/* ---- machine-readable ---- */

static void write_window(const struct pt_plan *plan, uint32_t window,
			 const struct al_window_counts *c, struct an_sink *out)
{
	out->begin(out, NULL);
	out->string(out, "name", name_of(plan, window));
	out->number(out, "openings", c->openings);
	out->number(out, "instructions", c->instructions);
	out->number(out, "reads", c->reads);
	out->number(out, "writes", c->writes);
	out->number(out, "modifies", c->modifies);
}

static void write_awaited(const struct pt_plan *plan, uint32_t window,
			  struct an_sink *out)
{
	char *text = awaited(plan, window);

	if (text)
		out->string(out, "awaited", text);
	free(text);
}

void al_run_windows_write(const struct al_run *run, struct an_sink *out)
{
	const struct pt_plan *plan = al_run_plan(run);

	if (!plan)
		return;
	out->begin_list(out, "windows");
	for (uint32_t w = 0; w < plan->windows.n; w++) {
		struct al_window_counts c = al_run_window(run, w);

		write_window(plan, w, &c, out);
		if (!c.openings)
			write_awaited(plan, w, out);
		out->end(out);
	}
	out->end(out);
}

void al_process_windows_write(const struct al_process *p, struct an_sink *out)
{
	if (!p->plan)
		return;
	out->begin_list(out, "windows");
	for (uint32_t w = 0; w < p->plan->windows.n; w++) {
		struct al_window_counts c = al_process_window(p, w);

		write_window(p->plan, w, &c, out);
		out->end(out);
	}
	out->end(out);
}

/* ---- for a terminal ---- */

static void print_opened(const char *name, const struct al_window_counts *c,
			 struct al_text *out)
{
	char openings[AL_GROUPED], instructions[AL_GROUPED],
		accesses[AL_GROUPED];

	al_text_printf(out, "%13s %19s %19s  %s",
		       al_grouped(openings, c->openings),
		       al_grouped(instructions, c->instructions),
		       al_grouped(accesses, c->reads + c->writes), name);
}

/* In lines of whole words. */
static void print_awaited(const char *text, struct al_text *out)
{
	enum { INDENT = 15, ROOM = AL_COLUMNS - INDENT };
	size_t len;

	for (; *text; text += len + (text[len] == ' ')) {
		len = strlen(text);
		if (len > ROOM)
			for (len = ROOM; len > 1 && text[len] != ' '; len--)
				;
		al_text_printf(out, "%*s%.*s", INDENT, "", (int)len, text);
	}
}

static void print_unopened(const struct pt_plan *plan, uint32_t window,
			   struct al_text *out)
{
	char *text = awaited(plan, window);

	al_text_printf(out, "%13s %*s  %s%s", "never", 39, "",
		       name_of(plan, window),
		       text ? ", which waits until" : "");
	if (text)
		print_awaited(text, out);
	free(text);
}

void al_run_windows_print(const struct al_run *run, struct al_text *out)
{
	const struct pt_plan *plan = al_run_plan(run);

	if (!plan)
		return;
	out->text.heading(&out->text, "       opened        instructions"
				      "            accesses  window");
	for (uint32_t w = 0; w < plan->windows.n; w++) {
		struct al_window_counts c = al_run_window(run, w);

		if (c.openings)
			print_opened(name_of(plan, w), &c, out);
		else
			print_unopened(plan, w, out);
	}
}
