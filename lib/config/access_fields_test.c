/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access_fields_test.c - tests the field words of --record
 */
#include "lib/config/settings.h"

#include "lib/config/options.h"
#include "proto/hello.h"
#include "tests/tap.h"

enum { ALWAYS = PT_FIELD_ACCESSES };

static char message[AL_MESSAGE];

static uint32_t parse_fields(const char *list)
{
	uint32_t out = 0;

	return al_fields_parse_record_option(list, &out, message) ? UINT32_MAX
								  : out;
}

static void check_refused_list(const char *list, const char *why)
{
	is_u64(parse_fields(list), UINT32_MAX, "a wrong list is refused");
	is_str(message, why, "with a reason");
}

int main(void)
{
	is_u64(parse_fields("address"), ALWAYS | PT_FIELD_ADDRESSES,
	       "addresses");
	is_u64(parse_fields("value"),
	       ALWAYS | PT_FIELD_ADDRESSES | PT_FIELD_VALUES,
	       "values bring addresses along");
	is_u64(parse_fields("timestamp,core"),
	       ALWAYS | PT_FIELD_STAMPS | PT_FIELD_CORES,
	       "time stamps and processors");
	is_u64(parse_fields("routine,bytes"), ALWAYS,
	       "names and code are there in any case");
	is_u64(parse_fields("core,core"), ALWAYS | PT_FIELD_CORES,
	       "twice is once");
	is_u64(parse_fields("data"), ALWAYS | PT_FIELD_DATA,
	       "data objects are recorded without addresses, too");
	check_refused_list("adress",
			   "'--record=adress': unknown field 'adress'; did you "
			   "mean 'address'?");
	check_refused_list("value,time",
			   "'--record=value,time': unknown field 'time'; "
			   "valid: routine, timestamp, address, value, "
			   "bytes, core, data");
	check_refused_list("value,",
			   "'--record=value,': unknown field ''; valid: "
			   "routine, timestamp, address, value, bytes, core, "
			   "data");
	return done_testing();
}
