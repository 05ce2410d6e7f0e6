/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access_fields.h - parses the list of fields of --record
 *
 *   routine    name of the function
 *   timestamp  time when the block of code began
 *   address    address of the access
 *   value      bytes read and written
 *   bytes      bytes of the instruction
 *   core       processor that the program ran on
 *
 * Routine and bytes are always recorded: they are written once per block of
 * code, not at each execution.
 */
#ifndef LIB_CONFIG_ACCESS_FIELDS_H
#define LIB_CONFIG_ACCESS_FIELDS_H

#include <stdint.h>

/**
 * al_fields_parse() - Parse a list of these words.
 * @list: words separated by commas.
 * @fields: receives enum pt_fields.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0 or -EINVAL.
 */
int al_fields_parse(const char *list, uint32_t *fields, char *message);

#endif
