/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simpoint_option.c - parses --simpoint, --warmup and --truth of a replay
 */
#include "cli/commands/simpoint_option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "lib/simpoint/simpoint.h"

/* Return the value of "--key=VALUE"; NULL if @arg is another argument. */
static const char *value_of_key_or_null(const char *arg, const char *key)
{
	size_t n = strlen(key);

	return !strncmp(arg, key, n) && arg[n] == '=' ? arg + n + 1 : NULL;
}

int cl_simpoint_option_try_parse(struct cl_simpoint_option *o, const char *arg,
				 char *message)
{
	const char *name = value_of_key_or_null(arg, "--simpoint");
	const char *warmup = value_of_key_or_null(arg, "--warmup");
	const char *truth = value_of_key_or_null(arg, "--truth");
	uint64_t number;

	if (name && !*name)
		return al_message_return_einval(
			message, "'--simpoint' needs a name: --simpoint=NAME");
	if (warmup && al_number_parse_digits_only(warmup, &number))
		return al_message_return_einval(
			message, "--warmup: '%.60s' is not a number", warmup);
	if (truth && strcmp(truth, "yes") != 0 && strcmp(truth, "no") != 0)
		return al_message_return_einval(
			message, "--truth: '%.60s' is neither yes nor no",
			truth);
	o->name = name ?: o->name;
	o->warmup = warmup ?: o->warmup;
	o->truth = truth ?: o->truth;
	return name || warmup || truth;
}

static void print_chosen_intervals(const struct al_choice *c, FILE *out)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct al_chosen *p = &c->chosen[i];

		fprintf(out, "%s%zu/%" PRIu64 "/%" PRIu64 "/%" PRIu64,
			i ? "+" : "", p->interval, p->start, p->length,
			p->instrs);
	}
}

/* Write "simpoint:..." to o->analysis, with each interval of choice @c and the
   given values of --warmup and --truth. Return: 0; -ENOMEM. */
static int format_analysis_of_chosen_intervals(struct cl_simpoint_option *o,
					       const struct al_choice *c)
{
	size_t size;
	FILE *out = open_memstream(&o->analysis, &size);

	if (!out)
		return -ENOMEM;
	fprintf(out, "simpoint:interval=%" PRIu64 ",run=%" PRIu64, c->interval,
		c->instrs);
	if (o->warmup)
		fprintf(out, ",warmup=%s", o->warmup);
	if (o->truth)
		fprintf(out, ",truth=%s", o->truth);
	fputs(",points=", out);
	print_chosen_intervals(c, out);
	return fclose(out) ? -ENOMEM : 0;
}

int cl_simpoint_option_add_analysis(struct cl_simpoint_option *o,
				    struct al_options *options, char *message)
{
	struct al_choice c = {0};
	int err;

	if (!o->name && (o->warmup || o->truth))
		return al_message_return_einval(
			message, "'%s' needs --simpoint=NAME",
			o->warmup ? "--warmup" : "--truth");
	if (!o->name)
		return 0;
	err = al_choice_read_simpoint_files(&c, o->name, message);
	if (!err && format_analysis_of_chosen_intervals(o, &c))
		err = al_message_return_einval(message, "out of memory");
	if (!err)
		err = al_options_add_analysis(options, o->analysis, message);
	al_choice_release(&c);
	return err;
}

void cl_simpoint_option_release(struct cl_simpoint_option *o)
{
	free(o->analysis);
}
