/*
 * stats.csv, probes.csv and the probes, without a device: the simulation is a fake whose fields the
 * tests fill with functions that interpolation must reproduce.
 */
#include <math.h>

#include "forces_csv.h"
#include "output_support.h"
#include "probes.h"
#include "probes_csv.h"
#include "sim_copies.h"
#include "stats_csv.h"

/* ---- the fake simulation ---------------------------------------------------------------- */

bool clx_read_raw(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		  void *data)
{
	(void)cl;
	if (offset + bytes > buffer->bytes)
		return message_error("read outside %s", buffer->name);
	memcpy(data, (const char *)buffer->mem + offset, bytes);
	return true;
}

const struct method *sim_method(const struct scene *scene)
{
	static const struct stage stages[] = {{.name = "sort"}, {.name = "p2g"}};
	static const struct method method = {.parts = ~0u, .stages = stages, .stage_count = 2};
	(void)scene;
	return &method;
}

#define CELLS 8
#define LATTICE ((CELLS + 1) * (CELLS + 1) * (CELLS + 1))

static struct {
	struct scene scene;
	struct sim sim;
	f32 pressure[LATTICE], phi[LATTICE], u_face[3 * LATTICE];
	uint8_t cell_type[LATTICE], valid[LATTICE];
} fake;

struct subject subject_of(const struct sim *sim)
{
	return (struct subject){
		.scene = sim->scene,
		.lattice = &sim->lattice,
		.particles = &sim->particles,
		.u_face = &sim->u_face,
		.phi = &sim->phi,
		.pressure = &sim->pressure,
		.valid = &sim->valid,
		.cell_type = &sim->cell_type,
	};
}

/* `dim` axes of 8 cells of 1/4 m, all liquid. */
static void fake_start(int dim)
{
	memset(&fake, 0, sizeof(fake));
	int nz = dim == 3 ? CELLS : 1, pz = dim == 3 ? CELLS + 1 : 1;
	int lattice = (CELLS + 1) * (CELLS + 1) * pz;
	fake.scene.dim = fake.sim.lattice.dim = dim;
	fake.scene.h = 0.25;
	for (int axis = 0; axis < dim; axis++) {
		fake.scene.cells[axis] = CELLS;
		fake.scene.size[axis] = CELLS * 0.25;
	}
	fake.sim.scene = &fake.scene;
	fake.sim.lattice.grid = (struct grid){.nx = CELLS,
					      .ny = CELLS,
					      .nz = nz,
					      .px = CELLS + 1,
					      .py = CELLS + 1,
					      .pz = pz,
					      .lattice = lattice,
					      .h = 0.25f};
	size_t points = (size_t)lattice;
	fake.sim.pressure.raw =
		(struct clx_buffer){fake.pressure, points * sizeof(f32), "pressure"};
	fake.sim.phi.raw = (struct clx_buffer){fake.phi, points * sizeof(f32), "phi"};
	fake.sim.u_face.raw =
		(struct clx_buffer){fake.u_face, (size_t)dim * points * sizeof(f32), "u_face"};
	fake.sim.cell_type.raw = (struct clx_buffer){fake.cell_type, points, "cell_type"};
	fake.sim.valid.raw = (struct clx_buffer){fake.valid, points, "valid"};
	memset(fake.cell_type, CELL_LIQUID, sizeof(fake.cell_type));
	memset(fake.valid, 7, sizeof(fake.valid));
}

static int lattice_index(int i, int j, int k)
{
	return (k * (CELLS + 1) + j) * (CELLS + 1) + i;
}

/* A field that multilinear interpolation must reproduce, whatever the point. */
static double linear_field(double x, double y, double z)
{
	return 3.0 - 2.0 * x + 5.0 * y + 0.5 * z;
}

static struct probe_value sample(enum scene_quantity quantity, double x, double y, double z)
{
	struct scene_probe probe = {.quantity = quantity, .point = {x, y, z}};
	struct probe_value value = {0};
	CHECK(probe_sample(subject_of(&fake.sim), &probe, &value));
	return value;
}

/* float fields of magnitude < 16 */
static bool near(double a, double b)
{
	return fabs(a - b) < 1e-5;
}

