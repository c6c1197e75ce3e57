/* Results of OpenCL calls. */
#include "clx_internal.h"

#include "fault.h"
#include "message.h"

const char *clx_error_name(cl_int code)
{
	static const struct {
		cl_int code;
		const char *name;
	} names[] = {
#define NAME(x) {x, #x}
		NAME(CL_DEVICE_NOT_FOUND),
		NAME(CL_DEVICE_NOT_AVAILABLE),
		NAME(CL_COMPILER_NOT_AVAILABLE),
		NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
		NAME(CL_OUT_OF_RESOURCES),
		NAME(CL_OUT_OF_HOST_MEMORY),
		NAME(CL_PROFILING_INFO_NOT_AVAILABLE),
		NAME(CL_MEM_COPY_OVERLAP),
		NAME(CL_BUILD_PROGRAM_FAILURE),
		NAME(CL_MAP_FAILURE),
		NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET),
		NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
		NAME(CL_COMPILE_PROGRAM_FAILURE),
		NAME(CL_LINKER_NOT_AVAILABLE),
		NAME(CL_LINK_PROGRAM_FAILURE),
		NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
		NAME(CL_INVALID_VALUE),
		NAME(CL_INVALID_DEVICE_TYPE),
		NAME(CL_INVALID_PLATFORM),
		NAME(CL_INVALID_DEVICE),
		NAME(CL_INVALID_CONTEXT),
		NAME(CL_INVALID_QUEUE_PROPERTIES),
		NAME(CL_INVALID_COMMAND_QUEUE),
		NAME(CL_INVALID_HOST_PTR),
		NAME(CL_INVALID_MEM_OBJECT),
		NAME(CL_INVALID_BINARY),
		NAME(CL_INVALID_BUILD_OPTIONS),
		NAME(CL_INVALID_PROGRAM),
		NAME(CL_INVALID_PROGRAM_EXECUTABLE),
		NAME(CL_INVALID_KERNEL_NAME),
		NAME(CL_INVALID_KERNEL_DEFINITION),
		NAME(CL_INVALID_KERNEL),
		NAME(CL_INVALID_ARG_INDEX),
		NAME(CL_INVALID_ARG_VALUE),
		NAME(CL_INVALID_ARG_SIZE),
		NAME(CL_INVALID_KERNEL_ARGS),
		NAME(CL_INVALID_WORK_DIMENSION),
		NAME(CL_INVALID_WORK_GROUP_SIZE),
		NAME(CL_INVALID_WORK_ITEM_SIZE),
		NAME(CL_INVALID_GLOBAL_OFFSET),
		NAME(CL_INVALID_EVENT_WAIT_LIST),
		NAME(CL_INVALID_EVENT),
		NAME(CL_INVALID_OPERATION),
		NAME(CL_INVALID_BUFFER_SIZE),
		NAME(CL_INVALID_GLOBAL_WORK_SIZE),
#undef NAME
		{-9999, "driver error -9999 (an illegal access by a kernel, on NVIDIA)"},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].code == code)
			return names[i].name;
	return "unknown code";
}

bool clx_check(cl_int code, const char *call, const char *object, size_t bytes)
{
	if (fault_is_due(FAULT_OPENCL))
		code = CL_OUT_OF_RESOURCES;
	if (code == CL_SUCCESS)
		return true;
	const char *hint =
		code == CL_MEM_OBJECT_ALLOCATION_FAILURE
			? " (out of device memory: reduce domain.cells or particles_per_cell)"
		: code == CL_OUT_OF_RESOURCES
			? " (drivers say this of memory that is short, and of a kernel that failed)"
			: "";
	if (bytes)
		return message_error("%s %s %zu B: %s (%d)%s", call, object, bytes,
				     clx_error_name(code), code, hint);
	return message_error("%s %s: %s (%d)%s", call, object, clx_error_name(code), code, hint);
}

bool clx_check_wait(const struct clx *cl, cl_int code, const char *call, const char *object,
		    size_t bytes)
{
	code = code == CL_SUCCESS ? cl->late_error : code;
	if (clx_check(code, call, object, bytes))
		return true;
	/* What drivers report of commands that failed before. */
	const bool late = code == CL_OUT_OF_RESOURCES || code == CL_INVALID_COMMAND_QUEUE ||
			  code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
			  code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
			  cl->late_error != CL_SUCCESS;
	return late && !cl->waited &&
	       message_error("an earlier kernel may be the cause: with "
			     "FRESHET_LAUNCHES=waited it is named");
}
