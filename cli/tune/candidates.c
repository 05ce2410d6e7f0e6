/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.c - lists the values of a setting to try
 */
#include "cli/tune/candidates.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text/number.h"
#include "lib/config/options.h"

/* Append the value @text to the values to try, if `alleria run` accepts it for
   the option. Return: 0; -EINVAL with one line in @message. */
static int parse_and_add_candidate_value(struct cl_factor *f,
					 struct al_options *option_checker,
					 const char *text, char *message)
{
	char arg[300];

	snprintf(arg, sizeof(arg), "%s=%s", f->name, text);
	if (al_options_try_parse_argument(option_checker, arg, message) < 0)
		return -EINVAL;
	if (al_size_parse_optional_kmg(text, &f->value[f->n]))
		return al_message_return_einval(message,
						"'%.60s': not a number", arg);
	f->n++;
	return 0;
}

int cl_factor_parse_candidate_list(struct cl_factor *f, const char *value_list,
				   char *message)
{
	struct al_options *check = al_options_new();
	char copy[256], *rest = copy, *word;
	int err = 0;

	f->n = 0;
	if (!check)
		return al_message_return_einval(message, "out of memory");
	if ((size_t)snprintf(copy, sizeof(copy), "%s", value_list) >=
	    sizeof(copy))
		err = al_message_return_einval(message,
					       "'%s=%.60s...': too long",
					       f->name, value_list);
	while (!err && (word = strsep(&rest, ",")))
		err = f->n < CL_MAX_VALUES
			      ? parse_and_add_candidate_value(f, check, word,
							      message)
			      : al_message_return_einval(
					message, "'%s=%.60s...': too many",
					f->name, value_list);
	al_options_free(check);
	return err;
}

void cl_factors_init_all_with_defaults(struct cl_factor *all_factors)
{
	static const struct cl_factor factors[CL_FACTORS] = {
		[CL_WORKERS] = {.name = "--workers", .default_value = 2},
		[CL_BUFFERS] = {.name = "--buffers",
				.default_value = 12,
				.value = {2, 4, 8, 12, 24, 48},
				.n = 6},
		[CL_BUFFER_SIZE] = {.name = "--buffer-size",
				    .default_value = 512 << 10,
				    .value = {128 << 10, 256 << 10, 512 << 10,
					      1 << 20, 2 << 20, 4 << 20},
				    .n = 6},
	};
	struct cl_factor *workers = &all_factors[CL_WORKERS];
	struct al_adaptive host;

	memcpy(all_factors, factors, sizeof(factors));
	al_adaptive_set_defaults(&host);
	while (workers->n < 2 * host.workers && workers->n < CL_MAX_VALUES) {
		workers->value[workers->n] = workers->n + 1;
		workers->n++;
	}
}