static void test_stats(void)
{
	/* the contract of the format: names and order */
	static const char header[] =
		"frame,substep,time,dt,particles,liquid_cells,volume,volume_error,kinetic_energy,"
		"potential_energy,momentum_x,momentum_y,momentum_z,max_speed,divergence_before,"
		"divergence_after,pressure_iterations,pressure_residual,components,"
		"singular_components,air_regions,min_ppc,max_ppc,empty_interior,pushed,escaped,"
		"removed,retries,hash,ms_total,ms_sort,ms_p2g,created,imbalances,gravity_work,"
		"kinetic_removed,kinetic_rest,potential_rest,wall_impulse_x,wall_impulse_y,"
		"wall_impulse_z,momentum_removed_x,momentum_removed_y,momentum_removed_z,"
		"momentum_rest_x,momentum_rest_y,momentum_rest_z,drift_swelled,drift_shrunk,kinetic_entered,momentum_entered_x,momentum_entered_y,momentum_entered_z,force_work,force_impulse_x,force_impulse_y,force_impulse_z,drained,solid_work,squeezed,flown_out,"
		"friction_work,friction_impulse_x,friction_impulse_y,friction_impulse_z\n";
	struct step_stats stats = {
		.particles = 9, .frame_end = true, .hash = 0xabc, .ms_total = 1.5};
	struct append_file file;
	CHECK(append_file_open(&file, scratch, "stats.csv"));
	stats_csv_header(&file, NULL);
	stats_csv_row(&file, &fake.scene, &stats);
	stats = (struct step_stats){
		.frame = 1,
		.substep = 2,
		.time = 1.0 / 24.0,
		.dt = 0.0625,
		.particles = 4000000000u,
		.volume_error = -0.5,
		.pressure_iterations = 11,
		.pressure_residual = 1e-6,
		.retries = 14,
		.created = 15,
		.imbalances = 16,
		.flow = {.gravity_work = 17,
			 .kinetic_removed = 18,
			 .kinetic_rest = 19,
			 .potential_rest = 20,
			 .walls = {21, -22, 23},
			 .momentum_removed = {24, 25, 26},
			 .momentum_rest = {27, 28, 29},
			 .swelled = 30,
			 .shrunk = 31,
			 .kinetic_entered = 32,
			 .momentum_entered = {33, 34, 35},
			 .force_work = 36,
			 .force = {37, -38, 39},
			 .solid_work = 41,
			 .squeezed = 42,
			 .friction_work = 43,
			 .friction = {44, 45, -46}},
		.ms_total = 2.00049,
		.ms_stage = {0.25, 1.75},
		.report = {.volume = 0.1,
			   .kinetic_energy = 2,
			   .potential_energy = 3,
			   .momentum = {4, -5, 6},
			   .max_speed = 7,
			   .divergence_before = 8,
			   .divergence_after = 9,
			   .liquid_cells = 1,
			   .components = 2,
			   .singular_components = 3,
			   .air_regions = 4,
			   .min_ppc = 5,
			   .max_ppc = 6,
			   .interior_cells = 8,
			   .interior_empty = 2,
			   .pushed = 11,
			   .escaped = 12,
			   .removed_open = 13,
			   .drained = 40,
			   .flown = 41},
	};
	stats_csv_row(&file, &fake.scene, &stats);
	CHECK(append_file_close(&file));
	const char *text = get(in_scratch("stats.csv"));
	CHECK(strncmp(text, header, strlen(header)) == 0);
	CHECK(strcmp(text + strlen(header),
		     "0,0,0,0,9,0,0,0,0,0,0,0,0,0,,,0,0,0,0,0,0,0,0,0,0,0,0,"
		     "0000000000000abc,1.5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
		     "1,2,0.041666666666666664,0.0625,4000000000,1,0.1,-0.5,2,3,4,-5,6,7,8,9,11,"
		     "1e-06,2,3,4,5,6,0.25,11,12,13,14,,2,0.25,1.75,15,16,17,18,"
		     "19,20,21,-22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,-38,39,40,41,42,41,43,44,45,-46\n") ==
	      0);
}

