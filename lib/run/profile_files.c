/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_files.c - begins, fills and ends the profiles of a run; see
   profile_files.h */

#include "lib/run/profile_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/record/recording.h"

/* ---- profiles ---- */

/* Whether @path means a profile for each process. */
static bool is_per_process(const char *path)
{
	return strstr(path, "%p") || strstr(path, "%n");
}

/* Begin a profile and add it to the run's list, with its error if it cannot
   begin. @path: allocated, owned by the profile from now on; NULL: memory is
   short. @message: [PF_MESSAGE] receives one line if the file cannot be
   created; NULL: the file is created when it is first written. Return: NULL
   when memory is short. */
static struct al_kept *begin_profile(struct al_run *run, char *path,
				     char *message)
{
	struct al_kept **bigger, *k = calloc(1, sizeof(*k));

	bigger = realloc(run->kept, (run->n_kept + 1) * sizeof(*bigger));
	if (bigger)
		run->kept = bigger;
	if (!run->packers)
		run->packers = al_packers_new((int)run->settings->compress);
	if (!path || !k || !bigger || !run->packers) {
		free(path);
		free(k);
		run->keep_error = -ENOMEM;
		return NULL;
	}
	k->path = path;
	k->recording = message ? al_recording_open(path, run->packers, message)
			       : al_recording_new(path, run->packers);
	k->error = k->recording ? 0 : -errno;
	return run->kept[run->n_kept++] = k;
}

int al_run_record(struct al_run *run, char *message)
{
	const char *path = run->settings->profile;
	struct al_kept *k;

	if (!path || is_per_process(path))
		return 0;
	message[0] = '\0';
	k = begin_profile(run, strdup(path), message);
	if (k && !k->error)
		return 0;
	if (!message[0])
		al_message(message, "out of memory");
	return k ? k->error : -ENOMEM;
}

bool al_run_has_own_profiles(const struct al_run *run)
{
	return run->settings->profile && is_per_process(run->settings->profile);
}

char *al_process_file(const struct al_process *p, const char *path)
{
	size_t size;
	char *out = NULL;
	FILE *f = open_memstream(&out, &size);

	for (; f && *path; path++) {
		if (path[0] == '%' && path[1] == 'p')
			fprintf(f, "%d", (int)p->pid);
		else if (path[0] == '%' && path[1] == 'n' && p->tree > 1)
			fprintf(f, "%u.%u", p->tree, p->number);
		else if (path[0] == '%' && path[1] == 'n')
			fprintf(f, "%u", p->number);
		else {
			fputc(*path, f);
			continue;
		}
		path++;
	}
	if (f)
		fclose(f);
	return out;
}

/* Return the profile of the process, begun if it is the process's own and new;
   NULL: none. */
static struct al_kept *find_profile(struct al_process *p)
{
	struct al_run *run = p->run;
	const char *path = run->settings->profile;

	if (!path || p->kept)
		return p->kept;
	if (is_per_process(path))
		return p->kept = begin_profile(run, al_process_file(p, path),
					       NULL);
	return p->kept = run->n_kept ? run->kept[0] : NULL;
}

int al_kept_error(const struct al_kept *k)
{
	return k->recording ? al_recording_error(k->recording) : k->error;
}

uint64_t al_run_kept_bytes(const struct al_run *run)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < run->n_kept; i++) {
		const struct al_kept *k = run->kept[i];

		bytes += k->recording ? al_recording_bytes(k->recording)
				      : k->bytes;
	}
	return bytes;
}

void al_run_stop_profiles(struct al_run *run)
{
	for (size_t i = 0; i < run->n_kept; i++) {
		struct al_kept *k = run->kept[i];

		if (!k->recording)
			continue;
		k->error = al_recording_error(k->recording);
		k->bytes = al_recording_bytes(k->recording);
		al_recording_stop(k->recording);
		k->recording = NULL;
	}
}

void al_run_keep_free(struct al_run *run)
{
	for (size_t i = 0; i < run->n_kept; i++) {
		al_recording_free(run->kept[i]->recording);
		free(run->kept[i]->path);
		free(run->kept[i]);
	}
	free(run->kept);
	al_packers_free(run->packers);
}

/* ---- images ---- */

/* Whether track @of is recorded in the profile @r. */
static bool is_in_profile(const struct al_track *parent,
			  const struct al_recording *r)
{
	return parent && al_track_recording(parent) == r;
}

static struct al_track *begin_track(struct al_process *p,
				    const struct al_image *image,
				    const struct al_fork *fork)
{
	struct al_recording *r = p->kept->recording;
	struct al_track *parent = fork ? al_stream_track(fork->parent) : NULL;
	bool same_profile = is_in_profile(parent, r);
	struct al_track_start start = {
		.pid = p->pid,
		.tree = p->tree,
		.number = p->number,
		.parent = p->parent ? p->parent->number : 0,
		.argv = image->argv,
		.directory = image->directory,
		.valgrind = image->valgrind,
		.fields = image->fields ? image->fields
					: al_settings_fields(p->run->settings),
		.plan = p->plan,
		.fork_of = same_profile ? parent : NULL,
		.n_blocks = same_profile ? fork->n_blocks : 0,
		.log = same_profile ? fork->log : 0,
	};

	return al_recording_image(r, &start);
}

