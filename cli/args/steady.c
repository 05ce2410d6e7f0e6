/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steady.c - makes an environment and a path of fixed length; see steady.h
 *
 * A library reads the first bytes of each variable as the program starts, so
 * each must begin at a fixed distance from the others. PATH, HOME and PWD are
 * padded with slashes, which have no meaning after the name of a folder. The
 * other variables but VALGRIND_LIB, the last one, are short; each is followed
 * by a variable without meaning that fills the cache line.
 */
#include "cli/args/steady.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/message.h"
#include "cli/args/find_program.h"

enum {
	PATH_SLOT = 1024, /* [bytes] PATH and PWD take a multiple of this */
	HOME_SLOT = 256,
	SHORT_SLOT = 64,   /* [bytes] a short variable and its filler take a
			    multiple of this, the size of a cache line */
	SHORTEST_FILL = 5, /* [bytes] of the shortest filler, "AA=x", with its
			      NUL */
};

static const char *const locale[] = {
	"LANG",		  "LC_ALL",
	"LC_CTYPE",	  "LC_NUMERIC",
	"LC_TIME",	  "LC_COLLATE",
	"LC_MONETARY",	  "LC_MESSAGES",
	"LC_PAPER",	  "LC_NAME",
	"LC_ADDRESS",	  "LC_TELEPHONE",
	"LC_MEASUREMENT", "LC_IDENTIFICATION",
};

/* Value given to TZ if it is not set: the file with the time zone of the
   machine, which the C library reads in that case anyway. */
static const char no_time_zone[] = ":/etc/localtime";

static size_t round_up_to_multiple_of_slot(size_t byte_count, size_t slot_size)
{
	return (byte_count + slot_size - 1) / slot_size * slot_size;
}

/* Append the variable @assignment, "NAME=value", to the environment, followed
   by as many characters @fill as give it @padded_size_with_nul bytes. @fill may
   be NUL. Return: 0; -ENOMEM. */
static int append_padded_env_variable(struct cl_steady *s,
				      size_t *variable_count,
				      const char *assignment,
				      size_t padded_size_with_nul, char fill)
{
	size_t len = strlen(assignment);
	char *variable = malloc(padded_size_with_nul);

	if (variable == NULL)
		return -ENOMEM;
	memcpy(variable, assignment, len);
	memset(variable + len, fill, padded_size_with_nul - len);
	variable[padded_size_with_nul - 1] = '\0';
	s->environment[(*variable_count)++] = variable;
	return 0;
}

/* Append the variable @name=@value, where @value is a folder or, if @is_list, a
   list of folders, padded with '/' to a multiple of @pad_to_multiple_of bytes.
   Write an empty last folder of a list, which is the current folder, as ".". If
   @value is NULL or "", use @default_value. Return: 0; -ENOMEM. */
static int append_folder_variable_slash_padded(struct cl_steady *s,
					       size_t *variable_count,
					       const char *name,
					       const char *value, bool is_list,
					       const char *default_value,
					       size_t pad_to_multiple_of)
{
	size_t len = value ? strlen(value) : 0;
	const char *last =
		is_list && len > 0 && value[len - 1] == ':' ? "." : "";
	char *text = NULL;
	int err = -ENOMEM;

	if (asprintf(&text, "%s=%s%s", name, len > 0 ? value : default_value,
		     last) >= 0)
		err = append_padded_env_variable(
			s, variable_count, text,
			round_up_to_multiple_of_slot(strlen(text) + 2,
						     pad_to_multiple_of),
			'/');
	free(text);
	return err;
}

/* Append the variable @name=@value, and a filler "AA=xxx" that gives both
   together a multiple of SHORT_SLOT bytes. Return: 0; -ENOMEM. */
static int append_env_variable_filled_to_multiple(struct cl_steady *s,
						  size_t *variable_count,
						  const char *name,
						  const char *value)
{
	char fill[8];
	char *text = NULL;
	size_t bytes, slot;
	int err = -ENOMEM;

	if (asprintf(&text, "%s=%s", name, value) < 0)
		return err;
	bytes = strlen(text) + 1;
	slot = round_up_to_multiple_of_slot(bytes + SHORTEST_FILL, SHORT_SLOT);
	err = append_padded_env_variable(s, variable_count, text, bytes, '\0');
	free(text);
	snprintf(fill, sizeof(fill),
		 "%c%c=", 'A' + (int)(*variable_count / 26 % 26),
		 'A' + (int)(*variable_count % 26));
	return err ? err
		   : append_padded_env_variable(s, variable_count, fill,
						slot - bytes, 'x');
}