static void test_pressure_probe(int dim)
{
	fake_start(dim);
	for (int k = 0; k < fake.sim.lattice.grid.nz; k++)
		for (int j = 0; j < CELLS; j++)
			for (int i = 0; i < CELLS; i++)
				fake.pressure[lattice_index(i, j, k)] =
					(f32)linear_field(0.25 * (i + 0.5), 0.25 * (j + 0.5),
							  dim == 3 ? 0.25 * (k + 0.5) : 0.0);
	double z = dim == 3 ? 0.33 : 0.0;
	/* inside, on a sample, and on walls and corners, where it extrapolates */
	const double points[][2] = {{0.7, 1.1}, {0.125, 0.125}, {0.0, 0.9}, {2.0, 2.0}, {1.3, 0.0}};
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		double x = points[i][0], y = points[i][1];
		struct probe_value value = sample(QUANTITY_PRESSURE, x, y, z);
		CHECK(value.known && value.count == 1);
		CHECK(near(value.value[0], linear_field(x, y, z)));
	}
	/* half of the samples in a solid: the mean of the others */
	for (int k = 0; k < fake.sim.lattice.grid.nz; k++)
		for (int j = 0; j < CELLS; j++) {
			fake.cell_type[lattice_index(3, j, k)] = CELL_SOLID;
			fake.pressure[lattice_index(3, j, k)] = 1e9f;
		}
	struct probe_value value = sample(QUANTITY_PRESSURE, 0.75, 1.1, z);
	CHECK(value.known && near(value.value[0], linear_field(0.625, 1.1, z)));
	memset(fake.cell_type, CELL_SOLID, sizeof(fake.cell_type));
	CHECK(!sample(QUANTITY_PRESSURE, 0.75, 1.1, z).known);
}

static void test_velocity_probe(int dim)
{
	fake_start(dim);
	for (int c = 0; c < dim; c++)
		for (int k = 0; k < fake.sim.lattice.grid.nz + (c == 2); k++)
			for (int j = 0; j < CELLS + (c == 1); j++)
				for (int i = 0; i < CELLS + (c == 0); i++) {
					double x = 0.25 * (i + (c == 0 ? 0.0 : 0.5));
					double y = 0.25 * (j + (c == 1 ? 0.0 : 0.5));
					double z = 0.25 * (k + (c == 2 ? 0.0 : 0.5));
					fake.u_face[c * fake.sim.lattice.grid.lattice +
						    lattice_index(i, j, k)] =
						(f32)((c + 1) *
						      linear_field(x, y, dim == 3 ? z : 0.0));
				}
	double z = dim == 3 ? 1.9 : 0.0;
	struct probe_value value = sample(QUANTITY_VELOCITY, 0.6, 1.4, z);
	CHECK(value.known && value.count == 3);
	for (int c = 0; c < 3; c++)
		CHECK(near(value.value[c], c < dim ? (c + 1) * linear_field(0.6, 1.4, z) : 0.0));
	memset(fake.valid, 1, sizeof(fake.valid)); /* no y-face holds a value */
	CHECK(!sample(QUANTITY_VELOCITY, 0.6, 1.4, z).known);
}

/* phi = y - surface(x), exact for a level surface and within it for a plane of slope 1/5. */
static void fill_phi(double level, double slope)
{
	for (int k = 0; k < fake.sim.lattice.grid.nz; k++)
		for (int j = 0; j < CELLS; j++)
			for (int i = 0; i < CELLS; i++)
				fake.phi[lattice_index(i, j, k)] =
					(f32)(0.25 * (j + 0.5) - level - slope * 0.25 * (i + 0.5));
}

static void test_height_probe(int dim)
{
	double z = dim == 3 ? 0.4 : 0.0;
	fake_start(dim);
	const double levels[] = {0.05, 0.125, 0.3, 0.5, 1.234, 1.8};
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		fill_phi(levels[i], 0.0);
		CHECK(near(sample(QUANTITY_HEIGHT, 0.9, 0.0, z).value[0], levels[i]));
	}
	fill_phi(0.8, 0.2);
	CHECK(near(sample(QUANTITY_HEIGHT, 0.9, 0.0, z).value[0], 0.8 + 0.2 * 0.9));
	fill_phi(5.0, 0.0); /* full to the top */
	CHECK(near(sample(QUANTITY_HEIGHT, 0.9, 0.0, z).value[0], 2.0));
	fill_phi(-5.0, 0.0); /* dry */
	CHECK(near(sample(QUANTITY_HEIGHT, 0.9, 0.0, z).value[0], 0.0));
	/* a floor of solid cells below y = 0.5 */
	fill_phi(1.1, 0.0);
	for (int k = 0; k < fake.sim.lattice.grid.nz; k++)
		for (int j = 0; j < 2; j++)
			for (int i = 0; i < CELLS; i++)
				fake.cell_type[lattice_index(i, j, k)] = CELL_SOLID;
	CHECK(near(sample(QUANTITY_HEIGHT, 0.9, 0.0, z).value[0], 1.1));
	/* a drop above does not count */
	for (int k = 0; k < fake.sim.lattice.grid.nz; k++)
		for (int i = 0; i < CELLS; i++)
			fake.phi[lattice_index(i, 7, k)] = -0.1f;
	CHECK(near(sample(QUANTITY_HEIGHT, 0.9, 0.0, z).value[0], 1.1));
}

