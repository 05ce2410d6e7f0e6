/* SPDX-License-Identifier: GPL-2.0-or-later */
/* models.c - lists the models of branch prediction; see model.h */

#include "analyzers/branch/model/model.h"

extern const struct an_branch_model an_branch_cachegrind;
extern const struct an_branch_model an_branch_bimodal;
extern const struct an_branch_model an_branch_gshare;
extern const struct an_branch_model an_branch_tournament;
extern const struct an_branch_model an_branch_perceptron;
extern const struct an_branch_model an_branch_tage;
extern const struct an_branch_model an_branch_ittage;

const struct an_branch_model *const an_branch_models[AN_N_BRANCH_MODELS + 1] = {
	&an_branch_cachegrind, &an_branch_bimodal,
	&an_branch_gshare,     &an_branch_tournament,
	&an_branch_perceptron, &an_branch_tage,
	&an_branch_ittage,     NULL,
};
