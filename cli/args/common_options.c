/* SPDX-License-Identifier: GPL-2.0-or-later */
/* common_options.c - parses arguments that several commands share; see
   common_options.h */

#include "cli/args/common_options.h"

#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "lib/config/options.h"

bool cl_is_any_argument_help_option(int argc, char *const *argv)
{
	for (int i = 0; i < argc; i++)
		if (al_options_is_help_option(argv[i]))
			return true;
	return false;
}

int cl_set_protected_input_if_unset(const char **stored_path, const char *path,
				    char *message)
{
	if (*stored_path)
		return al_message_return_einval(
			message,
			"one profile at a time: '%.100s' and "
			"'%.100s'",
			*stored_path, path);
	*stored_path = path;
	al_replace_protect_input(path);
	return 0;
}
