"""What can go wrong with a store, by what its caller should do.

    StoreError              any of these; its text is one line that says what to do
    ├── StoreUnusable       it cannot be opened, or has failed: an operator must act
    │   ├── StoreInUse      another process has it open
    │   └── StoreTooNew     a newer version of Oddtrick wrote it: nothing in it was touched
    ├── StoreCorrupt        a record in it is damaged
    ├── StoreWriteFailed    this write failed or its outcome is unknown: make the same call again
    ├── StoreBusy           more is waiting than the store may hold: shed load, call again later
    ├── StoreClosed         it was closed
    └── HeldElsewhere       the table has another owner whose lease has not run out

That a log's append did not fit is no error: it is an `AppendResult`.
"""


class StoreError(Exception):
    """A store cannot do what was asked; the text is one line for an operator."""


class StoreUnusable(StoreError):
    """The store cannot be opened, or has failed for good."""


class StoreInUse(StoreUnusable):
    """Another process has the store open."""


class StoreTooNew(StoreUnusable):
    """A newer version of Oddtrick wrote this; it was left as it is."""


class StoreCorrupt(StoreError):
    """A stored record is not what was written."""


class StoreWriteFailed(StoreError):
    """A write failed, or whether it took place is unknown; the same call may be made again."""


class StoreBusy(StoreError):
    """Too much waits to be written already; nothing was done."""


class StoreClosed(StoreError):
    """The store was closed before this call."""


class HeldElsewhere(StoreError):
    """Another owner holds the table."""

    def __init__(self, table_id: str, owner: str) -> None:
        super().__init__(f"table {table_id} is held by {owner}")
        self.table_id = table_id
        self.owner = owner
