/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row_label.c - names a row of the report; see row_label.h */

#include "analyzers/data/row_label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/path.h"

enum {
	MAX_LABEL = 256,
	MAX_FUNCTIONS = 3, /* of a site without own code */
};

static const char *const kind_names[AN_DATA_KINDS] = {
	[AN_DATA_UNKNOWN] = "unknown",
	[AN_DATA_HEAP] = "heap",
	[AN_DATA_POOL] = "pool",
	[AN_DATA_STATIC] = "static",
	[AN_DATA_TLS] = "tls",
	[AN_DATA_STACK] = "stack",
	[AN_DATA_MAPPING] = "mapping",
	[AN_DATA_CODE] = "code",
	[AN_DATA_ALLOCATOR] = "allocator",
	[AN_DATA_REGION] = "region",
};

const char *an_data_kind_name(enum an_data_kind kind)
{
	return kind_names[kind];
}

/* ---- the user's own code ---- */

/* Set @place to the line of own code in a frame (a caller in a call stack).
   Return: whether it has one. */
static bool find_own_line_of_frame(const struct an_symbol *frame,
				   struct an_own_place *place)
{
	bool is_system_source = al_path_is_system_source(frame->path);

	if (frame->is_system || frame->line == 0 ||
	    (is_system_source && frame->call_line == 0))
		return false;
	*place = (struct an_own_place){
		.function = frame->function,
		.file = is_system_source ? frame->call_file : frame->file,
		.line = is_system_source ? frame->call_line : frame->line,
	};
	return true;
}

bool an_data_row_find_user_code_caller(const struct an_data_row *r,
				       struct an_own_place *place)
{
	for (uint32_t i = 0; i < r->n_site; i++)
		if (find_own_line_of_frame(&r->site[i], place))
			return true;
	return false;
}

/* ---- where data is from ---- */

/* Return the length of the name of a function without what gcc adds to the
   names of the copies that it makes, such as ".constprop.0", in names of C++
   " [clone .constprop.0]". */
static int length_without_clone_suffix(const char *function)
{
	static const char *const suffixes[] = {" [clone ", ".constprop.",
					       ".isra.", ".part.", ".cold"};
	size_t n = strlen(function);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const char *found = strstr(function, suffixes[i]);

		if (found != NULL && (size_t)(found - function) < n)
			n = (size_t)(found - function);
	}
	return (int)n;
}

/* Return the length of the first @length bytes of a function's name, without
   the list of parameters that C++ names end with. */
static int length_without_parameters(const char *function, int length)
{
	int i = length, depth = 0;

	do {
		if (i == 0)
			return length;
		i--;
		depth += (function[i] == ')') - (function[i] == '(');
	} while (depth > 0);
	if (i == length - 1 || i == 0 ||
	    (i >= 8 && strncmp(function + i - 8, "operator", 8) == 0))
		return length;
	return i;
}

/* Return the length of the qualifier, such as " const", that the first @length
   bytes of a function's name end with; 0: there is none. */
static int trailing_cv_or_ref_qualifier_length(const char *function, int length)
{
	static const char *const qualifiers[] = {" const", " volatile", " &&",
						 " &"};

	for (size_t i = 0; i < sizeof(qualifiers) / sizeof(*qualifiers); i++) {
		int n = (int)strlen(qualifiers[i]);

		if (length > n && strncmp(function + length - n, qualifiers[i],
					  (size_t)n) == 0)
			return n;
	}
	return 0;
}

/* Return the length of the first @length bytes of a function's name, without
   qualifiers after a list of parameters. */
static int length_without_cv_or_ref_qualifiers(const char *function, int length)
{
	int n = length, qualifier;

	while ((qualifier = trailing_cv_or_ref_qualifier_length(function, n)) >
	       0)
		n -= qualifier;
	return n > 0 && function[n - 1] == ')' ? n : length;
}

/* Return the length of the beginning of a function's name that the label of a
   row shows: without the compiler's clone suffix, the parameters, and the
   qualifiers after these. */
static int length_of_shown_function_name(const char *function)
{
	int length = length_without_clone_suffix(function);

	return length_without_parameters(
		function,
		length_without_cv_or_ref_qualifiers(function, length));
}

static bool is_known_function(const char *function)
{
	return strcmp(function, "???") != 0 && function[0] != '(';
}

/* Append the known functions of a call stack (site), " < " between them: the
   callers of each follow it. Return: their number, MAX_FUNCTIONS at most. */
