/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml.c - reads a subset of YAML into a tree; see yaml.h
 */
#include "base/text/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

#include "base/system/replaceable.h"
#include "base/text/message.h"

struct reader {
	yaml_parser_t parser;
	yaml_event_t event; /* current event */
	bool has_event;
	const char *path;
	const unsigned char *text; /* text to parse, of `bytes` bytes */
	size_t bytes;
	char *message;
	unsigned depth;
};

static int report_error_at(const struct reader *r, yaml_mark_t mark,
			   const char *what, const void *word)
{
	return al_message_return_einval(
		r->message, "%.200s:%zu:%zu: %s%s%.60s%s", r->path,
		mark.line + 1, mark.column + 1, what, word ? " '" : "",
		word ? (const char *)word : "", word ? "'" : "");
}

static int report_yaml_error_at_event(const struct reader *r, const char *what,
				      const void *word)
{
	return report_error_at(r, r->event.start_mark, what, word);
}

static int report_out_of_memory_return_einval(const struct reader *r)
{
	return al_message_return_einval(
		r->message, "cannot read '%.200s': out of memory", r->path);
}

/* Return the mark of byte @offset of the text: the number of lines before it,
   and of characters of UTF-8 before it in its line. */
static yaml_mark_t find_mark_of_byte(const struct reader *r, size_t offset)
{
	yaml_mark_t mark = {.index = offset};
	const unsigned char *c = r->text;
	const unsigned char *end = c + (offset < r->bytes ? offset : r->bytes);

	if (r->bytes >= 3 && !memcmp(c, "\xef\xbb\xbf", 3))
		c += 3; /* byte order mark */
	for (; c < end; c++) {
		if (*c == '\n' ||
		    (*c == '\r' && (c + 1 == end || c[1] != '\n'))) {
			mark.line++;
			mark.column = 0;
		} else if ((*c & 0xc0) != 0x80) {
			mark.column++; /* first byte of a character in UTF-8 */
		}
	}
	return mark;
}

/* Return the mark of the parser's error. For bytes that are no characters, the
   parser has their offset only. */
static yaml_mark_t find_mark_of_parser_error(const struct reader *r)
{
	return r->parser.error == YAML_READER_ERROR &&
			       r->parser.encoding == YAML_UTF8_ENCODING
		       ? find_mark_of_byte(r, r->parser.problem_offset)
		       : r->parser.problem_mark;
}

/* Read the next event. Return: 0; -EINVAL with a message. */
static int read_next_yaml_event_or_fail(struct reader *r)
{
	if (r->has_event)
		yaml_event_delete(&r->event);
	r->has_event = yaml_parser_parse(&r->parser, &r->event);
	if (r->has_event)
		return 0;
	if (r->parser.error == YAML_MEMORY_ERROR)
		return report_out_of_memory_return_einval(r);
	return report_error_at(
		r, find_mark_of_parser_error(r),
		r->parser.problem ? r->parser.problem : "not YAML", NULL);
}

/* Check that the current event is no alias, and has no anchor and no tag.
   Return: 0; -EINVAL with a message. */
static int check_event_is_supported(const struct reader *r)
{
	const yaml_event_t *e = &r->event;
	const yaml_char_t *anchor = NULL, *tag = NULL;

	if (e->type == YAML_ALIAS_EVENT)
		return report_yaml_error_at_event(
			r, "aliases are not supported:", e->data.alias.anchor);
	if (e->type == YAML_SCALAR_EVENT) {
		anchor = e->data.scalar.anchor;
		tag = e->data.scalar.tag;
	} else if (e->type == YAML_SEQUENCE_START_EVENT) {
		anchor = e->data.sequence_start.anchor;
		tag = e->data.sequence_start.tag;
	} else if (e->type == YAML_MAPPING_START_EVENT) {
		anchor = e->data.mapping_start.anchor;
		tag = e->data.mapping_start.tag;
	}
	if (anchor)
		return report_yaml_error_at_event(
			r, "anchors are not supported:", anchor);
	if (tag)
		return report_yaml_error_at_event(
			r, "tags are not supported:", tag);
	return 0;
}

