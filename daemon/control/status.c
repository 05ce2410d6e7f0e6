/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.c - prints the present state of a daemon; see status.h
 */
#include "daemon/control/status.h"

#include "base/text/json.h"
#include "base/text/line_writer.h"
#include "daemon/core/clock.h"
#include "lib/config/window/windows.h"

/* Whether the client is listed: it has a process and is in DM_LIVE (not
   analysed completely) or DM_EXECED (another image may follow). */
static bool is_listed_in_status(const struct dm_client *c)
{
	return c->process && c->stage >= DM_LIVE && c->stage < DM_ENDED;
}

static const char *client_state_text(const struct dm_client *c)
{
	if (c->stage == DM_EXECED)
		return "executing another";
	if (dm_is_no_more_input_accepted(c))
		return "ended, being analysed";
	return al_process_is_followed(c->process) ? "recorded" : "not followed";
}

/* Call @visit with @arg and the name of each window that is open now in a
   client's program. */
static void visit_names_of_open_windows(const struct dm_client *c,
					void (*visit)(void *arg,
						      const char *name),
					void *arg)
{
	const struct al_windows *w = c->daemon->settings->windows;
	uint64_t open = dm_ring_read_open_window_mask(&c->ring);

	for (uint32_t i = 0; w && i < w->n[AL_WINDOWS]; i++)
		if (open >> i & 1)
			visit(arg, w->string + w->window[i].name);
}

/* ---- in JSON ---- */

static void write_window_name_to_json(void *out, const char *name)
{
	struct an_sink *sink = out;

	sink->string(sink, NULL, name);
}

static void write_window_name_list(struct an_sink *out,
				   const struct al_windows *w)
{
	out->begin_list(out, "windows");
	for (uint32_t i = 0; w && i < w->n[AL_WINDOWS]; i++)
		out->string(out, NULL, w->string + w->window[i].name);
	out->end(out);
}

static void write_program_json(struct an_sink *out, const struct dm_client *c)
{
	struct al_counts n = al_stream_sum_latest_counts(c->stream);
	char title[PT_TITLE];
	char *const *argv = al_process_last_image_argv_or_null(c->process);

	out->begin(out, NULL);
	out->number(out, "pid", (uint64_t)c->pid);
	out->number(out, "tree", al_process_tree_number_in_run(c->process));
	out->number(out, "number", al_process_number_in_tree_or_0(c->process));
	out->string(out, "state", client_state_text(c));
	out->begin_list(out, "command");
	for (; argv && *argv; argv++)
		out->string(out, NULL, *argv);
	out->end(out);
	dm_ring_read_program_title(&c->ring, title);
	if (*title)
		out->string(out, "title", title);
	out->begin_list(out, "open");
	visit_names_of_open_windows(c, write_window_name_to_json, out);
	out->end(out);
	out->number(out, "instructions", n.instructions);
	out->number(out, "reads", n.reads);
	out->number(out, "writes", n.writes);
	out->number(out, "buffers", c->chunks);
	out->number(out, "buffers_waiting", c->published - c->analysed);
	out->end(out);
}

int dm_status_print_json(struct dm_daemon *d, FILE *f)
{
	struct al_counts n;
	struct al_json json;
	struct an_sink *out = &json.sink;

	for (const struct dm_client *c = d->clients; c; c = c->next)
		if (is_listed_in_status(c))
			al_stream_update_latest_counts(c->stream);
	n = al_run_counts(d->run);
	al_json_init(&json, f);
	out->begin(out, NULL);
	out->begin(out, "alleria");
	out->string(out, "version", PACKAGE_VERSION);
	out->end(out);
	out->string(out, "socket", d->socket);
	out->number(out, "elapsed_ns", dm_now_ns() - d->started_ns);
	out->number(out, "recorded", d->n_streams);
	out->number(out, "instructions", n.instructions);
	out->number(out, "reads", n.reads);
	out->number(out, "writes", n.writes);
	write_window_name_list(out, d->settings->windows);
	out->begin_list(out, "programs");
	for (const struct dm_client *c = d->clients; c; c = c->next)
		if (is_listed_in_status(c))
			write_program_json(out, c);
	out->end(out);
	out->end(out);
	return 0;
}

/* ---- in lines ---- */

static void print_quoted_window_name(void *file, const char *name)
{
	fprintf(file, " '%s'", name);
}

/* Print the title that a program has given itself or, if there is none, the
   words of its command, each after a space. */
static void print_program_title_or_command(const struct dm_client *c,
					   struct al_text *text)
{
	char *const *argv = al_process_last_image_argv_or_null(c->process);
	char title[PT_TITLE], *titled[] = {title, NULL};

	dm_ring_read_program_title(&c->ring, title);
	if (*title)
		argv = titled;
	for (; argv && *argv; argv++) {
		fputc(' ', text->file);
		al_text_write(text, AL_PLAIN, *argv);
	}
}

int dm_status_print_program_lines_return_0(struct dm_daemon *d, FILE *f)
{
	struct al_text text;

	al_text_init(&text, f, false);
	for (const struct dm_client *c = d->clients; c; c = c->next) {
		if (!is_listed_in_status(c))
			continue;
		fprintf(f, "%d %u.%u %s", (int)c->pid,
			al_process_tree_number_in_run(c->process),
			al_process_number_in_tree_or_0(c->process),
			client_state_text(c));
		visit_names_of_open_windows(c, print_quoted_window_name, f);
		fputc(':', f);
		print_program_title_or_command(c, &text);
		fputc('\n', f);
	}
	return 0;
}

int dm_status_list_window_names_return_0(struct dm_daemon *d, FILE *f)
{
	const struct al_windows *w = d->settings->windows;

	for (uint32_t i = 0; w && i < w->n[AL_WINDOWS]; i++)
		fprintf(f, "%s\n", w->string + w->window[i].name);
	return 0;
}
