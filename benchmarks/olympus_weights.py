"""The weights of the two emulators, out of the wheel `olymp` 0.0.1b0 and into pathmax.

    python -m benchmarks.olympus_weights        needs pip install olymp==0.0.1b0

The wheel (MIT) has them in TensorFlow checkpoints; they are kept in pathmax as
`experiments/emulation/weights/*.npz`, under the same licence, which lies beside them. What follows
reads tensors out of a checkpoint without TensorFlow.

A checkpoint is two files. `<prefix>.index` is a LevelDB table, sorted keys to small records:

    data block | ... | index block | footer (48 bytes: two block handles, padding, magic)
    block   = entries | restart offsets | number of restarts   then   compression byte | crc32c
    entry   = shared | unshared | value length  (varints)      then   rest of the key | value

The index block maps to data blocks, data blocks map a tensor's name to a BundleEntryProto, which
says where in `<prefix>.data-00000-of-00001` its bytes stand. Every block and every tensor carries a
checksum; all those that are read are verified. Nothing in the files is executed.
"""

from __future__ import annotations

import importlib.metadata
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import DataFileError
from pathmax.experiments.emulation import olympus

MAGIC = 0xDB4775248B80FB57
FOOTER = 48
FLOAT32 = 1  # DataType.DT_FLOAT
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5  # protocol buffer wire types


def read_tensors(prefix: Path, names: list[str]) -> dict[str, NDArray[np.float32]]:
    """The float32 tensors of those names in the checkpoint `prefix`, checksums verified."""
    index = Path(f"{prefix}.index")
    entries = {key: _Entry.parse(index, key, value) for key, value in _table(index) if key}
    if missing := [name for name in names if name not in entries]:
        held = ", ".join(sorted(entries)) or "no tensor at all"
        raise DataFileError(f"{index}: expected a tensor named {missing[0]}, found {held}")
    shard = Path(f"{prefix}.data-00000-of-00001")
    data = _bytes(shard)
    return {name: entries[name].tensor(shard, data, name) for name in names}


@dataclass(frozen=True, slots=True)
class _Entry:
    """A BundleEntryProto: where a tensor lies and what it is."""

    dtype: int
    shape: tuple[int, ...]
    offset: int
    size: int
    crc: int

    @staticmethod
    def parse(file: Path, name: str, record: bytes) -> _Entry:
        dtype = offset = size = crc = 0
        shape: tuple[int, ...] = ()
        for field, value in _message(file, record):
            if isinstance(value, bytes):
                if field == 2:
                    shape = tuple(_dimension(file, d) for f, d in _message(file, value) if f == 2)
            elif field == 1:
                dtype = value
            elif field == 3 and value:
                raise DataFileError(f"{file}: {name} lies in shard {value}, expected one shard")
            elif field == 4:
                offset = value
            elif field == 5:
                size = value
            elif field == 6:
                crc = value
        return _Entry(dtype, shape, offset, size, crc)

    def tensor(self, file: Path, data: bytes, name: str) -> NDArray[np.float32]:
        if self.dtype != FLOAT32 or self.size != 4 * math.prod(self.shape):
            raise DataFileError(
                f"{file}: {name} should be float32 of shape {self.shape}, got type {self.dtype} "
                f"in {self.size} bytes"
            )
        raw = data[self.offset : self.offset + self.size]
        if len(raw) < self.size:
            raise DataFileError(
                f"{file}: ends at byte {len(data)}, {name} should go on to byte "
                f"{self.offset + self.size}; the file is cut short, install it again"
            )
        if masked_crc32c(raw) != self.crc:
            raise DataFileError(f"{file}: checksum of {name} is wrong; the file is damaged")
        return np.frombuffer(raw, dtype="<f4").reshape(self.shape)


def _dimension(file: Path, message: int | bytes) -> int:
    """The size in a TensorShapeProto.Dim, which is 0 when it is absent."""
    assert isinstance(message, bytes)
    return next((v for f, v in _message(file, message) if f == 1 and isinstance(v, int)), 0)


