#include "options.h"

#include <string.h>

#include "message.h"
#include "scene_support.h"

#define OPTIONS_MOST 32

static int report_unknown_option(const struct option *options, const char *word)
{
	const char *names[OPTIONS_MOST + 1] = {NULL};
	for (size_t i = 0; options[i].name && i < OPTIONS_MOST; i++)
		names[i] = options[i].name;
	char quoted[SCENE_QUOTE];
	const char *near = scene_suggest(word, names);
	scene_quote(word, quoted);
	if (near)
		message_error("unknown option '--%s' (did you mean '--%s'?)", quoted, near);
	else
		message_error("unknown option '--%s' (--help lists them)", quoted);
	return OPTION_WRONG;
}

static int read_long(struct option_reader *reader, char *word, const char **value)
{
	char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	for (int i = 0; reader->options[i].name; i++) {
		const struct option *option = &reader->options[i];
		if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
			continue;
		if (!option->value && equals) {
			message_error("option '--%s' takes no value", option->name);
			return OPTION_WRONG;
		}
		if (option->value && !equals && !*reader->arguments) {
			message_error("option '--%s' needs a value (%s)", option->name,
				      option->value);
			return OPTION_WRONG;
		}
		if (option->value)
			*value = equals ? equals + 1 : *reader->arguments++;
		return i;
	}
	if (equals)
		*equals = '\0';
	return report_unknown_option(reader->options, word);
}

static int read_letter(struct option_reader *reader, const char **value)
{
	char letter = *reader->cluster++;
	for (int i = 0; reader->options[i].name; i++) {
		const struct option *option = &reader->options[i];
		if (!option->letter || option->letter != letter)
			continue;
		if (!option->value)
			return i;
		if (*reader->cluster)
			*value = reader->cluster;
		else
			*value = *reader->arguments;
		if (!*value) {
			message_error("option '-%c' needs a value (%s)", letter, option->value);
			return OPTION_WRONG;
		}
		if (!*reader->cluster)
			reader->arguments++;
		reader->cluster = NULL;
		return i;
	}
	char text[2] = {letter, '\0'}, quoted[SCENE_QUOTE];
	message_error("unknown option '-%s' (--help lists them)", scene_quote(text, quoted));
	return OPTION_WRONG;
}

int options_next(struct option_reader *reader, const char **value)
{
	*value = NULL;
	if (reader->cluster && *reader->cluster)
		return read_letter(reader, value);
	char *word = *reader->arguments;
	if (!word)
		return OPTION_END;
	reader->arguments++;
	if (!reader->operands_only && strcmp(word, "--") == 0) {
		reader->operands_only = 1;
		return options_next(reader, value);
	}
	if (!reader->operands_only && word[0] == '-' && word[1] == '-')
		return read_long(reader, word + 2, value);
	if (!reader->operands_only && word[0] == '-' && word[1] != '\0') {
		reader->cluster = word + 1;
		return read_letter(reader, value);
	}
	*value = word;
	return OPTION_OPERAND;
}

bool option_take(const char **to, const char *value, const char *name, const char *thing)
{
	*to = value;
	return *value || message_error("--%s needs %s", name, thing);
}

bool option_take_operand(const char **to, const char *value, const char *takes)
{
	if (*to)
		return message_error("%s: '%.200s' or '%.200s'?", takes, *to, value);
	*to = value;
	return true;
}
