/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_keep.c - what the record of a run tells its profile; see al_keep.h */

#include "lib/al_keep.h"

#include <errno.h>

#include "lib/al_recording.h"

int al_run_record(struct al_run *run, char *message)
{
	const struct al_settings *s = run->settings;

	if (!s->profile)
		return 0;
	run->recording =
		al_recording_open(s->profile, (int)s->compress, message);
	return run->recording ? 0 : -errno;
}

int al_process_keep(struct al_process *p, const struct al_image *image,
		    const struct al_fork *fork, struct al_stream *stream)
{
	struct al_track_start start = {
		.pid = p->pid,
		.tree = p->tree,
		.number = p->number,
		.parent = p->parent ? p->parent->number : 0,
		.argv = image->argv,
		.directory = image->directory,
		.valgrind = image->valgrind,
		.fields = al_settings_fields(p->run->settings),
	};
	struct al_track *track;

	if (fork) {
		start.fork_of = al_stream_track(fork->parent);
		start.n_blocks = fork->n_blocks;
		start.log = fork->log;
	}
	track = al_recording_image(p->run->recording, &start);
	if (!track)
		return -ENOMEM;
	al_stream_keep(stream, track);
	return 0;
}

void al_process_image_over(struct al_process *p)
{
	static const unsigned ending[] = {
		[AL_EXITED] = PF_EXITED,
		[AL_SIGNALLED] = PF_SIGNALLED,
		[AL_EXECED] = PF_EXECED,
	};
	const struct al_track_end end = {
		.ending = ending[p->ending],
		.value = (uint64_t)p->value,
		.lost = p->lost,
		.lossy = p->lossy,
		.truncated = p->truncated,
		.wait_ns = p->wait_ns,
		.waits = p->waits,
		.buffers = p->buffers,
		.buffer_bytes = p->buffer_bytes,
	};

	if (p->run->recording)
		al_stream_keep_end(p->image[p->n_images - 1].stream, &end);
}

/* What parents, and who started the first of a tree, have seen. */
static void add_seen(const struct al_run *run, struct pf_records *done)
{
	for (size_t i = 0; i < run->n_processes; i++) {
		const struct al_process *p = run->process[i];

		if (!p->is_waited)
			continue;
		pf_add(done, PF_SEEN);
		pf_add_number(done, p->tree);
		pf_add_number(done, p->number);
		pf_add_number(done, (uint64_t)p->wait_status);
	}
}

void al_run_keep_end(struct al_run *run)
{
	struct pf_records done = {0};
	const char *why = NULL;

	if (!run->recording)
		return;
	al_run_settle(run);
	pf_add(&done, PF_STATUS);
	pf_add_string(&done, al_status_name(al_run_status(run, &why)));
	pf_add_string(&done, why ? why : "");
	pf_add(&done, PF_WALL);
	pf_add_number(&done, run->wall_ns);
	add_seen(run, &done);
	al_recording_finish(run->recording, &done);
	pf_records_release(&done);
}
