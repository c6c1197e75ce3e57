/*
 * The data of a simulation.  Lattice arrays are indexed as shared.h says; each comment gives shape
 * and unit.  L = lattice.grid.lattice, N = particles.capacity, D = dim.  All buffers belong to the
 * simulation, whose fields sim/sim_fields.c lists; sim/create.c makes and frees it.
 */
#ifndef FRESHET_STATE_H
#define FRESHET_STATE_H

#include "bodies_data.h"
#include "diagnosis.h"
#include "drains_data.h"
#include "emitters_data.h"
#include "force_fields_data.h"
#include "friction_data.h"
#include "lattice.h"
#include "ledger_data.h"
#include "levelset_data.h"
#include "loads_data.h"
#include "method.h"
#include "mixed_data.h"
#include "neighbours_data.h"
#include "outflows_data.h"
#include "particle_set.h"
#include "poisson.h"
#include "scene.h"
#include "solids.h"
#include "sources_data.h"
#include "sph_data.h"
#include "step.h"
#include "vof_data.h"

#define SIM_HASH_ITEMS 4096

#define SIM_MAX_PARTICLES (INT32_MAX / 16)

/* The velocity that counts from the forces to the projection: on faces, and what the forces of the
 * substep add to it.  Kernels take both. */
struct velocity_view {
	union f32_buffer *faces;
	const struct kick *kick;
};
#define VELOCITY_VIEW(view) .u_face = (view).faces, .kick = (view).kick

struct sim {
	const struct scene *scene; /* borrowed */
	const struct method *method;
	struct clx *cl; /* borrowed; the same as lattice.cl, as is dim */
	int dim;
	struct lattice lattice; /* grid, bricks, scalars, sums */
	struct particles particles;
	struct solids solids;
	struct poisson poisson;
	struct sources sources;
	struct outflows outflows;
	struct emitters emitters;
	struct drains drains;
	struct mixed_transfer mixed;
	struct neighbours neighbours;
	struct force_fields force_fields;
	struct friction friction;
	struct loads loads;
	struct bodies bodies;
	struct vof vof;
	struct levelset levelset;
	struct sph sph;

	/*
	 * Velocity at faces, m/s, f32 [D][L]; each stage of the time step leaves it as
	 *   p2g                u* at time t, of the particles, where a particle is near
	 *   extrapolate_known  the same, and beyond
	 *   forces             and what the force fields add; gravity's part is in `kick` only
	 *   pressure           u at time t + dt: u* + kick - dt/rho grad p, free of divergence
	 *   extrapolate        the same, beyond the liquid, and along solids inside them
	 * and g2p and advect read it; between substeps probes, files and the library do.  No
	 * substep reads what the last one left.
	 */
	union f32_buffer u_face;
	struct kick kick;	   /* what forces add to u* in this substep (forces.c) */
	union u8_buffer valid;	   /* u8 [L]: bit c = face of component c holds a value; bit 3+c =
				    * it is fixed (a wall of the box) */
	union f32_buffer phi;	   /* f32 [L], m, liquid level set at cell centres, < 0 inside */
	union u8_buffer cell_type; /* u8 [L], enum cell_type */
	union f32_buffer pressure; /* f32 [L], Pa, at cell centres; 0 outside liquid; while it is
				    * solved for, the right-hand side lies here */
	/* f32 [D][L], m/s: what comes in through closed faces of walls, as the flux of the whole
	 * face towards +axis; one element in scenes without inflows
	 * and outflows */
	union f32_buffer flow;
	/* f32 [D][L], m/s: what force fields add in the substep; one element in scenes without */
	union f32_buffer force;
	/* f32 [D][L], m/s: what friction adds in the substep, where a wall may be near; one element
	 * without */
	union f32_buffer slowed;
	/* separation: u8 [L], bit c = closed face of component c that has let go */
	union u8_buffer opened;

	/* One allocation used by one stage after the other (docs/memory.md), and its views, which
	 * scratch_plan() places; the solver has more of them. */
	union u8_buffer scratch;
	size_t scratch_bytes;
	union i32_buffer sum_w;	       /* P2G: [D][L] */
	union i64_buffer sum_wv;       /* P2G: [D][L] */
	union u32_buffer density;      /* levelset: u32 [L] */
	union f32_buffer phi_raw;      /* levelset: f32 [L], m */
	union u32_buffer nearest[2];   /* levelset, of spheres: u32 [L], particles */
	union f32_buffer vorticity;    /* forces: f32 [1 or 3][L], 1/s, of u* at cell centres */
	union u8_buffer valid_next;    /* during an extrapolation: u8 [L] */
	union f32_buffer delta;	       /* after the solve: f32 [D][L], m/s, u_new - u_old */
	union f32_buffer u_old;	       /* after the solve, with solids: f32 [D][L], m/s */
	union f32_buffer slip;	       /* after the solve: f32 [D][L], m/s, at closed faces */
	union f32_buffer displacement; /* drift, after its solve: f32 [D][L], m */
	union u8_buffer drift_valid;   /* drift, after its solve: u8 [L] */

	union u64_buffer hashes; /* u64 [SIM_HASH_ITEMS] */

	/* time */
	int frame, substep; /* last completed */
	double time;	    /* s */
	double dt;	    /* s, of the substep under way */
	f32 dt_f;	    /* dt rounded once, what the device gets */
	double u_max;	    /* m/s, over particles and grid */
	double grid_speed;  /* m/s, largest |u| of the last projection */
	bool frame_ends;    /* this substep reaches the next frame */
	u64 steps;	    /* substeps done, counts retried ones too: salt of the collisions */
	double g[3];	    /* m/s^2, gravity now, in the axes of the box */
	int layers;	    /* of extrapolation after the projection */

	/* what becomes of a substep */
	enum step_failure step_failed;	  /* why this one must be retried */
	bool attempt_open;		  /* a snapshot is there that was not restored yet */
	int halvings;			  /* of its dt so far */
	u32 retries;			  /* substeps taken back, in all */
	u32 interventions[STEP_FAILURES]; /* and by cause */
	struct step_stats stats;	  /* of the last substep */
	struct diagnosis diagnosis;	  /* of one that failed for good */
	struct ledger ledger;
	bool poison; /* hide from a stage what its row does not list (poison.h): debug builds */
	bool watch;  /* look for values that are not finite after every stage: debug builds */
	/* Called after each stage, if set; false ends the substep, which has then failed. */
	bool (*after_stage)(struct sim *sim, size_t stage, void *user);
	void *after_stage_user;

	/* what has been told */
	bool tiny_warned;  /* that a frame takes very many substeps */
	bool limit_warned; /* that a solve stopped above its tolerance */
	/* of the last one that did */
	double limit_residual;
	bool limit_stalled;
	u32 seeds_in_solids; /* liquid seeds dropped because a solid or an earlier liquid held them
			      */
};

#endif
