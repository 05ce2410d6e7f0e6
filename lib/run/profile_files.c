/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_files.c - begins, fills and ends the profiles of a run; see
   profile_files.h */

#include "lib/run/profile_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/config/output_targets.h"
#include "lib/record/recording.h"

/* ---- profiles ---- */

/* Begin a profile and add it to the run's list, with its error if it cannot be
   begun. @owned_path: allocated, owned by the profile from now on; NULL: memory
   is short. @message_or_null_to_defer: [AL_MESSAGE] receives one line if the
   file cannot be created; NULL: the file is created when it is first written.
   Return: NULL when memory is short. */
static struct al_profile_file *
add_profile_created_now_or_deferred(struct al_run *run, char *owned_path,
				    char *message_or_null_to_defer)
{
	struct al_profile_file **bigger, *file = calloc(1, sizeof(*file));

	bigger = realloc(run->profile_file,
			 (run->n_profile_files + 1) * sizeof(*bigger));
	if (bigger)
		run->profile_file = bigger;
	if (!run->packers)
		run->packers =
			al_packers_new_empty_pool((int)run->settings->compress);
	if (!owned_path || !file || !bigger || !run->packers) {
		free(owned_path);
		free(file);
		run->profiles_error = -ENOMEM;
		return NULL;
	}
	file->path = owned_path;
	file->recording = message_or_null_to_defer
				  ? al_recording_new_and_create_file(
					    owned_path, run->packers,
					    message_or_null_to_defer)
				  : al_recording_new_create_file_later(
					    owned_path, run->packers);
	file->error = file->recording ? 0 : -errno;
	return run->profile_file[run->n_profile_files++] = file;
}

int al_run_begin_shared_profile_if_set(struct al_run *run, char *error_message)
{
	const char *path = run->settings->profile;
	struct al_profile_file *file;

	if (!path || al_output_is_per_process(path))
		return 0;
	error_message[0] = '\0';
	file = add_profile_created_now_or_deferred(run, strdup(path),
						   error_message);
	if (file && !file->error)
		return 0;
	if (!error_message[0])
		al_message_return_einval(error_message, "out of memory");
	return file ? file->error : -ENOMEM;
}

bool al_run_has_profile_per_process(const struct al_run *run)
{
	return run->settings->profile &&
	       al_output_is_per_process(run->settings->profile);
}

char *al_process_expand_file_pattern(const struct al_process *p,
				     const char *pid_or_number_pattern)
{
	size_t size;
	char *out = NULL;
	FILE *f = open_memstream(&out, &size);

	for (; f && *pid_or_number_pattern; pid_or_number_pattern++) {
		if (pid_or_number_pattern[0] == '%' &&
		    pid_or_number_pattern[1] == 'p')
			fprintf(f, "%d", (int)p->pid);
		else if (pid_or_number_pattern[0] == '%' &&
			 pid_or_number_pattern[1] == 'n' && p->tree > 1)
			fprintf(f, "%u.%u", p->tree, p->number);
		else if (pid_or_number_pattern[0] == '%' &&
			 pid_or_number_pattern[1] == 'n')
			fprintf(f, "%u", p->number);
		else {
			fputc(*pid_or_number_pattern, f);
			continue;
		}
		pid_or_number_pattern++;
	}
	if (f)
		fclose(f);
	return out;
}

/* Return the profile of the process, or NULL. If each process has a profile of
   its own, it is begun by the first call. */
static struct al_profile_file *
find_or_begin_profile_of_process(struct al_process *p)
{
	struct al_run *run = p->run;
	const char *path = run->settings->profile;

	if (!path || p->profile_file)
		return p->profile_file;
	if (al_output_is_per_process(path))
		return p->profile_file = add_profile_created_now_or_deferred(
			       run, al_process_expand_file_pattern(p, path),
			       NULL);
	return p->profile_file =
		       run->n_profile_files ? run->profile_file[0] : NULL;
}

int al_profile_file_error_or_0(const struct al_profile_file *file)
{
	return file->recording ? al_recording_error(file->recording)
			       : file->error;
}

uint64_t al_run_sum_profile_bytes(const struct al_run *run)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < run->n_profile_files; i++) {
		const struct al_profile_file *file = run->profile_file[i];

		bytes += file->recording
				 ? al_recording_bytes_written(file->recording)
				 : file->bytes;
	}
	return bytes;
}

void al_run_ignore_further_profile_writes(struct al_run *run)
{
	for (size_t i = 0; i < run->n_profile_files; i++) {
		struct al_profile_file *file = run->profile_file[i];

		if (!file->recording)
			continue;
		file->error = al_recording_error(file->recording);
		file->bytes = al_recording_bytes_written(file->recording);
		al_recording_ignore_further_writes(file->recording);
		file->recording = NULL;
	}
}

