/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access_fields.h - the words for what is recorded of an access
 *
 *   routine    what the code is called
 *   timestamp  when a block of code began
 *   address    where the access was
 *   value      what it read and wrote
 *   bytes      the instruction's
 *   core       the processor that it happened on
 *
 * Routine and bytes are recorded in any case: they cost once per block of code,
 * not each time that it is executed.
 */
#ifndef LIB_CONFIG_ACCESS_FIELDS_H
#define LIB_CONFIG_ACCESS_FIELDS_H

#include <stdint.h>

/**
 * al_fields_parse() - Read a list of words.
 * @list: divided by commas.
 * @fields: receives enum pt_fields.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0 or -EINVAL.
 */
int al_fields_parse(const char *list, uint32_t *fields, char *message);

#endif
