/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff_inputs.c - reads what alleria diff compares; see diff.h
 */
#include <alleria/alleria.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "cli/commands/diff.h"
#include "cli/commands/replay.h"

enum { GEOMETRY = 512 /* [bytes] of a string of cache options, with NUL */ };

/* An input that a thread reads: from where, to where, and the error. */
struct reading {
	struct al_diff_input *input;
	struct al_intern *strings;
	const char *path;
	int err;
	char message[AL_MESSAGE];
};

static void *read_diff_report_file_thread(void *reading)
{
	struct reading *r = reading;

	r->err = al_diff_read_json_or_cachegrind(r->path, r->strings, r->input,
						 r->message);
	return NULL;
}

bool cl_diff_has_profile_magic(const char *path)
{
	FILE *file = fopen(path, "re");
	uint32_t magic = 0;

	if (file == NULL)
		return false;
	if (fread(&magic, sizeof(magic), 1, file) != 1)
		magic = 0;
	fclose(file);
	return magic == AL_PROFILE_MAGIC;
}

/* Write the caches of @in to @out as options separated by blanks,
   "--I1=32768,8,64 --D1=...": a copy of in->geometry if it is set; else, for a
   cachegrind.out file, converted from in->first_and_last, "I1 32768,8,64; D1
   ...". Write "" if they are not known. */
static void format_cache_options(char out[GEOMETRY],
				 const struct al_diff_input *in)
{
	size_t n = 0;
	const char *s = in->first_and_last;

	if (in->geometry != NULL) {
		snprintf(out, GEOMETRY, "%s", in->geometry);
		return;
	}
	*out = '\0';
	if (in->kind != AL_DIFF_CACHEGRIND)
		return;
	while (s != NULL && *s != '\0' && n < GEOMETRY) {
		n += (size_t)snprintf(out + n, GEOMETRY - n, "%s--%.2s=%.*s",
				      n ? " " : "", s, (int)strcspn(s + 3, ";"),
				      s + 3);
		s = strchr(s, ';');
		s = s ? s + 2 : NULL;
	}
}

/* Whether a profile was recorded with data objects and addresses. */
static bool has_profile_data_objects_and_addresses(const char *path)
{
	const uint32_t needed = ALLERIA_HAS_DATA | ALLERIA_HAS_ADDRESSES;
	char message[AL_MESSAGE];
	struct alleria_profile *p;
	uint32_t has;

	if (alleria_open(path, &p, message))
		return false;
	has = alleria_run(p)->has;
	alleria_close(p);
	return (has & needed) == needed;
}

/* Replay @profile and write a JSON report to @json_path, with data objects if
   @has_data. If there are no @cache_options, use @default_cache_options,
   separated by blanks, which are split in place. Return: 0, also if the profile
   is damaged; -EINVAL with @message. */
static int replay_profile_to_json_file(const char *profile, bool has_data,
				       const char *json_path,
				       char *default_cache_options,
				       char *const *cache_options,
				       size_t option_count, char *message)
{
	static char cache[] = "--analyze=cache", data[] = "--analyze=data";
	char *argv[CL_DIFF_MAX_OPTIONS + 16], *word, output[96];
	int argc = 0;

	snprintf(output, sizeof(output), "--json=%s", json_path);
	argv[argc++] = (char *)profile;
	argv[argc++] = output;
	if (has_data) {
		argv[argc++] = cache;
		argv[argc++] = data;
	}
	for (size_t i = 0; i < option_count; i++)
		argv[argc++] = cache_options[i];
	while (option_count == 0 && argc < CL_DIFF_MAX_OPTIONS &&
	       (word = strsep(&default_cache_options, " ")) != NULL)
		if (*word != '\0')
			argv[argc++] = word;
	argv[argc] = NULL;
	if (cl_replay_without_report(argc, argv) < 2)
		return 0;
	return al_message_return_einval(message, "cannot replay '%.300s'",
					profile);
}

/* Replay the profile r->path into a temporary report, read that and delete it.
   @other_input: its caches are used if there are no options; NULL: unknown.
   @has_data: whether the report shall have data objects. Return r->err: 0;
   -EINVAL with r->message. */
static int
replay_profile_and_read_report(struct reading *r, bool has_data,
			       const struct al_diff_input *other_input,
			       char *const *cache_options, size_t option_count)
{
	char dir[] = "/tmp/alleria-diff.XXXXXX", json[64];
	char geometry[GEOMETRY] = "";
	const char *profile = r->path;

	if (mkdtemp(dir) == NULL)
		return r->err = al_message_return_einval(
			       r->message, "cannot create '%s': %s", dir,
			       strerror(errno));
	snprintf(json, sizeof(json), "%s/report.json", dir);
	if (other_input != NULL)
		format_cache_options(geometry, other_input);
	r->err = replay_profile_to_json_file(profile, has_data, json, geometry,
					     cache_options, option_count,
					     r->message);
	if (!r->err) {
		r->path = json;
		read_diff_report_file_thread(r);
		r->path = r->input->path = profile;
	}
	unlink(json);
	rmdir(dir);
	return r->err;
}

/* Read each of the two inputs that is no profile. If neither is a profile, read
   the first one in a new thread while this thread reads the other. Errors are
   stored in @r. */
static void read_non_profile_inputs(struct reading r[2],
				    const bool is_profile[2])
{
	pthread_t thread;
	bool started = !is_profile[0] && !is_profile[1] &&
		       pthread_create(&thread, NULL,
				      read_diff_report_file_thread, &r[0]) == 0;

	if (!is_profile[0] && !started)
		read_diff_report_file_thread(&r[0]);
	if (!is_profile[1])
		read_diff_report_file_thread(&r[1]);
	if (started)
		pthread_join(thread, NULL);
}

int cl_diff_inputs_read_or_replay(struct cl_diff_inputs *in,
				  const char *const path[2],
				  char *const *replay_options,
				  size_t option_count, char *message)
{
	struct reading r[2];
	bool profile[2], has_data = true;

	memset(in, 0, sizeof(*in));
	al_intern_init(&in->strings);
	for (int i = 0; i < 2; i++) {
		r[i] = (struct reading){&in->input[i], &in->strings, path[i], 0,
					""};
		profile[i] = cl_diff_has_profile_magic(path[i]);
	}
	read_non_profile_inputs(r, profile);
	for (int i = 0; i < 2 && has_data; i++)
		has_data = profile[i] ? has_profile_data_objects_and_addresses(
						path[i])
				      : in->input[i].n_data_rows > 0;
	for (int i = 0; i < 2 && !r[0].err && !r[1].err; i++)
		if (profile[i])
			replay_profile_and_read_report(
				&r[i], has_data,
				i || !profile[1] ? &in->input[!i] : NULL,
				replay_options, option_count);
	for (int i = 0; i < 2; i++)
		if (r[i].err) {
			memcpy(message, r[i].message, AL_MESSAGE);
			return -EINVAL;
		}
	return 0;
}

void cl_diff_inputs_release(struct cl_diff_inputs *in)
{
	al_diff_input_release(&in->input[0]);
	al_diff_input_release(&in->input[1]);
	al_intern_release(&in->strings);
}
