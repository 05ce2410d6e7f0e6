/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit_test.c - tests limits on counts
 */
#include "lib/diff/limit.h"

#include <math.h>

#include "base/text/message.h"
#include "tests/tap.h"

static struct al_diff_row old_rows[] = {
	{"main", "/src/a.c", "prog", 0, {{100, 0, 0, 0, 10}}},
	{"hot.constprop.0", "/src/b.c", "prog", 0, {{900, 0, 0, 0, 90}}},
};
static struct al_diff_row new_rows[] = {
	{"main", "/src/a.c", "prog", 0, {{100, 0, 0, 0, 10}}},
	{"hot", "/src/b.c", "prog", 0, {{950, 0, 0, 0, 80}}},
	{"operator>=", "/src/b.c", "libx.so.1", 0, {{7, 0, 0, 0, 0}}},
};
static const struct al_diff_input a = {
	.totals = {{1000, 0, 0, 0, 100}},
	.functions = {old_rows, 2, 2},
	.lines = {old_rows, 2, 2},
};
static const struct al_diff_input b = {
	.totals = {{1057, 0, 0, 0, 90}},
	.functions = {new_rows, 3, 3},
	.lines = {new_rows, 3, 3},
};
static const struct al_diff d = {.in = {&a, &b}};

static const struct {
	const char *limit;
	double found;
	bool exceeded;
} good[] = {
	{"Ir>+0", 57, true},
	{"Ir>+57", 57, false},
	{"Ir>=+57", 57, true},
	{"Ir > +5%", 5.7, true},
	{"Ir>+5.7%", 5.7, false},
	{"D1mr>+1%", -10, false},
	{"D1mr<-9", -10, true},
	{"D1mr<=-10", -10, true},
	{"D1mr>89", 90, true},
	{"D1mr>9e1", 90, false},
	{"D1mr=90", 90, true},
	{"D1mr!=90", 90, false},
	{"Ir@function=hot>+0", 50, true},
	{"Ir@function=h*=950", 950, true},
	{"Ir@function=operator>=>0", 7, true},
	{"Ir@function=operator>=>+0%", INFINITY, true},
	{"Ir@file=b.c>+0", 57, true},
	{"Ir@file=src/*.c>+0", 57, true},
	{"Ir@object=libx.so>0", 7, true},
	{"DLmr>+0%", 0, false},
};

static const char *const bad[] = {
	"",	  "Ir",		 "Ir>",	    "Ir>x",
	"Ir>1%",  ">1",		 "Ir>+1x",  "Ir>+1%%",
	"Irr>1",  "Ir@line=3>1", "Ir@=>1",  "Ir@function=>1",
	"Ir>inf", "Ir>nan",	 "Ir>0x10", "Ir==>1",
};

int main(void)
{
	char message[AL_MESSAGE];
	struct al_diff_limit l;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		int err = al_diff_limit_parse(good[i].limit, &l, message);

		if (!err)
			err = al_diff_evaluate_limit_on_sum_in_scope(&d, &l,
								     message);
		if (err)
			printf("# %s\n", message);
		ok(!err && l.exceeded == good[i].exceeded &&
			   (l.found == good[i].found ||
			    fabs(l.found - good[i].found) < 1e-9),
		   good[i].limit);
		al_diff_limit_release(&l);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ok(al_diff_limit_parse(bad[i], &l, message) != 0, bad[i]);
		al_diff_limit_release(&l);
	}
	al_diff_limit_parse("D1mR>1", &l, message);
	ok(strstr(message, "did you mean 'D1mr'?") != NULL,
	   "a misspelt event is suggested");
	al_diff_limit_parse("Ir==5", &l, message);
	is_str(message,
	       "limit 'Ir==5': unknown operator '=='; did you mean '='?",
	       "an operator that is none is named");
	al_diff_limit_parse("Ir=>5", &l, message);
	ok(strstr(message, "unknown operator '=>'; did you mean") != NULL,
	   "so is one the wrong way round");
	al_diff_limit_parse("Ir>+1x", &l, message);
	ok(strstr(message, "unexpected 'x' after the number") != NULL,
	   "text after the number is quoted");
	al_diff_limit_release(&l);
	al_diff_limit_parse("Ir@function=gone>0", &l, message);
	ok(al_diff_evaluate_limit_on_sum_in_scope(&d, &l, message) != 0,
	   "a scope that matches nothing is an error");
	al_diff_limit_release(&l);
	return done_testing();
}
