#include "csv_column.h"

#include <string.h>

void csv_column(struct append_file *file, const char *name, const char *ending)
{
	append_file_text(file, ",");
	if (!strpbrk(name, ",\"\r\n")) {
		append_file_text(file, name);
		append_file_text(file, ending);
		return;
	}
	append_file_text(file, "\"");
	for (const char *c = name; *c; c++)
		append_file_text(file, *c == '"' ? "\"\"" : (const char[]){*c, '\0'});
	append_file_text(file, ending);
	append_file_text(file, "\"");
}
