/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.c - translates errors into words; returns the version
 */
#include <errno.h>

#include "liballeria/profile.h"

const char *alleria_version(void)
{
	return PACKAGE_VERSION;
}

const char *alleria_error_text(int error)
{
	switch (error) {
	case 0:
		return "no error";
	case ALLERIA_E_MEMORY:
		return "out of memory";
	case ALLERIA_E_FILE:
		return "the file cannot be read";
	case ALLERIA_E_FORMAT:
		return "the file is not a profile";
	case ALLERIA_E_VERSION:
		return "the profile has a format that this version does not "
		       "support";
	case ALLERIA_E_DAMAGED:
		return "a part of the profile is broken or missing";
	case ALLERIA_E_RANGE:
		return "not found in the profile";
	case ALLERIA_E_ARGUMENT:
		return "invalid arguments";
	case ALLERIA_E_UNRECORDED:
		return "the run was recorded without it";
	case ALLERIA_E_STOPPED:
		return "an executor failed";
	}
	return "unknown error";
}

int ap_alleria_error_of_negative_errno(int negative_errno)
{
	switch (negative_errno) {
	case 0:
		return 0;
	case -ENOMEM:
		return ALLERIA_E_MEMORY;
	case -EBADMSG:
	case -EPROTO:
		return ALLERIA_E_DAMAGED;
	case -EINVAL:
		return ALLERIA_E_FORMAT;
	case -EPROTONOSUPPORT:
		return ALLERIA_E_VERSION;
	}
	errno = -negative_errno;
	return ALLERIA_E_FILE;
}
