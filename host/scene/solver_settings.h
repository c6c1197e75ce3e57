/* The scene's key `solver`. */
#ifndef FRESHET_SOLVER_SETTINGS_H
#define FRESHET_SOLVER_SETTINGS_H

#include <stdbool.h>

enum scene_solver {
	SOLVER_MGPCG,
	SOLVER_MULTIGRID,
	SOLVER_CG,
	SOLVER_JACOBI,
	SOLVER_GAUSS_SEIDEL,
	SOLVER_PCG_IC,
};
enum scene_advection { ADVECTION_RK1, ADVECTION_RK2, ADVECTION_RK3, ADVECTION_RK4 };
enum scene_drift {
	DRIFT_POSITION,
	DRIFT_DENSITY,
	DRIFT_NONE,
	DRIFT_PUSH,
	DRIFT_SPRINGS,
};

/* Defaults of several keys at once (docs/results/settings.md). */
enum scene_preset { PRESET_STANDARD, PRESET_DRAFT, PRESET_CAREFUL, PRESETS };

struct solver_settings {
	enum scene_preset preset;
	enum scene_solver pressure;
	double tolerance;
	int max_iterations;
	int sweeps;		/* Nsweep of the thesis: smoothing sweeps before and after */
	int v_cycles;		/* NV, `multigrid` only */
	int full_cycles;	/* NFull, `multigrid` only */
	double over_relaxation; /* gauss-seidel */
	enum scene_advection advection;
	enum scene_drift drift;
	double drift_time;    /* in which an excess of density is worked off, s */
	double push_distance; /* spacings of particles: h / particles_per_cell^(1/D) */
	int push_iterations;
	double density_stiffness;  /* m/s for a particle more than at rest */
	double spring_stiffness;   /* 1/s */
	double collision_distance; /* spacings; 0: particles do not collide */
	bool resample, reposition;
	bool separation;
};

#endif
