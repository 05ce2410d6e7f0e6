/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug_folders.h - folders in which debug files of stripped objects are found
 */
#ifndef LIB_SYMBOLS_DEBUG_FOLDERS_H
#define LIB_SYMBOLS_DEBUG_FOLDERS_H

#include <limits.h>
#include <stdbool.h>

/* Folder of the debug files that packages install. */
#define AL_DEBUG_FOLDER "/usr/lib/debug"

/* Write to @dir the path of the folder in which clients of debuginfod store
   files that they fetched; it need not exist. Return: false if DEBUGINFOD_URLS
   is not set or empty, so that debuginfod is not used, no variable names a
   folder, or the path is too long. */
bool al_debuginfod_format_cache_path_if_used(char dir[PATH_MAX]);

#endif
