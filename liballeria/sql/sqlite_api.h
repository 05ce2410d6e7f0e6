/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sqlite_api.h - includes SQLite's interface for loadable extensions
 */
#ifndef LIBALLERIA_SQL_SQLITE_API_H
#define LIBALLERIA_SQL_SQLITE_API_H

#define sqlite3_api sq_api
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3

#endif
