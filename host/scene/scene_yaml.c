#include "scene_yaml.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "file_read.h"

/* Scenes are a few kilobytes; the limits keep a wrong file from costing seconds. */
#define MAX_FILE_BYTES (4u << 20)
#define MAX_DEPTH 64
#define MAX_NODES 300000 /* values in a document */
#define MAX_KEYS 256	 /* per mapping; duplicates are found by comparing all pairs */

/* State of one parse: the innermost open node, and the key that waits for its value. */
struct builder {
	struct scene_errors *errors;
	int source;
	struct scene_node *root, *open;
	char *key; /* owned */
	size_t key_line, key_column;
	int depth;
	size_t nodes;
	bool failed;
};

static void fail_at(struct builder *b, yaml_mark_t mark, const char *text)
{
	scene_error_at(b->errors, b->source, mark.line + 1, mark.column + 1, "%s", text);
	b->failed = true;
}

static void fail_memory(struct builder *b)
{
	scene_error_memory(b->errors);
	b->failed = true;
}

/* A new node at the place where the parser stands. */
static struct scene_node *add_node(struct builder *b, const yaml_event_t *event,
				   enum scene_node_kind kind)
{
	struct scene_node *parent = b->open;
	if (++b->nodes > MAX_NODES) {
		fail_at(b, event->start_mark, "too many values for a scene (at most 300000)");
		return NULL;
	}
	if (parent) {
		void *children = scene_grow(parent->children, &parent->capacity, parent->count + 1,
					    sizeof(struct scene_node *));
		if (!children) {
			fail_memory(b);
			return NULL;
		}
		parent->children = children;
	}
	struct scene_node *node = calloc(1, sizeof(*node));
	if (!node) {
		fail_memory(b);
		return NULL;
	}
	*node = (struct scene_node){
		.kind = kind,
		.parent = parent,
		.index = parent ? parent->count : 0,
		.source = b->source,
		.line = event->start_mark.line + 1,
		.column = event->start_mark.column + 1,
		.key = b->key,
		.key_line = b->key_line,
		.key_column = b->key_column,
	};
	b->key = NULL;
	if (parent)
		parent->children[parent->count++] = node;
	else
		b->root = node;
	return node;
}

static bool expects_key(const struct builder *b)
{
	return b->open && b->open->kind == SCENE_MAPPING && !b->key;
}

static void open_node(struct builder *b, const yaml_event_t *event, enum scene_node_kind kind,
		      const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor || tag)
		fail_at(b, event->start_mark,
			anchor ? "anchors (&name) are not supported: write the value out"
			       : "tags (!type) are not supported");
	else if (expects_key(b))
		fail_at(b, event->start_mark, "a key must be a plain name");
	else if (++b->depth > MAX_DEPTH)
		fail_at(b, event->start_mark, "nested too deeply (at most 64 levels)");
	else
		b->open = add_node(b, event, kind);
}

static void close_node(struct builder *b)
{
	b->open = b->open->parent;
	b->depth--;
}

static void add_key(struct builder *b, const yaml_event_t *event, char *text)
{
	const struct scene_node *mapping = b->open;
	b->key = text;
	b->key_line = event->start_mark.line + 1;
	b->key_column = event->start_mark.column + 1;
	if (mapping->count >= MAX_KEYS) {
		fail_at(b, event->start_mark, "too many keys in one mapping (at most 256)");
		return;
	}
	const struct scene_node *first = scene_node_get(mapping, text);
	if (first) {
		char quoted[SCENE_QUOTE], path[SCENE_NODE_PATH];
		scene_node_path(mapping, path);
		scene_error_at(b->errors, b->source, b->key_line, b->key_column,
			       "duplicate key '%s'%s%s%s (first at %zu:%zu)",
			       scene_quote(text, quoted), *path ? " in '" : "", path,
			       *path ? "'" : "", first->key_line, first->key_column);
	}
}

