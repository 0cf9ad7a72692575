"""The checkpoint reader: what it reads, and what it says of damaged or foreign files."""

import importlib.metadata
import shutil
from pathlib import Path

import numpy as np
import pytest

from pathmax.errors import DataFileError
from pathmax.experiments.emulation.checkpoint import crc32c, read_tensors

NAME = "model/sequential/dense_local_reparameterization/kernel_posterior_loc"
MODEL = "olympus/emulators/emulator_fullerenes_BayesNeuralNet/Model/model.ckpt"


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """A copy that may be damaged."""
    prefix = Path(str(importlib.metadata.distribution("olymp").locate_file(MODEL)))
    for ending in (".index", ".data-00000-of-00001"):
        shutil.copy(f"{prefix}{ending}", tmp_path / f"model.ckpt{ending}")
    return tmp_path / "model.ckpt"


def test_the_checksum_is_castagnolis():
    assert crc32c(b"123456789") == 0xE3069283  # the check value of every catalogue of CRCs
    assert crc32c(bytes(32)) == 0x8A9136AA  # RFC 3720, B.4


def test_tensors_have_their_shape(checkpoint):
    tensor = read_tensors(checkpoint, [NAME])[NAME]
    assert tensor.shape == (3, 36) and tensor.dtype == np.float32
    assert np.all(np.isfinite(tensor))


def test_an_unknown_name_lists_the_known_ones(checkpoint):
    with pytest.raises(DataFileError, match=r"expected a tensor named nothing, found .*bias"):
        read_tensors(checkpoint, ["nothing"])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataFileError, match=r"absent\.index: cannot be read"):
        read_tensors(tmp_path / "absent", [NAME])


@pytest.mark.parametrize("content", [b"", b"not a table", bytes(200), b"\x57\xfb" * 100])
def test_another_file_is_refused(checkpoint, content):
    Path(f"{checkpoint}.index").write_bytes(content)
    with pytest.raises(DataFileError, match=r"model\.ckpt\.index: expected a checkpoint index"):
        read_tensors(checkpoint, [NAME])


def test_every_damaged_byte_of_the_index_is_noticed(checkpoint):
    """Flip each byte in turn: an error that names the file, or the same numbers, never others."""
    index = Path(f"{checkpoint}.index")
    whole = index.read_bytes()
    true = read_tensors(checkpoint, [NAME])[NAME]
    refused = 0
    for position in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[position] ^= 0x20
        index.write_bytes(damaged)
        try:
            np.testing.assert_array_equal(read_tensors(checkpoint, [NAME])[NAME], true)
        except DataFileError as error:
            assert str(index) in str(error)
            refused += 1
    assert refused > 0.8 * len(whole) / 7  # the rest is padding and the unused meta index


def test_a_damaged_tensor_is_noticed(checkpoint):
    data = Path(f"{checkpoint}.data-00000-of-00001")
    content = bytearray(data.read_bytes())
    for position in range(0, len(content), 64):
        content[position] ^= 1
    data.write_bytes(content)
    with pytest.raises(DataFileError, match="checksum of model/sequential"):
        read_tensors(checkpoint, [NAME])


def test_a_cut_off_file_is_noticed(checkpoint):
    data = Path(f"{checkpoint}.data-00000-of-00001")
    data.write_bytes(data.read_bytes()[:100])
    with pytest.raises(DataFileError, match=r"ends at byte 100.*cut short"):
        read_tensors(checkpoint, [NAME])
