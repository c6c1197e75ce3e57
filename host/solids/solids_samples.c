#include "message.h"
#include "solid_samples.h"
#include "solids.h"

/* Of the samples of the layers that are looked at together, about. */
#define SAMPLES_BYTES ((size_t)64 << 20)

/* Some layers of a box, z apart (3D), y (2D), and where their samples are kept (kernels/solids/
 * solids_room.h). */
struct layers {
	i32 first, last; /* last: the one after them */
	i32 pitch;
};

static i32 last_axis(const struct lattice *lattice, i32 y, i32 z)
{
	return lattice->dim == 2 ? y : z;
}

/* Rows of a layer, with `around` more cells. */
static i32 rows_of(const struct lattice *lattice, const struct lattice_box *box, i32 around)
{
	return lattice->dim == 2 ? 1 : box->ny + around;
}

/* Samples of a layer, with the cells around it, of one number each. */
static size_t layer_of(const struct lattice *lattice, const struct lattice_box *box)
{
	return ((size_t)box->nx + 4) * (size_t)rows_of(lattice, box, 4) * SAMPLES_CELL;
}

static size_t room_of(const struct lattice *lattice, const struct lattice_box *box, i32 numbers)
{
	const size_t layer = layer_of(lattice, box) * (size_t)numbers;
	const size_t all = (size_t)last_axis(lattice, box->ny, box->nz) + 4;
	const size_t fit = SAMPLES_BYTES / (layer * sizeof(uint16_t));
	return layer * (fit < 8 ? 8 : fit < all ? fit : all);
}

size_t solids_samples_room(const struct lattice *lattice)
{
	const struct grid *g = &lattice->grid;
	const struct lattice_box whole = {.nx = g->px, .ny = g->py, .nz = g->pz};
	return room_of(lattice, &whole, 2);
}

static bool is_all(const struct solids *solids, const struct solids_pass *pass,
		   const struct layers *l)
{
	return l->last - l->first == last_axis(solids->lattice, pass->box.ny, pass->box.nz);
}

static bool look(struct solids *solids, const struct solids_pass *pass, const struct layers *l)
{
	struct lattice *lattice = solids->lattice;
	const struct grid g = lattice->grid;
	const i32 layers = l->last - l->first + 4;
	bool done = true;
	for (i32 from = 0, end = 0; done && pass->ops > 0 && from < SAMPLES_CELL; from = end) {
		end = solids_turns(solids, from, SAMPLES_CELL, 2);
		done = LAUNCH(lattice->cl, solids_sample_layers,
			      clx_range3((size_t)pass->box.nx + 4,
					 (size_t)rows_of(lattice, &pass->box, 4), (size_t)layers),
			      .g = &g, SOLIDS_SHAPES(solids, pass), .solid_phi = pass->phi,
			      .split = &solids->split_cells, .first = I32(l->first),
			      .layers = I32(layers), .from = I32(from), .end = I32(end),
			      .pitch = I32(l->pitch), .room = &solids->samples,
			      .scalars = &lattice->scalars);
	}
	return done;
}

static struct clx_range range_of(const struct lattice *lattice, const struct solids_pass *pass,
				 const struct layers *l)
{
	return clx_range3((size_t)pass->box.nx, (size_t)rows_of(lattice, &pass->box, 0),
			  (size_t)(l->last - l->first));
}

static bool sum(struct solids *solids, const struct solids_pass *pass, const struct layers *l)
{
	struct lattice *lattice = solids->lattice;
	const struct grid g = lattice->grid;
	return look(solids, pass, l) &&
	       LAUNCH(lattice->cl, solids_sum_samples, range_of(lattice, pass, l), .g = &g,
		      .box = &pass->box, .op_count = I32(pass->ops), .solid_phi = pass->phi,
		      .first = I32(l->first), .last = I32(l->last), .pitch = I32(l->pitch),
		      .samples = &solids->samples, .weights = &solids->weights,
		      .whole = U32(solids->weight), .volume_open = pass->volume_open,
		      .kernel_open = pass->kernel_open);
}