void al_process_inherit(const struct al_fork *fork, struct al_stream *stream)
{
	struct al_track *parent = al_stream_track(fork->parent);
	struct al_track *track = al_stream_track(stream);

	if (track && parent &&
	    !is_in_profile(parent, al_track_recording(track)))
		al_track_inherit(track, parent, fork->log);
}

/* Whether the process is in a profile. A process that is not followed is only
   in the profile of the run, with its number; a process without a number is in
   none. */
static bool is_kept(const struct al_process *p)
{
	return p->number && (al_process_is_followed(p) ||
			     (p->run->settings->profile &&
			      !is_per_process(p->run->settings->profile)));
}

void al_process_keep(struct al_process *p, const struct al_image *image,
		     const struct al_fork *fork, struct al_stream *stream)
{
	struct al_kept *k = is_kept(p) ? find_profile(p) : NULL;
	struct al_track *track;

	/* Without the parent's log, a forked image's blocks are unknown. */
	if (!k || !k->recording || (fork && !al_stream_track(fork->parent)))
		return;
	track = begin_track(p, image, fork);
	if (track)
		al_stream_keep(stream, track);
}

/* ---- ends of processes and profiles ---- */

static void add_status(struct pf_records *done, enum al_status status,
		       const char *why)
{
	pf_add(done, PF_STATUS);
	pf_add_string(done, al_status_name(status));
	pf_add_string(done, why ? why : "");
}

/* Add the wait status that the process's parent saw, if known. */
static void add_wait_status(struct pf_records *done, const struct al_process *p)
{
	if (!p->is_waited)
		return;
	pf_add(done, PF_SEEN);
	pf_add_number(done, p->tree);
	pf_add_number(done, p->number);
	pf_add_number(done, (uint64_t)p->wait_status);
}

/* End a profile, unless it has ended. @done: its last records, released here.
   */
static void finish_profile(struct al_kept *k, struct pf_records *done)
{
	if (!k->ended && k->recording)
		al_recording_finish(k->recording, done);
	k->ended = true;
	pf_records_release(done);
}

/* End the process's own profile. */
static void finish_own(struct al_process *p)
{
	struct pf_records done = {0};
	const char *why;
	enum al_status status = al_process_status(p, &why);

	add_status(&done, status, why);
	add_wait_status(&done, p);
	finish_profile(p->kept, &done);
}

/* End the profile of the run. */
static void finish_run(struct al_run *run)
{
	struct pf_records done = {0};
	const char *why;
	enum al_status status = al_run_status(run, &why);

	add_status(&done, status, why);
	pf_add(&done, PF_WALL);
	pf_add_number(&done, run->wall_ns);
	for (size_t i = 0; i < run->n_processes; i++)
		add_wait_status(&done, run->process[i]);
	finish_profile(run->kept[0], &done);
}

void al_run_keep_end(struct al_run *run)
{
	if (!run->n_kept && !run->keep_error)
		return;
	al_run_settle(run);
	if (run->n_kept && !is_per_process(run->settings->profile))
		finish_run(run);
	for (size_t i = 0; i < run->n_processes; i++)
		if (run->process[i]->kept && !run->process[i]->kept->ended)
			finish_own(run->process[i]);
	for (size_t i = 0; i < run->n_kept; i++)
		if (run->kept[i]->recording)
			al_recording_sync(run->kept[i]->recording);
	al_run_settle(run); /* writing the ends may have failed, too */
}

void al_process_keep_end(struct al_process *p, struct al_stream *stream)
{
	static const unsigned ending[] = {
		[AL_EXITED] = PF_EXITED,
		[AL_SIGNALLED] = PF_SIGNALLED,
		[AL_EXECED] = PF_EXECED,
	};
	struct al_counts counts = al_stream_counts(stream);
	const struct al_track_end end = {
		.ending = ending[p->ending],
		.value = (uint64_t)p->value,
		.lost = p->lost,
		.lost_messages = p->lost_messages,
		.lossy = p->lossy,
		.truncated = p->truncated,
		.title = p->title,
		.made = al_stream_perfmap(stream),
		.wait_ns = p->wait_ns,
		.waits = p->waits,
		.buffers = p->buffers,
		.buffer_bytes = p->buffer_bytes,
		.threads = counts.threads,
		.signals = counts.signals,
		.window = al_stream_windows(stream),
		.n_windows = p->plan ? p->plan->windows.n : 0,
	};

	if (!al_stream_track(stream))
		return;
	al_track_end(al_stream_track(stream), &end);
	if (p->ending != AL_EXECED && is_per_process(p->run->settings->profile))
		finish_own(p);
}

void al_process_write(struct al_process *p)
{
	struct al_kept *k = p->kept;

	if (!k || !k->recording)
		return;
	if (al_run_has_own_profiles(p->run))
		al_recording_sync(k->recording);
	else
		al_recording_write(k->recording);
}

void al_process_keep_gone(struct al_process *p)
{
	struct al_kept *k = p->kept;

	if (!k || !k->recording || !k->ended ||
	    !is_per_process(p->run->settings->profile))
		return;
	for (size_t i = 0; i < p->n_images; i++)
		if (p->image[i].stream)
			return;
	k->error = al_recording_error(k->recording);
	k->bytes = al_recording_bytes(k->recording);
	al_recording_free(k->recording);
	k->recording = NULL;
}
