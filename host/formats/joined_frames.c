#include "joined_frames.h"

#include <stdlib.h>

void joined_frames_free(struct joined_frames *joined)
{
	free(joined->frame);
	free(joined->particles);
	*joined = (struct joined_frames){0};
}
