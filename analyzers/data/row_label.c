/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row_label.c - names a row of the report; see row_label.h */

#include "analyzers/data/row_label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/path.h"

#define BEFORE_TYPE ": "
#define BEFORE_SHARE ", by "

enum {
	MAX_LABEL = 256,
	/* frames that name a site without own code */
	MAX_NAMED = 3,
	MAX_UNNAMED = 3, /* frames whose function is not known */
	MAX_FRAMES = 4,	 /* of both */
	MAX_TITLE = 1024,
	MAX_PART = MAX_TITLE / 2 - 64, /* of a title: label or type */
	SHORTEST_TYPE = 24, /* [bytes] of the type in a cut title, unless it is
			       shorter uncut */
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
static bool find_own_line_of_call_stack_frame(const struct an_symbol *frame,
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
		if (find_own_line_of_call_stack_frame(&r->site[i], place))
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

/* Beginning of a label: frames (callers) of a call stack. */
struct frames {
	char *text; /* [MAX_LABEL] */
	const struct an_symbol *site;
	unsigned n_named, n_unnamed; /* frames in `text` */
	const char *object; /* of the last frame, which has no name; not yet in
			       `text`; NULL: the last frame has a name */
};

/* Whether a frame is to be appended to the label. A frame without a function is
   shown by its address if no named frame precedes it, or if it is in another
   object file than the innermost frame. */
static bool is_call_stack_frame_to_add_to_label(const struct frames *f,
						const struct an_symbol *frame)
{
	if (f->n_named + f->n_unnamed == MAX_FRAMES ||
	    strlen(f->text) + 8 > MAX_LABEL)
		return false;
	if (is_known_function(frame->function))
		return f->n_named < MAX_NAMED;
	return frame->unnamed_address != 0 && f->n_unnamed < MAX_UNNAMED &&
	       (f->n_named == 0 || strcmp(frame->object, f->site->object) != 0);
}

/* Append the object file of the last frame, if that has no name, unless
   it is @next_object. */
static void append_object_of_unnamed_unless_next(struct frames *f,
						 const char *next_object)
{
	size_t used = strlen(f->text);

	if (f->object != NULL && strcmp(f->object, next_object) != 0)
		snprintf(f->text + used, MAX_LABEL - used, " [%s]", f->object);
}

static void append_call_stack_frame_to_label(struct frames *f,
					     const struct an_symbol *frame)
{
	bool is_named = is_known_function(frame->function);
	const char *separator = f->n_named + f->n_unnamed > 0 ? " < " : "";
	size_t used;

	append_object_of_unnamed_unless_next(f, is_named ? "" : frame->object);
	used = strlen(f->text);
	if (is_named)
		snprintf(f->text + used, MAX_LABEL - used, "%s%.*s", separator,
			 length_of_shown_function_name(frame->function),
			 frame->function);
	else
		snprintf(f->text + used, MAX_LABEL - used, "%s0x%" PRIx64,
			 separator, frame->unnamed_address);
	f->object = is_named ? NULL : frame->object;
	f->n_named += is_named;
	f->n_unnamed += !is_named;
}

/* Return the index of the first frame of a row's call stack to show: that of
   the first function with a name, if this and the second one with a name are of
   the innermost frame's object file. The frames before it are then static
   functions of a library without debug information. Else 0. */
static uint32_t first_frame_to_show(const struct an_data_row *r)
{
	uint32_t first = 0, n_named = 0;

	for (uint32_t i = 0; i < r->n_site; i++) {
		if (!is_known_function(r->site[i].function))
			continue;
		if (strcmp(r->site[i].object, r->site[0].object) != 0)
			break;
		if (n_named++ == 0)
			first = i;
	}
	return n_named >= 2 ? first : 0;
}

/* Append the frames of a call stack (site) that has no line of the user's own
   code, from first_frame_to_show() on, " < " between them: the callers of each
   follow it. A frame without a function is shown by its address if no named
   frame precedes it, or if it is in another object file than the innermost
   frame. The object file follows the addresses in it; a label without an
   address ends with the object file of the innermost frame. */
static void append_site_frames_and_object(char *text,
					  const struct an_data_row *r)
{
	struct frames f = {.text = text, .site = r->site};
	size_t used;

	for (uint32_t i = first_frame_to_show(r); i < r->n_site; i++)
		if (is_call_stack_frame_to_add_to_label(&f, &r->site[i]))
			append_call_stack_frame_to_label(&f, &r->site[i]);
	append_object_of_unnamed_unless_next(&f, "");
	if (f.n_named + f.n_unnamed == 0)
		strncat(text, r->site[0].function,
			MAX_LABEL - 1 - strlen(text));
	used = strlen(text);
	if (f.n_unnamed == 0)
		snprintf(text + used, MAX_LABEL - used, " [%s]",
			 r->site[0].object);
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
static void format_allocation_place_or_name(char *text,
					    const struct an_data_row *r)
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
		append_site_frames_and_object(text, r);
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

	format_allocation_place_or_name(origin, r);
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
static const char *source_line_suffix_of_label(const char *label)
{
	const char *line = strrchr(label, ',');

	return line != NULL && line[1] == ' ' && strchr(line, ':')
		       ? line
		       : label + strlen(label);
}

char *an_data_cut_label(const char *label, size_t most)
{
	const char *end = source_line_suffix_of_label(label);
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

/* ---- titles of tables of fields ---- */

/* Append the share of the accesses that imply the type of a row of blocks in
   those that imply any type; no-op if the row has none. */
static void append_type_share_of_typed_accesses(char title[MAX_TITLE],
						const struct an_data_row *r)
{
	const struct an_type_vote *best =
		an_data_row_type_of_blocks_with_votes(r);
	size_t used = strlen(title);
	uint64_t all = 0;

	for (unsigned i = 0; r->fields.vote && i < AN_MAX_TYPE_VOTES; i++)
		all += r->fields.vote[i].n;
	if (an_data_kind_is_heap_or_pool_block(r->kind) && best && all)
		snprintf(title + used, MAX_TITLE - used,
			 BEFORE_SHARE "%u%% of its typed accesses",
			 (unsigned)(best->n * 100.0 / all));
}

const char *an_data_row_make_title_of_field_table(struct al_model *m,
						  const struct an_data_row *r,
						  const char *label)
{
	const struct an_type *type = an_data_row_static_or_voted_type(r);
	char title[MAX_TITLE];

	snprintf(title, sizeof(title), "Fields of %.*s%s%.*s", MAX_PART, label,
		 type ? BEFORE_TYPE : "", MAX_PART, type ? type->name : "");
	if (type)
		append_type_share_of_typed_accesses(title, r);
	return al_model_copy_string_empty_if_no_memory(m, title);
}

/* Parts of a title with a type. */
struct parts {
	const char *label, *type, *share; /* `share` is "" or ", by 96%" */
	size_t label_bytes, type_bytes, share_bytes;
};

/* Divide a title into label, type and share. @type: points to the separator
   BEFORE_TYPE in @title. */
static struct parts divide_title_into_label_type_and_share(const char *title,
							   const char *type)
{
	struct parts p = {.label = title,
			  .label_bytes = (size_t)(type - title),
			  .type = type + strlen(BEFORE_TYPE)};
	const char *share = strstr(p.type, BEFORE_SHARE);

	p.share = share ? share : p.type + strlen(p.type);
	p.type_bytes = (size_t)(p.share - p.type);
	p.share_bytes = share ? strcspn(share, "%") + 1 : 0;
	return p;
}

/* Append a type to @title, cut to @most bytes: its beginning and "...", and
   after a name such as "list<int>" its last ">". */
static void append_cut_type(char *title, const struct parts *p, size_t most)
{
	const char *end = p->type[p->type_bytes - 1] == '>' ? "...>" : "...";

	title += strlen(title);
	if (p->type_bytes <= most)
		snprintf(title, p->type_bytes + 1, "%s", p->type);
	else
		snprintf(title, most + 1, "%.*s%s", (int)(most - strlen(end)),
			 p->type, end);
}

/* Return a copy of the label of a title, cut to @most bytes, with room for the
   rest of a title of @title_bytes bytes; NULL: memory is short. */
static char *alloc_cut_label(const struct parts *p, size_t most,
			     size_t title_bytes)
{
	char *whole = strndup(p->label, p->label_bytes);
	char *cut = whole ? an_data_cut_label(whole, most) : NULL;
	char *title = cut ? malloc(title_bytes + 1) : NULL;

	if (title != NULL)
		strcpy(title, cut);
	free(whole);
	free(cut);
	return title;
}

static char *alloc_title_of_parts(const struct parts *p, size_t most)
{
	size_t room = most - p->share_bytes - strlen(BEFORE_TYPE);
	size_t type =
		p->type_bytes < SHORTEST_TYPE ? p->type_bytes : SHORTEST_TYPE;
	char *title;

	if (room > p->label_bytes + type)
		type = room - p->label_bytes;
	title = alloc_cut_label(p, room - type, most);
	if (title == NULL)
		return NULL;
	strcat(title, BEFORE_TYPE);
	append_cut_type(title, p, type);
	strncat(title, p->share, p->share_bytes);
	return title;
}

char *an_data_cut_field_title(const char *title, size_t most)
{
	const char *type = strstr(title, BEFORE_TYPE);
	struct parts p;

	if (strlen(title) <= most || type == NULL)
		return an_data_cut_label(title, most);
	p = divide_title_into_label_type_and_share(title, type);
	if (p.type_bytes == 0 || most < p.share_bytes + 2 * SHORTEST_TYPE)
		return an_data_cut_label(title, most);
	return alloc_title_of_parts(&p, most);
}
