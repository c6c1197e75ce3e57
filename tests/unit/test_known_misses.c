/* What `freshet validate` makes of criteria that are known to be missed. */
#include "known_misses.h"
#include "output_support.h"

static const struct known_miss list[] = {
	{"wave", "loss", 0.35, "reasons"},
	{"wave", "period", 0.7, "others"},
	{"tank", "volume", -0.03, "more"},
	{0},
};

static struct validate_criterion judged(const char *name, const char *what, double low, double high,
					double value)
{
	struct validate_criterion c = {.value = value, .low = low, .high = high};
	snprintf(c.what, sizeof(c.what), "%s", what);
	known_miss_judge(list, name, &c);
	return c;
}

static void test_verdicts(void)
{
	static const struct {
		const char *name, *what;
		double low, high, value;
		enum validate_verdict verdict;
		bool known;
	} rows[] = {
		/* not on the list */
		{"wave", "other", 0.0, 0.3, 0.2, VALIDATE_PASS, false},
		{"wave", "other", 0.0, 0.3, 0.31, VALIDATE_FAIL, false},
		{"tank", "loss", 0.0, 0.3, 0.31, VALIDATE_FAIL, false},
		{"wave", "loss ", 0.0, 0.3, 0.31, VALIDATE_FAIL, false},
		/* above the band */
		{"wave", "loss", -(double)INFINITY, 0.3, 0.31, VALIDATE_KNOWN, true},
		{"wave", "loss", -(double)INFINITY, 0.3, 0.35, VALIDATE_KNOWN, true},
		{"wave", "loss", -(double)INFINITY, 0.3, 0.3501, VALIDATE_FAIL, true},
		{"wave", "loss", -(double)INFINITY, 0.3, 0.3, VALIDATE_MET, true},
		{"wave", "loss", -(double)INFINITY, 0.3, (double)NAN, VALIDATE_FAIL, true},
		/* below */
		{"wave", "period", 0.8, (double)INFINITY, 0.75, VALIDATE_KNOWN, true},
		{"wave", "period", 0.8, (double)INFINITY, 0.69, VALIDATE_FAIL, true},
		{"tank", "volume", -0.02, 0.02, -0.025, VALIDATE_KNOWN, true},
		{"tank", "volume", -0.02, 0.02, -0.031, VALIDATE_FAIL, true},
		/* the other side of the band is another miss */
		{"tank", "volume", -0.02, 0.02, 0.025, VALIDATE_FAIL, true},
		{"tank", "volume", -0.02, 0.02, 0.0, VALIDATE_MET, true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct validate_criterion c = judged(rows[i].name, rows[i].what, rows[i].low,
							   rows[i].high, rows[i].value);
		CHECK(c.verdict == rows[i].verdict);
		CHECK((c.known != NULL) == rows[i].known);
	}
	CHECK(judged("tank", "volume", -0.02, 0.02, -0.025).known == &list[2]);
}

int main(void)
{
	if (!start_scratch())
		return 1;
	test_verdicts();
	return end_tests();
}