def _table(file: Path) -> Iterator[tuple[str, bytes]]:
    """The entries of a LevelDB table in order."""
    data = _bytes(file)
    if len(data) < FOOTER or struct.unpack("<Q", data[-8:])[0] != MAGIC:
        raise DataFileError(
            f"{file}: expected a checkpoint index (a LevelDB table), but the last 8 bytes are not "
            "its mark; the file is damaged or something else"
        )
    footer = data[-FOOTER:]
    position = 0
    for _ in range(2):  # skip the handle of the meta index
        _, position = _varint(file, footer, position)
    handle = footer[position:]
    for _, block_handle in _block(file, data, handle):
        for key, value in _block(file, data, block_handle):
            yield key.decode("utf-8", "replace"), value


def _block(file: Path, data: bytes, handle: bytes) -> Iterator[tuple[bytes, bytes]]:
    start, position = _varint(file, handle, 0)
    size, _ = _varint(file, handle, position)
    block, trailer = data[start : start + size], data[start + size : start + size + 5]
    if len(block) < 4 or len(block) < size or len(trailer) < 5:
        raise DataFileError(f"{file}: a block of {size} bytes at {start} runs past the end")
    if masked_crc32c(block + trailer[:1]) != struct.unpack("<I", trailer[1:])[0]:
        raise DataFileError(f"{file}: checksum of the block at {start} is wrong; it is damaged")
    if trailer[0] != 0:
        raise DataFileError(f"{file}: the block at {start} is compressed, expected plain blocks")
    (restarts,) = struct.unpack("<I", block[-4:])
    end = len(block) - 4 * (restarts + 1)
    key, position = b"", 0
    while position < end:
        shared, position = _varint(file, block, position)
        unshared, position = _varint(file, block, position)
        length, position = _varint(file, block, position)
        key = key[:shared] + block[position : position + unshared]
        position += unshared
        yield key, block[position : position + length]
        position += length


def _message(file: Path, record: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Field numbers and values of a protocol buffer message."""
    position = 0
    while position < len(record):
        tag, position = _varint(file, record, position)
        field, wire = tag >> 3, tag & 7
        if wire == VARINT:
            number, position = _varint(file, record, position)
            yield field, number
        elif wire in (FIXED64, FIXED32):
            width = 8 if wire == FIXED64 else 4
            yield field, int.from_bytes(record[position : position + width], "little")
            position += width
        elif wire == BYTES:
            length, position = _varint(file, record, position)
            yield field, record[position : position + length]
            position += length
        else:
            raise DataFileError(f"{file}: a record has wire type {wire}; the file is damaged")


def _varint(file: Path, data: bytes, position: int) -> tuple[int, int]:
    """A number in base 128, least significant first, and the position after it."""
    number = shift = 0
    while position < len(data) and shift < 64:
        byte = data[position]
        number |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return number, position
    raise DataFileError(f"{file}: a number is cut off; the file is damaged")


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise DataFileError(f"{file}: cannot be read ({error.strerror or error})") from error


def _crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # Castagnoli, reversed
        table.append(byte)
    return tuple(table)


_CRC_TABLE = _crc_table()


def crc32c(data: bytes) -> int:
    """The Castagnoli checksum."""
    crc, table = 0xFFFFFFFF, _CRC_TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def masked_crc32c(data: bytes) -> int:
    """The checksum as LevelDB stores it, so that data with checksums in it can be checked."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


PARTS = {
    "loc": "kernel_posterior_loc",
    "raw_scale": "kernel_posterior_untransformed_scale",
    "bias": "bias_posterior_loc",
}
LAYERS = {"alkox": 4, "fullerenes": 6}
KEPT = Path(olympus.__file__).with_name("weights")


def tensors_of(name: str) -> dict[str, NDArray[np.float32]]:
    """The tensors of an emulator, under the names that they are kept by."""
    inside = f"olympus/emulators/emulator_{name}_BayesNeuralNet/Model/model.ckpt"
    prefix = Path(str(importlib.metadata.distribution("olymp").locate_file(inside)))
    names = {}
    for i in range(LAYERS[name]):
        stem = "model/sequential/dense_local_reparameterization" + (f"_{i}" if i else "")
        names |= {f"{part}_{i}": f"{stem}/{tensor}" for part, tensor in PARTS.items()}
    found = read_tensors(prefix, list(names.values()))
    return {kept: found[tensor] for kept, tensor in names.items()}


def main() -> None:
    for name in LAYERS:
        np.savez_compressed(KEPT / f"{name}.npz", **tensors_of(name))  # type: ignore[arg-type]
        print(KEPT / f"{name}.npz")


if __name__ == "__main__":
    main()
