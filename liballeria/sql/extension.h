/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extension.h - declares the function that SQLite calls to load alleria.so
 */
#ifndef LIBALLERIA_SQL_EXTENSION_H
#define LIBALLERIA_SQL_EXTENSION_H

#include <stdbool.h>

struct sqlite3;
struct sqlite3_api_routines;

/**
 * sqlite3_alleria_init() - Add the tables and functions to a connection.
 *
 *   SELECT alleria_open('FILE')   make FILE the current profile, which the
 *                                 tables show from now on; return its status
 *   SELECT alleria_damage()       return how many damaged parts of the current
 *                                 profile are missing from results so far
 *   SELECT alleria_names_missing()  return how many object files could not be
 *                                 read for names that were not recorded
 *
 * Opened profiles stay open until the connection is closed.
 * Return: SQLITE_OK or another of its codes.
 */
int sqlite3_alleria_init(struct sqlite3 *, char **message,
			 const struct sqlite3_api_routines *);

/* Make all tables of the process end before their next row, so that a running
   statement ends with the rows that it has returned. Async-signal-safe. This
   cannot be undone. */
void sq_request_stop_of_all_tables(void);

/* Whether sq_request_stop_of_all_tables() was called. */
bool sq_is_stop_requested(void);

#endif