/* After sum(): samples of all of the box are still there. */
static bool split_kernels(struct solids *solids, const struct solids_pass *pass,
			  const struct layers *l)
{
	struct lattice *lattice = solids->lattice;
	const struct grid g = lattice->grid;
	return (is_all(solids, pass, l) || look(solids, pass, l)) &&
	       LAUNCH(lattice->cl, solids_split_kernels, range_of(lattice, pass, l), .g = &g,
		      .box = &pass->box, .solid_phi = pass->phi, .split = &solids->split_cells,
		      .open_fraction = pass->open_fraction, .volume_open = pass->volume_open,
		      .first = I32(l->first), .last = I32(l->last), .pitch = I32(l->pitch),
		      .samples = &solids->samples, .weights = &solids->weights,
		      .whole = U32(solids->weight), .kernel_open = pass->kernel_open);
}

static bool add_recesses(struct solids *solids, const struct solids_pass *pass)
{
	const struct grid g = solids->lattice->grid;
	return LAUNCH(solids->lattice->cl, solids_add_recesses, SOLIDS_RANGE(pass), .g = &g,
		      SOLIDS_SHAPES(solids, pass), .solid_phi = pass->phi,
		      .references = &solids->references, .volume_open = pass->volume_open,
		      .scalars = &solids->lattice->scalars);
}

static bool each_layers(struct solids *solids, const struct solids_pass *pass, i32 together,
			bool (*visit)(struct solids *, const struct solids_pass *,
				      const struct layers *))
{
	const i32 start = last_axis(solids->lattice, pass->box.j, pass->box.k);
	const i32 end = start + last_axis(solids->lattice, pass->box.ny, pass->box.nz);
	struct layers l = {.pitch = solids->split ? 2 * SAMPLES_CELL : SAMPLES_CELL};
	bool done = true;
	for (l.first = start; done && l.first < end; l.first = l.last) {
		l.last = end - l.first < together ? end : l.first + together;
		done = visit(solids, pass, &l);
	}
	return done;
}

bool solids_sum_rooms(struct solids *solids, const struct solids_pass *pass)
{
	struct lattice *lattice = solids->lattice;
	const struct grid *g = &lattice->grid;
	const size_t room = pass->ops > 0 ? solids_samples_room(lattice) : 1;
	/* Kernels count the samples in 32 bits. */
	if (room > INT32_MAX)
		return message_error("a grid of %d x %d cells across is too large for solids: "
				     "their samples of a few layers are more than 2^31",
				     g->nx, g->ny);
	/* A smaller box has smaller layers, of which at least as many fit. */
	const size_t layer = layer_of(lattice, &pass->box) * (solids->split ? 2 : 1);
	const i32 all = last_axis(lattice, pass->box.ny, pass->box.nz);
	const size_t fit = room / layer;
	const i32 together = pass->ops == 0 || fit >= (size_t)all + 4 ? all : (i32)fit - 4;
	bool done = SOLIDS_BORROW(solids, samples, "samples of cells", room) &&
		    each_layers(solids, pass, together, sum) &&
		    (!solids->split || (add_recesses(solids, pass) &&
					each_layers(solids, pass, together, split_kernels))) &&
		    (solids->moving || clx_wait(lattice->cl));
	SOLIDS_RETURN(solids, samples);
	return done;
}

bool solids_make_weights(struct solids *solids)
{
	const int dim = solids->lattice->dim;
	uint16_t weights[SAMPLES_AROUND(3) * SAMPLES_CELL];
	solids->weight = 0;
	for (int n = 0; n < SAMPLES_AROUND(dim); n++)
		for (int sample = 0; sample < SAMPLES_CELL; sample++) {
			const u32 weight = sample_weight(dim, n, sample);
			weights[n * SAMPLES_CELL + sample] = (uint16_t)weight;
			solids->weight += weight;
		}
	return clx_write(solids->lattice->cl, &solids->weights, 0,
			 (size_t)(SAMPLES_AROUND(dim) * SAMPLES_CELL) * sizeof(uint16_t), weights);
}
