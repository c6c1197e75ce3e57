/* The reader of tables that reports and comparisons take columns from. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "table.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct table table;
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (table_parse(text, size, "table.csv", &table)) {
		double sum = 0.0;
		fuzz_expect(table.column_count > 0, "a table has columns");
		for (size_t c = 0; c < table.column_count; c++)
			for (size_t row = 0; row < table.row_count; row++)
				sum += table_column(&table, c)[row];
		fuzz_expect(sum <= 0.0 || !(sum <= 0.0), "all values can be read");
		for (size_t row = 0; row < table.row_count; row++)
			fuzz_expect(strlen(table_hash(&table, row)) <= TABLE_HASH,
				    "hashes have an end");
		fuzz_expect(table_find(&table, table.names[0]) == 0, "the first name is found");
	}
	table_free(&table);
	free(text);
	return 0;
}
