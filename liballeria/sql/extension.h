/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extension.h - what SQLite calls when it loads alleria.so
 */
#ifndef LIBALLERIA_SQL_EXTENSION_H
#define LIBALLERIA_SQL_EXTENSION_H

struct sqlite3;
struct sqlite3_api_routines;

/**
 * sqlite3_alleria_init() - Add the tables and functions to a connection.
 *
 *   SELECT alleria_open('FILE')   the tables show this profile from now
 *                                 on; returns its status
 *   SELECT alleria_damage()       how many damaged parts of it were left out
 *                                 of results so far
 *   SELECT alleria_names_missing()  how many object files could not be read for
 *                                 names that were not recorded
 *
 * Profiles that were opened stay open as long as the connection.
 * Return: SQLITE_OK or another of its codes.
 */
int sqlite3_alleria_init(struct sqlite3 *, char **message,
			 const struct sqlite3_api_routines *);

#endif