static unsigned
append_and_count_known_site_functions(char *text, const struct an_data_row *r)
{
	size_t used = strlen(text);
	unsigned n = 0;

	for (uint32_t i = 0; i < r->n_site && n < MAX_FUNCTIONS; i++) {
		const char *function = r->site[i].function;

		if (!is_known_function(function) || used + 8 > MAX_LABEL)
			continue;
		snprintf(text + used, MAX_LABEL - used, "%s%.*s",
			 n > 0 ? " < " : "",
			 length_of_shown_function_name(function), function);
		used = strlen(text);
		n++;
	}
	return n;
}

/* Append the functions of a call stack (site) that has no line of the user's
   own code, and the object file that the innermost is in. */
static void append_site_functions_and_object(char *text,
					     const struct an_data_row *r)
{
	size_t used;

	if (append_and_count_known_site_functions(text, r) == 0)
		strncat(text, r->site[0].function,
			MAX_LABEL - 1 - strlen(text));
	used = strlen(text);
	snprintf(text + used, MAX_LABEL - used, " [%s]", r->site[0].object);
}

/* Whether a function is of the standard library of C++ or Rust. A generic one,
   instantiated in the program, can have lines of own code that were inlined
   into it, such as those of a closure. */
static bool is_cxx_or_rust_standard_library_function(const char *function)
{
	static const char *const prefixes[] = {"std::", "core::", "alloc::"};

	function += *function == '<';
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncmp(function, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Append "make_list, list.c:12" to @text of MAX_LABEL bytes; only the line if
   it was inlined into a function of the standard library. */
static void append_own_place(char *text, const struct an_own_place *own)
{
	size_t used = strlen(text);
	int length = is_cxx_or_rust_standard_library_function(own->function)
			     ? 0
			     : length_of_shown_function_name(own->function);

	snprintf(text + used, MAX_LABEL - used, "%.*s%s%s:%u", length,
		 own->function, length > 0 ? ", " : "", own->file, own->line);
}

/* Write "make_list, list.c:12", "visited [bfs]" and the like to @text of
   MAX_LABEL bytes. */
static void format_row_origin(char *text, const struct an_data_row *r)
{
	struct an_own_place own;
	const char *name = r->kind == AN_DATA_MAPPING || r->kind == AN_DATA_CODE
				   ? al_path_base_name(r->name)
				   : r->name;

	snprintf(text, MAX_LABEL, "%s%s",
		 an_data_kind_is_heap_or_pool_block(r->kind) ? "" : name,
		 r->n_site > 0 && !an_data_kind_is_heap_or_pool_block(r->kind)
			 ? " "
			 : "");
	if (an_data_row_find_user_code_caller(r, &own))
		append_own_place(text, &own);
	else if (r->n_site > 0)
		append_site_functions_and_object(text, r);
	else if (*r->object)
		snprintf(text, MAX_LABEL, "%s [%s]", name,
			 al_path_base_name(r->object));
	else
		snprintf(text, MAX_LABEL, "%s", name);
}

const char *an_data_row_alloc_label_in_model(struct al_model *m,
					     const struct an_data_row *r)
{
	const struct an_type *type =
		r->has_namesake ? an_data_row_static_or_voted_type(r) : NULL;
	char origin[MAX_LABEL], suffix[MAX_LABEL] = "", label[2 * MAX_LABEL];
	bool has_kind =
		(r->kind != AN_DATA_UNKNOWN && r->kind != AN_DATA_STACK) ||
		*r->name == 0;

	format_row_origin(origin, r);
	if (type != NULL && *an_type_declaration_or_empty(type))
		snprintf(suffix, sizeof(suffix), ", %s", type->declaration);
	else if (r->number > 0)
		snprintf(suffix, sizeof(suffix), " #%u", r->number);
	else if (r->thread > 0)
		snprintf(suffix, sizeof(suffix), " of thread %u", r->thread);
	snprintf(label, sizeof(label), "%s%s%s%s",
		 has_kind ? kind_names[r->kind] : "",
		 has_kind && *origin ? " " : "", origin, suffix);
	return al_model_copy_string_empty_if_no_memory(m, label);
}

/* ---- cut to the width of a column ---- */

/* Return the end of a label that follows the function, such as ", list.c:12";
   "" if there is none. */
static const char *source_file_line_suffix_of_label_or_empty(const char *label)
{
	const char *line = strrchr(label, ',');

	return line != NULL && line[1] == ' ' && strchr(line, ':')
		       ? line
		       : label + strlen(label);
}

char *an_data_cut_label(const char *label, size_t most)
{
	const char *end = source_file_line_suffix_of_label_or_empty(label);
	size_t n = strlen(end);
	char *cut;

	if (strlen(label) <= most || most < 4)
		return strdup(label);
	if (n + 16 > most)
		n = 0;
	cut = malloc(most + 1);
	if (cut != NULL)
		snprintf(cut, most + 1, "%.*s...%s", (int)(most - n - 3), label,
			 n > 0 ? end : "");
	return cut;
}
