/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sq_sqlite.h - SQLite, as what is loaded into it sees it
 *
 * Room:    sql.
 * Used by: all of it. SQLite's functions are called by the table that it hands
 *          to sqlite3_alleria_init(); sq_extension.c has the pointer.
 */
#ifndef SQ_SQLITE_H
#define SQ_SQLITE_H

#define sqlite3_api sq_api
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3

#endif
