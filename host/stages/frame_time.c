#include "frame_time.h"

double frame_time(const struct sim *sim, int frame)
{
	return frame / sim->scene->time.fps;
}

double frame_time_substep(const struct sim *sim)
{
	return sim->frame_ends ? frame_time(sim, sim->frame + 1) : sim->time + sim->dt;
}
