/*
 * Contacts of bodies in the time step (host/bodies/contacts.h): impulses of the last substep are in
 * V* already when the pressure is solved for; what then still has to change, by more than a share
 * of g dt, is solved for again (docs/bodies.md).
 */
#ifndef FRESHET_BODY_CONTACTS_H
#define FRESHET_BODY_CONTACTS_H

#include "state.h"

/* Parts of those of bodies.h, for at least one body. */
bool body_contacts_create(struct sim *sim);
void body_contacts_destroy(struct sim *sim);
/* As if nothing had touched. */
void body_contacts_forget(struct sim *sim);

/* At the places of the substep's start. */
bool body_contacts_find(struct sim *sim);
/* bodies.before, which has all but contacts, gets what the last impulses do. */
void body_contacts_warm(struct sim *sim);
/* Corrects velocity[][BODY_VELOCITIES], which the pressure has given; bodies.again: it has to be
 * solved for again, from bodies.before, which is new then. */
void body_contacts_solve(struct sim *sim, double *velocity);
/* bodies.next: out of what they are in. */
void body_contacts_push(struct sim *sim);
/* The substep counts: impulses for the next one, and those of the frame.  False after reporting. */
bool body_contacts_accept(struct sim *sim);

#endif
