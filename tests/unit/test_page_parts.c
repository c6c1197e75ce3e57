/* Parts of pages: tables read back, texts for HTML, base64, and which requests a server answers. */
#include <math.h>
#include <stdlib.h>

#include "output_support.h"
#include "page_out.h"
#include "route.h"
#include "table.h"

/* ---- tables (RFC 4180) -------------------------------------------------------------------- */

static bool parse(const char *text, struct table *table)
{
	char copy[400];
	snprintf(copy, sizeof(copy), "%s", text);
	return table_parse(copy, strlen(copy), "table.csv", table);
}

static void test_tables(void)
{
	struct table table;
	CHECK(parse("frame,\"a,\"\"b\"\"\",hash\n0,1.5,0123456789abcdef\n1,,\n2,-3e-7,short\n3,9",
		    &table));
	CHECK(table.column_count == 3 && table.row_count == 3); /* the last line has no end */
	CHECK(strcmp(table.names[1], "a,\"b\"") == 0);
	CHECK(table_find(&table, "a,\"b\"") == 1 && table_find(&table, "b") == -1);
	const double *a = table_column(&table, 1);
	CHECK(a[0] >= 1.5 && a[0] <= 1.5 && isnan(a[1]) && a[2] >= -3e-7 && a[2] <= -3e-7);
	CHECK(strcmp(table_hash(&table, 0), "0123456789abcdef") == 0);
	CHECK(strcmp(table_hash(&table, 1), "") == 0 && strcmp(table_hash(&table, 2), "") == 0);
	table_free(&table);

	CHECK(parse("a,b\r\n1,2\r\n\r\n3\r\n4,x\r\n", &table));
	CHECK(table.column_count == 2 && table.row_count == 3 && !table.hashes);
	CHECK(strcmp(table.names[1], "b") == 0);
	CHECK(table_column(&table, 0)[2] >= 4.0 && isnan(table_column(&table, 1)[1]) &&
	      isnan(table_column(&table, 1)[2]));
	CHECK(strcmp(table_hash(&table, 0), "") == 0);
	table_free(&table);

	/* Quotes where they should not be: no more fields than commas. */
	CHECK(parse("\"a\"x,b\"c,d\"\n1,2,3\n", &table) && table.column_count == 3);
	CHECK(strcmp(table.names[0], "a") == 0 && strcmp(table.names[1], "b\"c") == 0);
	table_free(&table);
	CHECK(parse("a\n", &table) && table.row_count == 0);
	table_free(&table);
	CHECK(!parse("no end", &table));
	CHECK(!parse("\n1\n", &table));
	CHECK(!parse("", &table));
}

/* ---- texts -------------------------------------------------------------------------------- */

static bool is_written(struct page_out *out, const char *expected)
{
	const bool same = strcmp(out->text ? out->text : "", expected) == 0;
	free(out->text);
	*out = (struct page_out){0};
	return same;
}

static void test_texts(void)
{
	struct page_out out = {0};
	page_escaped(&out, "<b a=\"1\" c='2'>&\xc3\xa4");
	CHECK(is_written(&out, "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\xc3\xa4"));
	page_json(&out, "{\"</script>\": \"<!--\"}", 21);
	CHECK(is_written(&out, "{\"\\u003c/script>\": \"\\u003c!--\"}"));
	page_json(&out, "", 0);
	CHECK(is_written(&out, ""));
}

