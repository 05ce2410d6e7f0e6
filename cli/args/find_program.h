/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find_program.h - finding the tool, Valgrind and the program before anything
 * runs
 *
 * Threads: any.
 */
#ifndef CLI_ARGS_FIND_PROGRAM_H
#define CLI_ARGS_FIND_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/**
 * cl_find_program() - Look for a program as execvp() would.
 * @path: [PATH_MAX] receives where it is.
 *
 * Return: 0; -ENOENT, -EACCES or -EISDIR when it cannot be run.
 */
int cl_find_program(const char *name, char *path);

/**
 * cl_find_root() - Find the directory that this program's bin/ lies in.
 * @root: [PATH_MAX] receives it.
 *
 * Return: whether it could be found.
 */
bool cl_find_root(char *root);

/**
 * cl_find_tool() - Where the Valgrind tool is: beside this program in the
 * build tree, else where it is installed.
 * @path: [PATH_MAX] receives it, without the platform at its end.
 *
 * Return: 0; -ENOENT with the place where it should be.
 */
int cl_find_tool(char *path);

#endif