static struct al_node *create_node_at_event(const struct reader *r,
					    enum al_node_kind kind)
{
	struct al_node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->kind = kind;
	node->path = r->path;
	node->line = r->event.start_mark.line + 1;
	node->column = r->event.start_mark.column + 1;
	return node;
}

static int create_text_node_of_scalar_event(struct reader *r,
					    struct al_node **out)
{
	const char *text = (const char *)r->event.data.scalar.value;

	if (strlen(text) != r->event.data.scalar.length)
		return report_yaml_error_at_event(r, "a NUL character", NULL);
	*out = create_node_at_event(r, AL_TEXT);
	if (*out)
		(*out)->text = strdup(text);
	return *out && (*out)->text ? 0 : report_out_of_memory_return_einval(r);
}

static int read_unique_key_then_next_event(struct reader *r,
					   const struct al_node *map,
					   struct al_node **key_out)
{
	const struct al_node *earlier;
	unsigned n = 0;
	int rc = check_event_is_supported(r);

	if (rc)
		return rc;
	if (r->event.type != YAML_SCALAR_EVENT)
		return report_yaml_error_at_event(r, "a key is not a word",
						  NULL);
	rc = create_text_node_of_scalar_event(r, key_out);
	if (rc)
		return rc;
	if (!strcmp((*key_out)->text, "<<"))
		return report_yaml_error_at_event(
			r, "merge keys are not supported:", (*key_out)->text);
	for (earlier = map->child; earlier; earlier = earlier->next)
		n++;
	if (n >= AL_YAML_KEYS)
		return report_yaml_error_at_event(r, "too many keys, from",
						  (*key_out)->text);
	earlier = al_yaml_get(map, (*key_out)->text);
	if (earlier)
		return al_yaml_error_at_node(
			*key_out, r->message,
			"'%.60s' is given twice, first in line %zu",
			(*key_out)->text, earlier->key->line);
	return read_next_yaml_event_or_fail(r);
}

static int read_node(struct reader *r, struct al_node **out);

/* Append the members of a map or list to @parent, up to the event @end_event.
   After an error the incomplete member remains in the tree, and is freed with
   it. Return: 0; -EINVAL with a message. */
static int read_members(struct reader *r, struct al_node *parent,
			yaml_event_type_t end_event)
{
	struct al_node **tail = &parent->child;
	int rc = read_next_yaml_event_or_fail(r);

	while (!rc && r->event.type != end_event) {
		struct al_node *key = NULL;

		if (parent->kind == AL_MAP)
			rc = read_unique_key_then_next_event(r, parent, &key);
		if (!rc)
			rc = read_node(r, tail);
		if (*tail)
			(*tail)->key = key;
		else
			al_yaml_free_with_siblings(key);
		if (!rc) {
			tail = &(*tail)->next;
			rc = read_next_yaml_event_or_fail(r);
		}
	}
	return rc;
}

/* Read the node, with its members, that starts with the current event.
   Afterwards the last event of the node is the current one. Return: 0; -EINVAL
   with a message. */
static int read_node(struct reader *r, struct al_node **out)
{
	bool is_map = r->event.type == YAML_MAPPING_START_EVENT;
	int rc = check_event_is_supported(r);

	if (rc)
		return rc;
	if (r->event.type == YAML_SCALAR_EVENT)
		return create_text_node_of_scalar_event(r, out);
	if (r->depth >= AL_YAML_DEPTH)
		return report_yaml_error_at_event(r, "nested too deeply", NULL);
	*out = create_node_at_event(r, is_map ? AL_MAP : AL_LIST);
	if (!*out)
		return report_out_of_memory_return_einval(r);
	r->depth++;
	rc = read_members(r, *out,
			  is_map ? YAML_MAPPING_END_EVENT
				 : YAML_SEQUENCE_END_EVENT);
	r->depth--;
	return rc;
}

