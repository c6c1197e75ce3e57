"""How different two pictures look: CIELAB colour difference after a slight blur.

Pictures are lists of rows of (r, g, b), 0 to 255.  sRGB to XYZ as in IEC 61966-2-1 (D65), XYZ to L*a*b*
and the difference (Delta E*ab, 1976) as in CIE 15; 2.3 is just noticeable (Mahy et al. 1994).  The
blur (1 2 1 twice along each axis, in linear light) stands for eyes that do not see single pixels.
"""
import struct
import zlib

WHITE = (0.95047, 1.0, 1.08883)
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750),
          (0.0193339, 0.1191920, 0.9503041))


def _paeth(a, b, c):
    p = a + b - c
    near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))
    return near[2]


def read_png(path):
    """8-bit RGB without interlacing, as the PNG specification has it; anything else is an error."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:][:4])[0], path
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, *rest = head
    assert rest == [8, 2, 0, 0, 0], rest
    raw, size = zlib.decompress(packed), 3 * width
    rows, above = [], bytes(size)
    for y in range(height):
        how, line = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for n in range(size):
            left, corner = (line[n - 3], above[n - 3]) if n >= 3 else (0, 0)
            guess = (0, left, above[n], (left + above[n]) // 2, None)[how]
            line[n] = (line[n] + (_paeth(left, above[n], corner) if how == 4 else guess)) & 255
        rows.append([tuple(line[n:n + 3]) for n in range(0, size, 3)])
        above = line
    return rows


LINEAR = [(v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055)**2.4)
          for v in range(256)]


def _blur_rows(rows):
    result = []
    for row in rows:
        wide = [row[0], *row, row[-1]]
        result.append([tuple((a + 2 * b + c) / 4 for a, b, c in zip(*wide[n:n + 3]))
                       for n in range(len(row))])
    return result


def _lab(rgb):
    f = []
    for row, white in zip(TO_XYZ, WHITE):
        t = sum(k * v for k, v in zip(row, rgb)) / white
        f.append(t**(1 / 3) if t > (6 / 29)**3 else t / (3 * (6 / 29)**2) + 4 / 29)
    return (116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]))


def lab_image(rows):
    rows = [[tuple(LINEAR[v] for v in pixel) for pixel in row] for row in rows]
    for _ in range(2):
        for _ in range(2):
            rows = _blur_rows(rows)
        rows = [list(column) for column in zip(*rows)]
    return [[_lab(pixel) for pixel in row] for row in rows]


def difference(one, two):
    """Mean and 99th percentile of Delta E*ab between two pictures of one size, from lab_image()."""
    assert len(one) == len(two) and len(one[0]) == len(two[0]), "sizes differ"
    off = sorted(sum((a - b)**2 for a, b in zip(p, q))**0.5
                 for row, other in zip(one, two) for p, q in zip(row, other))
    return sum(off) / len(off), off[len(off) * 99 // 100]
