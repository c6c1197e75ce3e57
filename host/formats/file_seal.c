#include "file_seal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "crc64.h"

static const char signature[] = "\x89HDF\r\n\x1a\n"; /* of HDF5 */

void file_seal(char seal[FILE_SEAL], const void *bytes, size_t length)
{
	memset(seal, 0, FILE_SEAL);
	snprintf(seal, FILE_SEAL, "freshet seal\nbytes %zu\ncrc64 %016" PRIx64 "\n", length,
		 crc64(0, bytes, length));
}

bool file_seal_check(const void *bytes, size_t *length, char reason[FILE_READ_REASON])
{
	static const char title[] = "freshet seal\n";
	const char *end = (const char *)bytes + *length - (*length < FILE_SEAL ? 0 : FILE_SEAL);
	char expected[FILE_SEAL];
	const size_t known = *length < sizeof(signature) - 1 ? *length : sizeof(signature) - 1;
	if (*length == 0)
		return file_reason(reason, "is empty");
	if (memcmp(bytes, signature, known) != 0)
		return file_reason(reason, "is not an HDF5 file, or damaged");
	if (*length < FILE_SEAL || memcmp(end, title, sizeof(title) - 1) != 0)
		return file_reason(reason,
				   "is truncated, or of another program or an earlier version "
				   "of freshet (it does not end in a checksum)");
	file_seal(expected, bytes, *length - FILE_SEAL);
	if (memcmp(end, expected, FILE_SEAL) != 0)
		return file_reason(reason, "is damaged (its checksum is wrong)");
	*length -= FILE_SEAL;
	return true;
}
