/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_json.h - writes a result as members of a JSON object */
#ifndef BASE_RESULT_RESULT_JSON_H
#define BASE_RESULT_RESULT_JSON_H

#include "base/result/model.h"
#include "base/text/report_sink.h"

/* Write the members of the root, without tables, columns, ratios and labels
   that are only for people. */
void al_model_write_to_sink(const struct al_model *, struct an_sink *);

#endif