/* Two full slabs, a thin third one and a removed particle; the front has no place. */
static void test_front_probe(void)
{
	f32 x[] = {0.1f, 0.2f, 0.3f, 0.4f, 0.6f, 1.9f};
	u32 id[] = {0, 1, 2, 3, 4, ID_REMOVED};
	fake_start(2);
	fake.scene.particles_per_cell = 4;
	fake.sim.particles.count = 6;
	fake.sim.particles.now.position.raw = (struct clx_buffer){x, sizeof(x), "position"};
	fake.sim.particles.now.id.raw = (struct clx_buffer){id, sizeof(id), "id"};
	struct scene_probe probe = {.quantity = QUANTITY_FRONT, .depth = 0.125};
	struct probe_value value;
	CHECK(probe_sample(subject_of(&fake.sim), &probe, &value));
	CHECK(value.known && value.count == 1 && near(value.value[0], 0.5));
	CHECK(near(value.farthest, 0.6));
	probe.depth = 0.0625;
	CHECK(probe_sample(subject_of(&fake.sim), &probe, &value) && near(value.value[0], 0.75));
}

static void test_probe_table(void)
{
	fake_start(2);
	fill_phi(0.75, 0.0);
	memset(fake.valid, 0, sizeof(fake.valid));
	char gate[] = "gate", height[] = "h, \"1\"", speed[] = "v";
	struct scene_probe probes[] = {
		{.name = gate, .quantity = QUANTITY_PRESSURE, .point = {1.0, 1.0, 0.0}},
		{.name = height, .quantity = QUANTITY_HEIGHT, .point = {1.0, 0.0, 0.0}},
		{.name = speed, .quantity = QUANTITY_VELOCITY, .point = {1.0, 1.0, 0.0}},
	};
	fake.scene.output.probes = probes;
	fake.scene.output.probe_count = 3;
	struct append_file file;
	CHECK(append_file_open(&file, scratch, "probes.csv"));
	probes_csv_header(&file, &fake.scene);
	CHECK(probes_csv_row(&file, subject_of(&fake.sim), 3, 0.125));
	CHECK(append_file_close(&file));
	/* RFC 4180 quoting; no value for the velocity */
	CHECK(strcmp(get(in_scratch("probes.csv")), "frame,time,gate,\"h, \"\"1\"\"\",v_x,v_y,v_z\n"
						    "3,0.125,0,0.75,,,\n") == 0);
}

static void test_forces_table(void)
{
	fake_start(2);
	char gate[] = "gate", ball[] = "b, \"1\"";
	struct scene_solid solids[] = {{.name = gate}, {.name = ball}};
	/* Over half a second. */
	struct load loads[] = {
		{.impulse = {1, -2, 0}, .turning = {0, 0, 3}, .work = 4},
		{.impulse = {0.5, 0, 0}, .work = -0.25},
	};
	fake.scene.solids = solids;
	fake.scene.solid_count = 2;
	fake.sim.loads.count = 2;
	fake.sim.loads.frame = loads;
	struct append_file file;
	CHECK(append_file_open(&file, scratch, "forces.csv"));
	forces_csv_header(&file, &fake.scene, false);
	forces_csv_row(&file, &fake.sim, 0, 0.0);
	fake.sim.loads.seconds = 0.5;
	forces_csv_row(&file, &fake.sim, 1, 0.5);
	CHECK(append_file_close(&file));
	CHECK(strcmp(get(in_scratch("forces.csv")),
		     "frame,time,gate_force_x,gate_force_y,gate_force_z,gate_torque_x,gate_torque_y,"
		     "gate_torque_z,gate_work,\"b, \"\"1\"\"_force_x\",\"b, \"\"1\"\"_force_y\","
		     "\"b, \"\"1\"\"_force_z\",\"b, \"\"1\"\"_torque_x\",\"b, \"\"1\"\"_torque_y\","
		     "\"b, \"\"1\"\"_torque_z\",\"b, \"\"1\"\"_work\"\n"
		     "0,0,,,,,,,,,,,,,,\n"
		     "1,0.5,2,-4,0,0,0,6,4,1,0,0,0,0,0,-0.25\n") == 0);
}

int main(void)
{
	if (!start_scratch())
		return 1;
	test_stats();
	for (int dim = 2; dim <= 3; dim++) {
		test_pressure_probe(dim);
		test_velocity_probe(dim);
		test_height_probe(dim);
	}
	test_front_probe();
	test_forces_table();
	test_probe_table();
	return end_tests();
}
