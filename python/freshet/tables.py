"""The tables of a run: stats.csv, probes.csv, forces.csv."""
import csv

import numpy as np

from .errors import FileError

try:
    import pandas
except ImportError:
    pandas = None


def _column(texts):
    """Whole numbers or float64 if all that is there are numbers (nothing = NaN), otherwise texts."""
    for kind in (np.int64, np.float64):
        try:
            return np.array([kind(text) if kind is np.int64 or text else np.nan for text in texts], kind)
        except (ValueError, OverflowError):
            continue
    return np.array(texts, object)


def read_table(path):
    """A pandas.DataFrame, or without pandas a dictionary {column: array}.  Hashes are texts."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except OSError as error:
        raise FileError(f"cannot read '{path}': {error.strerror}") from error
    # A run that goes on appends whole blocks; what does not end with a line is not there yet.
    width = len(rows[0]) if rows else 0
    rows = [row for row in rows if len(row) == width]
    if not rows:
        raise FileError(f"'{path}' is empty")
    columns = {name: np.array([row[i] for row in rows[1:]], object) if name == "hash"
               else _column([row[i] for row in rows[1:]]) for i, name in enumerate(rows[0])}
    return pandas.DataFrame(columns) if pandas else columns
