/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find_program.h - finds the files of the Valgrind tool, of Valgrind and of a
 * program in $PATH
 *
 * Threads: any.
 */
#ifndef CLI_ARGS_FIND_PROGRAM_H
#define CLI_ARGS_FIND_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/**
 * cl_find_program_in_path() - Find a program as execvp() would: in the folders
 * of $PATH, unless @name contains a slash.
 * @path_out: [PATH_MAX] receives its path; the last path tried on error.
 *
 * Return: 0; -ENOENT, -EACCES or another -errno if it cannot be run.
 */
int cl_find_program_in_path(const char *name, char *path_out);

/**
 * cl_find_install_root() - Find the directory that this program's bin/ lies in.
 * @root_out: [PATH_MAX] receives it.
 *
 * Return: whether it could be found.
 */
bool cl_find_install_root(char *root_out);

/**
 * cl_find_tool_without_platform() - Find the Valgrind tool: in libexec/ beside
 * this program's bin/, else in the directory that configure chose for it.
 * @path_without_platform_out: [PATH_MAX] receives its path without the
 * platform's name at the end.
 *
 * Return: 0; -ENOENT, with the path where it was expected in
 * @path_without_platform_out.
 */
int cl_find_tool_without_platform(char *path_without_platform_out);

#endif