static void add_scalar(struct builder *b, const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;
	const size_t length = event->data.scalar.length;
	if (event->data.scalar.anchor) {
		fail_at(b, event->start_mark,
			"anchors (&name) are not supported: write the value out");
		return;
	}
	if (event->data.scalar.tag) {
		fail_at(b, event->start_mark, "tags (!type) are not supported");
		return;
	}
	if (strlen(value) != length) {
		fail_at(b, event->start_mark, "the text holds a NUL character");
		return;
	}
	char *text = scene_copy_text(value);
	if (!text) {
		fail_memory(b);
		return;
	}
	if (expects_key(b)) {
		add_key(b, event, text);
		return;
	}
	struct scene_node *node = add_node(b, event, SCENE_SCALAR);
	if (!node) {
		free(text);
		return;
	}
	node->text = text;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static void take_event(struct builder *b, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (b->root)
			fail_at(b, event->start_mark, "a second document: one file, one scene");
		break;
	case YAML_ALIAS_EVENT:
		fail_at(b, event->start_mark,
			"aliases (*name) are not supported: write the value out");
		break;
	case YAML_SCALAR_EVENT:
		add_scalar(b, event);
		break;
	case YAML_SEQUENCE_START_EVENT:
		open_node(b, event, SCENE_LIST, event->data.sequence_start.anchor,
			  event->data.sequence_start.tag);
		break;
	case YAML_MAPPING_START_EVENT:
		open_node(b, event, SCENE_MAPPING, event->data.mapping_start.anchor,
			  event->data.mapping_start.tag);
		break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		close_node(b);
		break;
	default:
		break;
	}
}

static bool starts_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Line and column, from 1, of a byte. */
static void locate_offset(const char *text, size_t offset, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		} else if (starts_character(text[i])) {
			++*column;
		}
	}
}

/* Is there a tab at a line and column? */
static bool tab_at(const char *text, size_t length, size_t line, size_t column)
{
	size_t l = 1, c = 1, i = 0;
	for (; i < length && l < line; i++)
		l += text[i] == '\n';
	for (; i < length && c < column; i++)
		c += i + 1 == length || starts_character(text[i + 1]);
	return i < length && text[i] == '\t';
}