/* The vectors of RFC 4648, 10. */
static void test_base64(void)
{
	static const char *const expected[] = {"",	   "Zg==",     "Zm8=",	  "Zm9v",
					       "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
	struct page_out out = {0};
	for (size_t length = 0; length < 7; length++) {
		page_base64(&out, "foobar", length);
		CHECK(is_written(&out, expected[length]));
	}
	page_base64(&out, "\xff\xfe\xfb", 3);
	CHECK(is_written(&out, "//77"));
	/* Longer than a block: as many digits as it takes, padding at the end alone. */
	static char zeros[10000];
	page_base64(&out, zeros, sizeof(zeros));
	CHECK(out.length == 13336 && strspn(out.text, "A") == 13334);
	CHECK(strcmp(out.text + 13334, "==") == 0);
	free(out.text);
}

/* ---- requests ----------------------------------------------------------------------------- */

#define PORT 8613

static unsigned ask(const char *method, const char *path, const char *host, const char *origin,
		    const char *site)
{
	const struct route_request request = {method, path, host, origin, site};
	struct route route;
	route_find(&request, 2, PORT, &route);
	/* What is refused names no file. */
	CHECK((route.status == 200) == (route.kind != ROUTE_NONE));
	return route.status;
}

static void test_foreign(void)
{
	static const char here[] = "127.0.0.1:8613";
	CHECK(ask("GET", "/", here, NULL, NULL) == 200);
	CHECK(ask("GET", "/", "localhost:8613", NULL, NULL) == 200);
	CHECK(ask("HEAD", "/", here, "http://127.0.0.1:8613", "same-origin") == 200);
	CHECK(ask("GET", "/", here, NULL, "none") == 200);
	static const char *const hosts[] = {NULL,
					    "",
					    "evil.example",
					    "evil.example:8613",
					    "127.0.0.1",
					    "127.0.0.1:8614",
					    "127.0.0.1:86130",
					    "127.0.0.1:8613 ",
					    "127.0.0.1:8613.evil.example",
					    "localhost",
					    "LOCALHOST:8613",
					    "[::1]:8613"};
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		CHECK(ask("GET", "/", hosts[i], NULL, NULL) == 403);
	static const char *const origins[] = {"",
					      "null",
					      "http://evil.example",
					      "https://127.0.0.1:8613",
					      "http://127.0.0.1",
					      "http://127.0.0.1:8613/",
					      "http://127.0.0.1:8613.evil.example"};
	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++)
		CHECK(ask("GET", "/", here, origins[i], NULL) == 403);
	CHECK(ask("GET", "/", here, NULL, "cross-site") == 403);
	CHECK(ask("GET", "/", here, NULL, "same-site") == 403); /* another port of this machine */
	CHECK(ask("POST", "/", here, NULL, NULL) == 405);
	CHECK(ask("get", "/", here, NULL, NULL) == 405);
}

static void test_paths(void)
{
	static const char host[] = "127.0.0.1:8613";
	static const char *const there[] = {"/0/state.json",
					    "/1/run.json",
					    "/0/stats.csv",
					    "/0/probes.csv",
					    "/1/forces.csv",
					    "/0/frames/frame_000000.png",
					    "/1/frames/frame_1234567890.png"};
	static const char *const missing[] = {
		"",
		"//",
		"/0",
		"/0/",
		"/2/run.json",
		"/00/run.json",
		"0/run.json",
		"/-1/run.json",
		"/0/../run.json",
		"/0//run.json",
		"/0/run.json/",
		"/0/log.txt",
		"/0/.lock",
		"/0/../../etc/passwd",
		"/0/frames/",
		"/0/frames/frame_00000.png",
		"/0/frames/frame_12345678901.png",
		"/0/frames/frame_000000.png/x",
		"/0/frames/frame_000000.pn",
		"/0/frames/frame_+00000.png",
		"/0/frames/../run.json",
		"/0/checkpoints/checkpoint_000000.h5",
		"/etc/passwd",
	};
	for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++)
		CHECK(ask("GET", there[i], host, NULL, NULL) == 200);
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		CHECK(ask("GET", missing[i], host, NULL, NULL) == 404);
	struct route route;
	const struct route_request request = {"GET", "/1/frames/frame_000024.png", host, NULL,
					      NULL};
	route_find(&request, 2, PORT, &route);
	CHECK(route.run == 1 && strcmp(route.file, "frames/frame_000024.png") == 0);
	CHECK(strcmp(route.type, "image/png") == 0 && !route.grows);
}

int main(void)
{
	if (!start_scratch())
		return 1;
	test_tables();
	test_texts();
	test_base64();
	test_foreign();
	test_paths();
	return end_tests();
}