static int build_fixed_size_environment(struct cl_steady *s)
{
	size_t n = 0;
	char here[PATH_MAX];
	const char *value, *lib = getenv("VALGRIND_LIB");
	int err = append_folder_variable_slash_padded(
		s, &n, "PATH", getenv("PATH"), true,
		"/usr/local/bin:/usr/bin:/bin", PATH_SLOT);

	if (!err)
		err = append_folder_variable_slash_padded(
			s, &n, "HOME", getenv("HOME"), false, "/", HOME_SLOT);
	/* Without PWD, a shell that starts Valgrind would add a PWD that is not
	   padded. */
	if (!err)
		err = append_folder_variable_slash_padded(
			s, &n, "PWD", getcwd(here, sizeof(here)), false, "/",
			PATH_SLOT);
	for (size_t i = 0; !err && i < sizeof(locale) / sizeof(*locale); i++) {
		/* An empty locale variable has the effect of an unset one. */
		value = getenv(locale[i]);
		err = append_env_variable_filled_to_multiple(
			s, &n, locale[i], value ? value : "");
	}
	value = getenv("TZ");
	if (!err)
		err = append_env_variable_filled_to_multiple(
			s, &n, "TZ", value ? value : no_time_zone);
	if (!err && lib &&
	    asprintf(&s->environment[n], "VALGRIND_LIB=%s", lib) < 0) {
		s->environment[n] = NULL;
		err = -ENOMEM;
	}
	return err;
}

/* Create a temporary folder, whose path has a fixed length, and in it a
   symbolic link to the program; store the link's path in s->path. Return: 0;
   -EINVAL with @message. */
static int symlink_in_fixed_length_temp_folder(struct cl_steady *s,
					       const char *program,
					       char *message)
{
	char found[PATH_MAX], real[PATH_MAX];
	const char *slash = strrchr(program, '/');

	if (cl_find_program_in_path(program, found) || !realpath(found, real))
		return al_message_return_einval(message, "cannot find '%.200s'",
						program);
	strcpy(s->folder, "/tmp/alleria-steady-XXXXXX");
	if (mkdtemp(s->folder) == NULL) {
		*s->folder = '\0';
		return al_message_return_einval(
			message, "cannot create a folder in /tmp: %s",
			strerror(errno));
	}
	if (snprintf(s->path, sizeof(s->path), "%s/%s", s->folder,
		     slash ? slash + 1 : program) < (int)sizeof(s->path) &&
	    symlink(real, s->path) == 0)
		return 0;
	return al_message_return_einval(message,
					"cannot link '%.200s' into %s: %s",
					program, s->folder, strerror(errno));
}

int cl_steady_create_env_and_link(struct cl_steady *s, const char *program,
				  char *message)
{
	memset(s, 0, sizeof(*s));
	if (build_fixed_size_environment(s))
		return al_message_return_einval(message, "out of memory");
	return symlink_in_fixed_length_temp_folder(s, program, message);
}

void cl_steady_free_env_and_delete_link(struct cl_steady *s)
{
	for (char **e = s->environment; *e != NULL; e++)
		free(*e);
	if (*s->path)
		unlink(s->path);
	if (*s->folder)
		rmdir(s->folder);
	memset(s, 0, sizeof(*s));
}

void cl_steady_replace_valgrind_script(char **argv)
{
	static char path[PATH_MAX + 8];
	FILE *file;
	char magic[2];

	if (cl_find_program_in_path(argv[0], path))
		return;
	file = fopen(path, "re");
	if (file == NULL)
		return;
	if (fread(magic, 1, 2, file) == 2 && magic[0] == '#' &&
	    magic[1] == '!') {
		strcat(path, ".bin");
		if (access(path, X_OK) == 0)
			argv[0] = path;
	}
	fclose(file);
}