/* Does a line end in an unquoted #rrggbb, or the like, where a value should be?  *column: where. */
static bool comment_for_value(const char *text, size_t length, size_t line, size_t *column)
{
	size_t at_line = 1, i = 0;
	char last = '\0', quote = '\0'; /* last: but for blanks */
	for (; i < length && at_line < line; i++)
		at_line += text[i] == '\n';
	*column = 1;
	for (; i < length && text[i] != '\n'; i++) {
		const char c = text[i];
		if (c == '#' && !quote && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\n'))
			return last == ':' && i + 1 < length &&
			       isxdigit((unsigned char)text[i + 1]);
		if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		last = c == ' ' ? last : c;
		*column += starts_character(c);
	}
	return false;
}

/* Says in our words what libyaml found wrong. */
static void report_syntax(struct builder *b, const yaml_parser_t *parser, const char *text,
			  size_t length)
{
	b->failed = true;
	if (parser->error == YAML_MEMORY_ERROR) {
		fail_memory(b);
		return;
	}
	size_t line = parser->problem_mark.line + 1, column = parser->problem_mark.column + 1;
	const char *problem = parser->problem ? parser->problem : "unreadable";
	if (parser->error == YAML_READER_ERROR) {
		const size_t offset = parser->problem_offset;
		locate_offset(text, offset < length ? offset : length, &line, &column);
		scene_error_at(b->errors, b->source, line, column,
			       "not UTF-8 text, or a control character (%s)", problem);
		return;
	}
	if (tab_at(text, length, line, column))
		problem = "a tab cannot indent YAML, use spaces";
	else if (parser->context && strstr(parser->context, "flow"))
		/* libyaml sees it at the next token, mostly on the next line */
		for (size_t back = 0, there; back < 2 && back < line; back++)
			if (comment_for_value(text, length, line - back, &there)) {
				line -= back;
				column = there;
				problem = "no value: without quotes # starts a comment";
				break;
			}
	scene_error_at(b->errors, b->source, line, column, "not valid YAML: %s%s%s%s", problem,
		       parser->context ? " (" : "", parser->context ? parser->context : "",
		       parser->context ? ")" : "");
}

/* YAML would let [1, 2,] pass; JSON does not, and a forgotten value is likelier than intent. */
static void refuse_trailing_commas(struct builder *b, const char *text, size_t length)
{
	yaml_parser_t parser;
	if (!yaml_parser_initialize(&parser)) {
		fail_memory(b);
		return;
	}
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
	yaml_mark_t comma = {0};
	bool after_comma = false, done = false;
	while (!done) {
		yaml_token_t token;
		if (!yaml_parser_scan(&parser, &token))
			break;
		if (after_comma && (token.type == YAML_FLOW_SEQUENCE_END_TOKEN ||
				    token.type == YAML_FLOW_MAPPING_END_TOKEN))
			scene_error_at(b->errors, b->source, comma.line + 1, comma.column + 1,
				       "a comma with nothing after it");
		after_comma = token.type == YAML_FLOW_ENTRY_TOKEN;
		comma = token.start_mark;
		done = token.type == YAML_STREAM_END_TOKEN || token.type == YAML_NO_TOKEN;
		yaml_token_delete(&token);
	}
	yaml_parser_delete(&parser);
}

/* What libyaml would accept or misreport. */
static bool check_bytes(struct builder *b, const char *text, size_t length)
{
	size_t line, column;
	const unsigned char *bytes = (const unsigned char *)text;
	if (length >= 2 &&
	    ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff))) {
		scene_error_at(b->errors, b->source, 1, 1, "UTF-16 text: save it as UTF-8");
		return false;
	}
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		scene_error_at(b->errors, b->source, 1, 1,
			       "the file starts with a byte order mark: save it as UTF-8 without "
			       "one");
		return false;
	}
	const char *nul = memchr(text, '\0', length);
	if (nul) {
		locate_offset(text, (size_t)(nul - text), &line, &column);
		scene_error_at(b->errors, b->source, line, column, "a NUL byte: not a text file");
		return false;
	}
	return true;
}

struct scene_node *scene_yaml_parse(const char *text, size_t length, int source,
				    struct scene_errors *errors)
{
	struct builder b = {.errors = errors, .source = source};
	if (!check_bytes(&b, text, length))
		return NULL;
	yaml_parser_t parser;
	if (!yaml_parser_initialize(&parser)) {
		fail_memory(&b);
		return NULL;
	}
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
	bool done = false;
	while (!b.failed && !done) {
		yaml_event_t event;
		if (!yaml_parser_parse(&parser, &event)) {
			report_syntax(&b, &parser, text, length);
			break;
		}
		take_event(&b, &event);
		done = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	free(b.key);
	if (!b.failed)
		refuse_trailing_commas(&b, text, length);
	if (b.failed) {
		scene_node_free(b.root);
		return NULL;
	}
	if (!b.root)
		scene_error_at(errors, source, 1, 1, "empty, nothing to read%s",
			       length > 0 && memchr(text, '#', length)
				       ? " (without quotes # starts a comment)"
				       : "");
	return b.root;
}

struct scene_node *scene_yaml_read(struct scene_errors *errors)
{
	char reason[FILE_READ_REASON];
	size_t length;
	char *text = file_read(errors->path, MAX_FILE_BYTES, &length, reason);
	if (!text && errno == ENOMEM) {
		scene_error_memory(errors);
		return NULL;
	}
	if (!text) {
		scene_error_at(errors, SCENE_SOURCE_FILE, 0, 0, "%s", reason);
		return NULL;
	}
	struct scene_node *root = scene_yaml_parse(text, length, SCENE_SOURCE_FILE, errors);
	free(text);
	return root;
}
