/* SPDX-License-Identifier: GPL-2.0-or-later */
/* common_options.c - see common_options.h */

#include "cli/args/common_options.h"

#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "lib/config/options.h"

bool cl_has_help_option_anywhere(int argc, char *const *argv)
{
	for (int i = 0; i < argc; i++)
		if (al_options_is_help_option(argv[i]))
			return true;
	return false;
}

int cl_set_and_protect_profile_once(const char **profile, const char *path,
				    char *message)
{
	if (*profile)
		return al_message_return_einval(
			message,
			"one profile at a time: '%.100s' and "
			"'%.100s'",
			*profile, path);
	*profile = path;
	al_replace_protect_input(path);
	return 0;
}