static int read_single_document(struct reader *r, struct al_node **out)
{
	int rc = read_next_yaml_event_or_fail(r); /* start of stream */

	if (!rc)
		rc = read_next_yaml_event_or_fail(r); /* start of document */
	if (rc)
		return rc;
	if (r->event.type == YAML_STREAM_END_EVENT)
		return report_yaml_error_at_event(r, "the file is empty", NULL);
	rc = read_next_yaml_event_or_fail(r);
	if (!rc)
		rc = read_node(r, out);
	if (!rc)
		rc = read_next_yaml_event_or_fail(r); /* end of document */
	if (!rc)
		rc = read_next_yaml_event_or_fail(r);
	if (!rc && r->event.type != YAML_STREAM_END_EVENT)
		rc = report_yaml_error_at_event(r, "a second document", NULL);
	return rc;
}

/* Read at most @max_bytes + 1 bytes of a file into @buffer_of_max_plus_1. If
   the file can be opened, no output may replace it from now on. Return: the
   number of bytes, or -errno. */
static ssize_t protect_from_output_and_read_max_plus_1(
	const char *path, unsigned char *buffer_of_max_plus_1, size_t max_bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 0, got = 1;

	if (fd < 0)
		return -errno;
	al_replace_protect_input(path);
	while (got && (size_t)n <= max_bytes) {
		got = read(fd, buffer_of_max_plus_1 + n,
			   max_bytes + 1 - (size_t)n);
		if (got < 0 && errno != EINTR) {
			n = -errno;
			break;
		}
		if (got > 0)
			n += got;
	}
	close(fd);
	return n;
}

static int parse_yaml_text(const char *path, const unsigned char *text,
			   size_t bytes, struct al_node **out, char *message)
{
	struct reader r = {
		.path = path, .text = text, .bytes = bytes, .message = message};
	int rc;

	if (!yaml_parser_initialize(&r.parser))
		return report_out_of_memory_return_einval(&r);
	yaml_parser_set_input_string(&r.parser, text, bytes);
	rc = read_single_document(&r, out);
	if (r.has_event)
		yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	return rc;
}

static int read_yaml_file_of_max_bytes(const char *path, size_t max_bytes,
				       struct al_node **out, char *message)
{
	unsigned char *buffer = malloc(max_bytes + 1);
	ssize_t n = buffer ? protect_from_output_and_read_max_plus_1(
				     path, buffer, max_bytes)
			   : -ENOMEM;
	int rc;

	*out = NULL;
	if (n < 0)
		rc = al_message_return_einval(message,
					      "cannot read '%.200s': %s", path,
					      strerror((int)-n));
	else if ((size_t)n > max_bytes)
		rc = al_message_return_einval(message,
					      "'%.200s' is larger than %zu MiB",
					      path, max_bytes >> 20);
	else
		rc = parse_yaml_text(path, buffer, (size_t)n, out, message);
	free(buffer);
	if (rc) {
		al_yaml_free_with_siblings(*out);
		*out = NULL;
	}
	return rc;
}

int al_yaml_read(const char *path, struct al_node **out, char *message)
{
	return read_yaml_file_of_max_bytes(path, AL_YAML_BYTES, out, message);
}

int al_yaml_parse(const char *name_in_messages, const char *text,
		  struct al_node **out, char *message)
{
	int rc;

	*out = NULL;
	rc = parse_yaml_text(name_in_messages, (const unsigned char *)text,
			     strlen(text), out, message);
	if (rc) {
		al_yaml_free_with_siblings(*out);
		*out = NULL;
	}
	return rc;
}

int al_yaml_read_json_report_with_max_bytes(const char *path,
					    struct al_node **out, char *message)
{
	return read_yaml_file_of_max_bytes(path, AL_YAML_REPORT_BYTES, out,
					   message);
}

void al_yaml_free_with_siblings(struct al_node *first_sibling)
{
	while (first_sibling) {
		struct al_node *next = first_sibling->next;

		al_yaml_free_with_siblings(first_sibling->key);
		al_yaml_free_with_siblings(first_sibling->child);
		free(first_sibling->text);
		free(first_sibling);
		first_sibling = next;
	}
}
