"""Writes the Parquet files that the table tests read. Needs pyarrow; run in this folder."""

import datetime
import pathlib
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

table = pa.table(
    {
        "integer": pa.array([1, None, -3, 4, 5], pa.int64()),
        "byte": pa.array([0, 255, 7, None, 9], pa.uint8()),
        "huge": pa.array([0, 2**64 - 1, 7, 8, 9], pa.uint64()),
        "double": pa.array([0.1, 2.5, None, -1e300, 5.0], pa.float64()),
        "half": pa.array(np.array([1, -2, 0.5, 65504, 0], np.float16)),
        "text": pa.array(["red", " blue ", None, "NA", "grün"]),
        "category": pa.array(["a", "b", "a", "b", None]).dictionary_encode(),
        "flag": pa.array([True, False, None, True, False]),
        "money": pa.array([Decimal("1.25"), None, Decimal("-3.50"), Decimal("0.00"), Decimal("99.99")], pa.decimal128(9, 2)),
        "day": pa.array([datetime.date(1970, 1, 2), datetime.date(2000, 1, 1), None, datetime.date(1969, 12, 31), datetime.date(1970, 1, 1)]),
        "moment": pa.array([datetime.datetime(1970, 1, 1, 0, 0, 1, 500000)] * 5, pa.timestamp("us")),
    }
)
for compression in ["snappy", "gzip", "lz4", "none", "zstd", "brotli"]:
    pq.write_table(table, f"types_{compression}.parquet", compression=compression, row_group_size=2)
pq.write_table(pa.table({"a": [[1, 2], [3]]}), "nested.parquet")
pq.write_table(pa.table({"a": pa.array([], pa.int64())}), "no_rows.parquet")

# Small files that would take gigabytes: one number, and one long string, in a great many rows.
zeros = np.zeros(200_000_000, np.int8)
zeros = pa.table({"a": zeros, "y": zeros})
pq.write_table(zeros, "many_rows.parquet", compression="gzip", row_group_size=len(zeros), write_batch_size=len(zeros), max_rows_per_page=len(zeros))
strings = pa.DictionaryArray.from_arrays(np.zeros(8_000, np.int32), pa.array(["a" * 1_000_000]))
pq.write_table(pa.table({"a": strings}), "long_strings.parquet", compression="gzip", store_schema=False)
# Strings that share their beginnings, each as long as the page: 16 MB that would be 128 GB.
shared = pa.table({"a": pa.array(["a" * 16_000_000] * 3)})
pq.write_table(shared, "shared_strings.parquet", compression="gzip", use_dictionary=False, column_encoding="DELTA_BYTE_ARRAY")
# A page that is larger than it declares, without the Parquet file around it.
pathlib.Path("million.br").write_bytes(pa.compress(b"a" * 1_000_000, codec="brotli", asbytes=True))
