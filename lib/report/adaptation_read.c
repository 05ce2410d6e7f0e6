/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptation_read.c - reads the log of adaptation (of the numbers of workers
 *                     and buffers) from a JSON report
 */
#include "lib/report/adaptation.h"

#include <errno.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/yaml.h"

/* A key of an object, whose value is a number from @min to @max. */
struct key {
	const char *name;
	uint64_t *out;
	uint64_t max;
	uint64_t min;
};

static int read_required_number(const struct al_node *map,
				const struct key *key, char *message)
{
	const struct al_node *node = al_yaml_get_required(
		map, key->name, AL_TEXT, "the report", message);

	if (!node)
		return -EINVAL;
	if (al_number_parse_digits_only(node->text, key->out) ||
	    *key->out < key->min || *key->out > key->max)
		return al_yaml_error_at_node(
			node, message, "'%.60s' is no number here", node->text);
	return 0;
}

/* Read all numbers of @null_ended_keys, an array that ends with a NULL name.
   Return: 0; -EINVAL with @message. */
static int read_required_number_of_each_key(const struct al_node *map,
					    const struct key *null_ended_keys,
					    char *message)
{
	int err = 0;

	for (; null_ended_keys->name && !err; null_ended_keys++)
		err = read_required_number(map, null_ended_keys, message);
	return err;
}

/* Read the phase of the adaptation under key @name: one letter, 'X', 'Y' or
   'Z'. Return: 0; -EINVAL with @message. */
static int read_adaptation_phase_letter(const struct al_node *map,
					const char *name, char *phase_letter,
					char *message)
{
	const struct al_node *node =
		al_yaml_get_required(map, name, AL_TEXT, "a decision", message);

	if (!node)
		return -EINVAL;
	*phase_letter = node->text[0];
	if (*phase_letter < 'X' || *phase_letter > 'Z' || node->text[1])
		return al_yaml_error_at_node(node, message,
					     "'%.60s' is no phase", node->text);
	return 0;
}

static int read_decision(const struct al_node *map, struct al_decision *d,
			 char *message)
{
	uint64_t programs, workers, buffers;
	const struct key keys[] = {
		{"at_ns", &d->end_ns, .max = UINT64_MAX},
		{"span_ns", &d->span_ns, .max = UINT64_MAX},
		{"idle_ns", &d->idle_ns, .max = UINT64_MAX},
		{"wait_ns", &d->wait_ns, .max = UINT64_MAX},
		{"programs", &programs, .max = UINT32_MAX},
		{"workers", &workers, .max = UINT32_MAX},
		{"buffers", &buffers, .max = UINT32_MAX},
		{.name = NULL},
	};
	int err = read_required_number_of_each_key(map, keys, message);

	if (!err)
		err = read_adaptation_phase_letter(map, "from",
						   &d->phase_before, message);
	if (!err)
		err = read_adaptation_phase_letter(map, "to", &d->phase_after,
						   message);
	if (err)
		return err;
	d->programs = (unsigned)programs;
	d->workers = (unsigned)workers;
	d->buffers = (unsigned)buffers;
	return 0;
}

static int read_adaptive_worker_settings(const struct al_node *adaptive,
					 struct al_adaptive *a, char *message)
{
	const struct al_node *thresholds = al_yaml_get_required(
		adaptive, "thresholds", AL_MAP, "run.adaptive", message);
	uint64_t tp, tay1, tay2, taz, period, workers, buffers;
	const struct key percents[] = {
		{"tp", &tp, .max = UINT32_MAX},
		{"tay1", &tay1, .max = UINT32_MAX},
		{"tay2", &tay2, .max = UINT32_MAX},
		{"taz", &taz, .max = UINT32_MAX},
		{.name = NULL},
	};
	const struct key limits[] = {
		{"period_ms", &period, .min = 1, .max = UINT32_MAX},
		{"max_workers", &workers, .max = UINT32_MAX},
		{"max_buffers", &buffers, .max = UINT32_MAX},
		{.name = NULL},
	};

	if (!thresholds ||
	    read_required_number_of_each_key(thresholds, percents, message) ||
	    read_required_number_of_each_key(adaptive, limits, message))
		return -EINVAL;
	*a = (struct al_adaptive){
		.enabled = true,
		.tp = (unsigned)tp,
		.tay1 = (unsigned)tay1,
		.tay2 = (unsigned)tay2,
		.taz = (unsigned)taz,
		.period = (unsigned)period,
		.workers = (unsigned)workers,
		.buffers = (unsigned)buffers,
	};
	return 0;
}

static int read_settings_and_decisions(const struct al_node *root,
				       struct al_decisions *out,
				       struct al_adaptive *settings,
				       char *message)
{
	const struct al_node *run = al_yaml_get(root, "run");
	const struct al_node *adaptive =
		run ? al_yaml_get(run, "adaptive") : NULL;
	const struct al_node *list, *node;
	struct al_decision d;
	int err = 0;

	if (!run || run->kind != AL_MAP)
		return al_message_return_einval(
			message,
			"'%.200s' is no report of 'alleria run "
			"--json=FILE'",
			root->path);
	if (!adaptive || adaptive->kind != AL_MAP)
		return al_yaml_error_at_node(run, message,
					     "nothing was adapted in this run");
	if (read_adaptive_worker_settings(adaptive, settings, message))
		return -EINVAL;
	list = al_yaml_get_required(adaptive, "decisions", AL_LIST,
				    "run.adaptive", message);
	if (!list)
		return -EINVAL;
	for (node = list->child; node && !err; node = node->next) {
		err = read_decision(node, &d, message);
		if (!err)
			al_decisions_append_merge_if_full(out, &d);
	}
	return err;
}

int al_decisions_read_json_report(const char *path, struct al_decisions *out,
				  struct al_adaptive *settings, char *message)
{
	struct al_node *root;
	int err = al_yaml_read_json_report_with_max_bytes(path, &root, message);

	*out = (struct al_decisions){.n = 0};
	if (!err)
		err = read_settings_and_decisions(root, out, settings, message);
	al_yaml_free_with_siblings(root);
	if (err)
		al_decisions_release(out);
	return err;
}