void al_run_flush_close_free_profiles(struct al_run *run)
{
	for (size_t i = 0; i < run->n_profile_files; i++) {
		al_recording_flush_close_free(run->profile_file[i]->recording);
		free(run->profile_file[i]->path);
		free(run->profile_file[i]);
	}
	free(run->profile_file);
	al_packers_free(run->packers);
}

/* ---- images ---- */

/* Whether @writer_or_null is not NULL and writes to the profile of recording
   @r. */
static bool
is_writer_of_recording(const struct al_stream_writer *writer_or_null,
		       const struct al_recording *r)
{
	return writer_or_null &&
	       al_stream_writer_recording(writer_or_null) == r;
}

static struct al_stream_writer *
add_stream_writer_for_image(struct al_process *p, const struct al_image *image,
			    const struct al_fork *fork_or_null)
{
	struct al_recording *r = p->profile_file->recording;
	struct al_stream_writer *parent =
		fork_or_null
			? al_stream_profile_writer_or_null(fork_or_null->parent)
			: NULL;
	bool same_profile = is_writer_of_recording(parent, r);
	struct al_stream_writer_start start = {
		.pid = p->pid,
		.tree = p->tree,
		.number = p->number,
		.parent = p->parent ? p->parent->number : 0,
		.argv = image->argv,
		.directory = image->directory,
		.valgrind = image->valgrind,
		.fields = image->fields ? image->fields
					: al_settings_fields_tool_must_emit(
						  p->run->settings),
		.plan = p->plan,
		.fork_parent = same_profile ? parent : NULL,
		.n_blocks = same_profile ? fork_or_null->n_blocks : 0,
		.fork_log_bytes = same_profile ? fork_or_null->log : 0,
	};

	return al_recording_start_image_stream(r, &start);
}

void al_fork_copy_parent_log_if_own_profile(const struct al_fork *fork,
					    struct al_stream *stream)
{
	struct al_stream_writer *parent =
		al_stream_profile_writer_or_null(fork->parent);
	struct al_stream_writer *writer =
		al_stream_profile_writer_or_null(stream);

	if (writer && parent &&
	    !is_writer_of_recording(parent, al_stream_writer_recording(writer)))
		al_stream_writer_copy_parent_log(writer, parent, fork->log);
}

/* Whether the process is stored in a profile. A process that is not followed is
   stored only in the profile of the whole run, with its number; a process
   without a number is stored in none. */
static bool is_stored_in_some_profile(const struct al_process *p)
{
	return p->number &&
	       (al_process_is_followed(p) ||
		(p->run->settings->profile &&
		 !al_output_is_per_process(p->run->settings->profile)));
}

void al_process_begin_image_in_profile(struct al_process *p,
				       const struct al_image *image,
				       const struct al_fork *fork,
				       struct al_stream *stream)
{
	struct al_profile_file *file =
		is_stored_in_some_profile(p)
			? find_or_begin_profile_of_process(p)
			: NULL;
	struct al_stream_writer *writer;

	/* A forked image needs the blocks in its parent's log: do not record it
	   if its parent is not recorded. */
	if (!file || !file->recording ||
	    (fork && !al_stream_profile_writer_or_null(fork->parent)))
		return;
	writer = add_stream_writer_for_image(p, image, fork);
	if (writer)
		al_stream_set_owned_profile_writer(stream, writer);
}

/* ---- ends of processes and profiles ---- */

static void append_status_record(struct pf_records *done, enum al_status status,
				 const char *why)
{
	pf_records_begin_fact(done, PF_STATUS);
	pf_records_append_string_to_fact(done, al_run_status_name(status));
	pf_records_append_string_to_fact(done, why ? why : "");
}

/* Append a record of the wait status of @p that its parent received; nothing if
   the parent received none. */
static void append_wait_status_if_known(struct pf_records *done,
					const struct al_process *p)
{
	if (!p->is_waited)
		return;
	pf_records_begin_fact(done, PF_SEEN);
	pf_records_append_u64_to_fact(done, p->tree);
	pf_records_append_u64_to_fact(done, p->number);
	pf_records_append_u64_to_fact(done, (uint64_t)p->wait_status);
}

/* Append an end block with @end_records to a profile, unless the profile has
   ended. Release @end_records in any case. */
