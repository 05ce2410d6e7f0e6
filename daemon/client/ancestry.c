/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ancestry.c - finds a client's process and its parent; see ancestry.h */

#include "daemon/client/ancestry.h"

#include <string.h>

/* Whether @c proves by the token of @parent that it was forked from @parent. */
static bool has_token_of_parent(const struct dm_client *c,
				const struct dm_client *parent)
{
	return (c->hello.fixed.flags & PT_HELLO_TOKEN) &&
	       !memcmp(&c->hello.token, &parent->token, sizeof(parent->token));
}

struct dm_client *
dm_ancestry_find_fork_parent_by_token(const struct dm_client *c)
{
	const struct dm_daemon *d = c->daemon;
	uint32_t number = c->hello.fixed.parent_stream;
	struct dm_client *p;

	if (!(c->hello.fixed.flags & PT_HELLO_FORKED) || number >= d->n_streams)
		return NULL;
	p = d->streams[number];
	return p && p->stream && has_token_of_parent(c, p) ? p : NULL;
}

struct al_process *
dm_ancestry_find_process_before_exec(const struct dm_client *c)
{
	if (c->hello.fixed.flags & PT_HELLO_FORKED)
		return NULL;
	return al_run_find_alive_process(c->daemon->run, c->pid, c->start_time);
}

struct al_process *dm_ancestry_find_parent_process(const struct dm_client *c)
{
	const struct dm_client *p = dm_ancestry_find_fork_parent_by_token(c);

	if (p)
		return p->process;
	if (c->hello.fixed.flags & PT_HELLO_FORKED)
		return NULL;
	return al_run_find_alive_process(c->daemon->run, c->parent_pid,
					 c->parent_start_time);
}

/* Mark process @p as lossy for @reason, a literal. Set its end to exec if an
   earlier image of it was recorded, which ended when the process executed the
   program that is not recorded; else to not known. No-op if @p is NULL. */
static void mark_process_lossy_and_ended(struct al_process *p,
					 const char *reason)
{
	if (!p)
		return;
	al_process_add_lost_accesses(p, 0, reason);
	al_process_set_ending(p,
			      al_process_last_image_argv_or_null(p)
				      ? AL_EXECED
				      : AL_UNRECORDED,
			      0);
}

void dm_ancestry_mark_unconnected_child_lossy(struct dm_client *c,
					      pid_t child_pid)
{
	struct al_run *run = c->daemon->run;
	struct al_process *p = NULL;

	if (!c->process)
		return;
	if (c->n_lost < DM_MAX_LOST) {
		c->n_lost++;
		p = al_process_find_alive_child(c->process, child_pid);
		if (!p)
			p = al_run_add_process(run, child_pid, c->process);
	}
	if (p)
		mark_process_lossy_and_ended(
			p, "a child did not reach the daemon");
	else
		al_process_add_lost_accesses(
			c->process, 0, "children did not reach the daemon");
}

void dm_ancestry_end_process_as_lossy(const struct dm_client *c,
				      const char *reason)
{
	struct al_run *run = c->daemon->run;
	struct al_process *p = dm_ancestry_find_process_before_exec(c);

	if (!p && dm_ancestry_find_fork_parent_by_token(c)) {
		p = al_run_add_process(run, c->pid,
				       dm_ancestry_find_parent_process(c));
		if (p)
			al_process_set_start_time(p, c->start_time);
	}
	mark_process_lossy_and_ended(p, reason);
}
