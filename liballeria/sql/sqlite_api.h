/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sq_sqlite.h - SQLite, as what is loaded into it sees it
 */
#ifndef SQ_SQLITE_H
#define SQ_SQLITE_H

#define sqlite3_api sq_api
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3

#endif
