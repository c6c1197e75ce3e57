/* Shared by the files of the OpenCL layer only. */
#ifndef FRESHET_CLX_INTERNAL_H
#define FRESHET_CLX_INTERNAL_H

#include <CL/cl.h>

#include "clx.h"

/* Name of an OpenCL result code, "CL_..." or "unknown code". */
const char *clx_error_name(cl_int code);

/* True if `code` is CL_SUCCESS and no fault is due (FRESHET_FAULT=opencl:n); else reports
 * "CALL OBJECT BYTES B: CODE" and returns false. */
bool clx_check(cl_int code, const char *call, const char *object, size_t bytes);

/* The device at an index of clx_list_devices(), and its platform. */
bool clx_device_handle(unsigned platform_index, unsigned device_index, cl_platform_id *platform,
		       cl_device_id *device);

#endif
