"""What can be wrong with what somebody sent. Bytes that say nothing at all are `packing.Malformed`."""


class Gap(Exception):
    """An entry is not the next one: ask for those from `expected` on."""

    def __init__(self, expected: int, got: int) -> None:
        super().__init__(f"entry {expected} is next, not {got}")
        self.expected = expected
        self.got = got


class Unsaid(Exception):
    """What came as entry `n` is not signed by the host, or has a private part that is not the one it signed:
    nobody has said it, and it proves nothing."""

    def __init__(self, n: int) -> None:
        super().__init__(f"entry {n} is not signed by the host")
        self.n = n


class Mismatch(Exception):
    """Entry `n`, which the host has signed, contradicts what came before it. `code` says how (see `messages`),
    `details` where and who; nothing hidden is in them."""

    def __init__(self, code: str, n: int, **details: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.n = n
        self.details = details

    def __str__(self) -> str:
        parts = "".join(f" {name}={value}" for name, value in self.details.items())
        return f"entry {self.n}: {self.code}{parts}"


class Unacceptable(Exception):
    """The host cannot take what a seat sent. `code` says why: `signature`, `stale`, `hidden`, `opening`,
    `notation`, `part`, `used`, `substitute`; of a sealed draft `draft_turn`, `draft_form`, `draft_opening`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