static void
queue_profile_end_and_release_records(struct al_profile_file *file,
				      struct pf_records *end_records)
{
	if (!file->is_ended && file->recording)
		al_recording_queue_end_block(file->recording, end_records);
	file->is_ended = true;
	pf_records_free_memory_and_zero(end_records);
}

/* End the profile of a process that has one of its own. The end contains how
   complete the recording of the process is ("complete", "lossy" or "truncated")
   with the reason, and the wait status of the process if it is known. */
static void queue_own_profile_end(struct al_process *p)
{
	struct pf_records done = {0};
	const char *why;
	enum al_status status = al_process_completeness_and_reason(p, &why);

	append_status_record(&done, status, why);
	append_wait_status_if_known(&done, p);
	queue_profile_end_and_release_records(p->profile_file, &done);
}

/* End the profile that all processes share. The end contains how complete the
   recording of the run is, with the reason, the wall time of the run, and the
   wait status of each process if it is known. */
static void queue_shared_profile_end(struct al_run *run)
{
	struct pf_records done = {0};
	const char *why;
	enum al_status status = al_run_status(run, &why);

	append_status_record(&done, status, why);
	pf_records_begin_fact(&done, PF_WALL);
	pf_records_append_u64_to_fact(&done, run->wall_ns);
	for (size_t i = 0; i < run->n_processes; i++)
		append_wait_status_if_known(&done, run->process[i]);
	queue_profile_end_and_release_records(run->profile_file[0], &done);
}

void al_run_end_profiles_and_write_queues(struct al_run *run)
{
	if (!run->n_profile_files && !run->profiles_error)
		return;
	al_run_sort_processes_update_statuses(run);
	if (run->n_profile_files &&
	    !al_output_is_per_process(run->settings->profile))
		queue_shared_profile_end(run);
	for (size_t i = 0; i < run->n_processes; i++)
		if (run->process[i]->profile_file &&
		    !run->process[i]->profile_file->is_ended)
			queue_own_profile_end(run->process[i]);
	for (size_t i = 0; i < run->n_profile_files; i++)
		if (run->profile_file[i]->recording)
			al_recording_write_whole_queue(
				run->profile_file[i]->recording);
	/* Update the statuses again: writing the ends may have failed. */
	al_run_sort_processes_update_statuses(run);
}

void al_process_record_image_end_in_profile(struct al_process *p,
					    struct al_stream *stream)
{
	static const unsigned ending[] = {
		[AL_EXITED] = PF_EXITED,
		[AL_SIGNALLED] = PF_SIGNALLED,
		[AL_EXECED] = PF_EXECED,
		[AL_UNRECORDED] = 0,
	};
	struct al_counts counts = al_stream_sum_latest_counts(stream);
	const struct al_stream_writer_end end = {
		.ending = ending[p->ending],
		.value = (uint64_t)p->exit_value,
		.lost_accesses = p->lost_accesses,
		.lost_messages = p->lost_messages,
		.lossy = p->lossy,
		.truncated = p->truncated,
		.title = p->title,
		.variables = p->environment.variables,
		.environment_bytes = p->environment.bytes,
		.environment_hash = p->environment.hash,
		.jit_names = al_stream_jit_names(stream),
		.wait_ns = p->wait_ns,
		.waits = p->waits,
		.buffers = p->buffers,
		.buffer_bytes = p->buffer_bytes,
		.threads = counts.threads,
		.signals = counts.signals,
		.window = al_stream_counts_by_window(stream),
		.n_windows = p->plan ? p->plan->windows.n : 0,
	};

	if (!al_stream_profile_writer_or_null(stream))
		return;
	al_stream_writer_append_image_end(
		al_stream_profile_writer_or_null(stream), &end);
	if (p->ending != AL_EXECED &&
	    al_output_is_per_process(p->run->settings->profile))
		queue_own_profile_end(p);
}

void al_process_write_profile_queue(struct al_process *p)
{
	struct al_profile_file *file = p->profile_file;

	if (!file || !file->recording)
		return;
	if (al_run_has_profile_per_process(p->run))
		al_recording_write_whole_queue(file->recording);
	else
		al_recording_write_queue_down_to_max(file->recording);
}

void al_process_close_ended_own_profile(struct al_process *p)
{
	struct al_profile_file *file = p->profile_file;

	if (!file || !file->recording || !file->is_ended ||
	    !al_output_is_per_process(p->run->settings->profile))
		return;
	for (size_t i = 0; i < p->n_images; i++)
		if (p->image[i].stream)
			return;
	file->error = al_recording_error(file->recording);
	file->bytes = al_recording_bytes_written(file->recording);
	al_recording_flush_close_free(file->recording);
	file->recording = NULL;
}
