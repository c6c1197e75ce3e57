/* FRESHET_FAULT=KIND:N makes the Nth call of a kind fail, KIND:N+ that one and all later ones, so
 * that tests can walk every error path; KIND@PLACE:N counts those in one place.  docs/env.md
 * describes the kinds. */
#ifndef FRESHET_FAULT_H
#define FRESHET_FAULT_H

#include <stdbool.h>

enum fault_kind {
	FAULT_OPENCL, /* a call of OpenCL (clx_error.c) */
	FAULT_KERNEL, /* a launch of a kernel: it fails on the device, as who waits next is told
		       * (clx_launch.c) */
	FAULT_WRITE, /* creating, writing, syncing, renaming a file (file.c, file_stream.c, image.c)
		      */
	FAULT_ALLOC, /* an allocation of host memory (fault_alloc.c) */
	FAULT_PARSER, /* the parser of a mesh file crashes (scene/mesh/mesh_file.c) */
	/* Attempts at substeps (step_faults.c, pressure.c). */
	FAULT_NAN,    /* a particle's velocity is not a number */
	FAULT_SPEED,  /* the grid's velocity at a cell is absurd */
	FAULT_SOLVER, /* the pressure solve fails */
	FAULT_HASH,   /* the device gives a state another hash (reduce.c) */
	FAULT_STAGE,  /* a stage of the substep fails: stage@NAME:N */
	FAULT_KINDS
};

/* Counts a call; true if it is one that must fail.  From any thread. */
bool fault_is_due(enum fault_kind kind);
/* The same of a call in a place, if that is the one that was asked for. */
bool fault_is_due_in(enum fault_kind kind, const char *place);

/* A fault that would never come makes a test that cannot fail.  False after reporting. */
bool fault_check_environment(void);

/* At the end of a run: warns of a counted fault that has not come. */
void fault_check_came(void);

#endif
