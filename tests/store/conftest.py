"""Every keeper, made ready for one test. A new keeper is a new line here and nothing else."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from oddtrick_server.store.interface import Store
from oddtrick_server.store.opening import open_store


@pytest_asyncio.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store of each kind in turn."""
    spec = {"memory": "memory", "sqlite": f"sqlite:{tmp_path / 'club.db'}"}[request.param]
    opened = open_store(spec)
    yield opened
    await opened.close()
