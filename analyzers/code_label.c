/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_label.c - names a place in code for people; see code_label.h */

#include "analyzers/code_label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool an_code_label_is_unknown(const char *name)
{
	return strcmp(name, "???") == 0;
}

char *an_code_label_copy_cut(const char *label, size_t max_bytes)
{
	char *copy = strdup(label);

	if (copy != NULL && strlen(copy) > max_bytes && max_bytes > 3)
		strcpy(copy + max_bytes - 3, "...");
	return copy;
}

/* Write the label of a place to @to; a longer one is cut. */
static void write_place(char *to, size_t size, const struct an_code_place *p)
{
	if (!an_code_label_is_unknown(p->file))
		snprintf(to, size, "%s  (%s:%llu)", p->function, p->file,
			 (unsigned long long)p->line);
	else if (p->address != 0)
		snprintf(to, size, "%s  [%s 0x%llx]", p->function, p->object,
			 (unsigned long long)p->address);
	else if (!an_code_label_is_unknown(p->function))
		snprintf(to, size, "%s  [%s]", p->function, p->object);
	else
		snprintf(to, size, "%s (no symbols)", p->object);
}

char *an_code_label_alloc(const struct an_code_place *place, const char *prefix,
			  size_t max_bytes)
{
	char label[AN_CODE_LABEL];
	size_t n;

	snprintf(label, sizeof(label), "%s", prefix);
	n = strlen(label);
	write_place(label + n, sizeof(label) - n, place);
	return an_code_label_copy_cut(label, max_bytes);
}
