/* One thread at a time may be in the HDF5 library: not every build of it can be shared. */
#ifndef FRESHET_HDF5_LOCK_H
#define FRESHET_HDF5_LOCK_H

void hdf5_lock(void);
void hdf5_unlock(void);

#endif
