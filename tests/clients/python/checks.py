"""What every Python client does with the example servers: the same tools, the same answers, the same ends.

A client is a function `connect(target, era, person, max_rounds)`, an async context manager that gives a `Connection`.
"""

import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

MODERN = "2026-07-28"

ANSWERS = {
    "environment": "production",
    "regions": ["eu-west", "us-east"],
    "yes": True,
    "start": "2026-12-01",
    "nights": 3,
    "confirm": True,
    "ok": True,
}
PLAN = "By train."
TRIP = {"city": "Bern", "budget": 900}

# What a person does with a question: an action, or None to fill the form in.
Person = Callable[[str], str | None]


class Connection(Protocol):
    asked: list[str]

    async def call(self, name: str, arguments: dict[str, Any], progress: Callable[[float], None]) -> tuple[str, bool]: ...
    async def structured(self, name: str, arguments: dict[str, Any]) -> Any: ...
    async def prompt(self, name: str, arguments: dict[str, str]) -> str: ...
    async def read(self, uri: str) -> str: ...


Connect = Callable[[str, str, Person, int | None], AbstractAsyncContextManager[Connection]]


def fills_in(_message: str) -> None:
    return None


def content(properties: dict[str, Any]) -> dict[str, Any]:
    return {name: ANSWERS[name] for name in properties}


class Checks:
    def __init__(self, connect: Connect, era: str, target: str) -> None:
        self.connect, self.era, self.target = connect, era, target

    async def call(
        self,
        what: str,
        name: str,
        arguments: dict[str, Any],
        expected: str,
        *,
        fails: bool = False,
        person: Person = fills_in,
        max_rounds: int | None = None,
        progress: Callable[[float], None] = lambda _: None,
    ) -> list[str]:
        async with self.connect(self.target, self.era, person, max_rounds) as connection:
            end = await connection.call(name, arguments, progress)
        assert end == (expected, fails), (what, end)
        print(f"  {what}: {len(connection.asked)} questions, {expected}")
        return connection.asked

    async def deploy(self) -> None:
        asked = await self.call("deploy", "deploy", {"service": "web"}, "web v42 is out")
        assert len(asked) == 5, asked

    async def trips(self) -> None:
        progress: list[float] = []
        booked = f"booked Bern 2026-12-01 x3 for 900: {PLAN}"
        await self.call("book_trip", "book_trip", TRIP, booked, progress=progress.append)
        # In a session one request is told all of it; else each round is a request, and tells its part again.
        assert sorted(set(progress)) == [1, 2, 3], progress
        await self.long()
        if self.era == MODERN:
            await self.structured()
            await self.prompts_and_resources()

    async def long(self) -> None:
        """What the conformance server has too."""
        await self.call("a trip", "book_trip", TRIP, f"booked Bern 2026-12-01 x3 for 900: {PLAN}")
        no = "the question was declined"
        await self.call("a decline", "book_trip", TRIP, no, fails=True, person=lambda _: "decline")
        gone = "the question was cancelled"
        cancel = lambda message: "cancel" if "Book it?" in message else None
        await self.call("a cancel", "book_trip", TRIP, gone, fails=True, person=cancel)
        await self.call("nine rounds", "rounds", {"n": 9}, "9 rounds, 9 agreed")
        asked = await self.call("a join", "trio", {}, f"2026-12-01 x3, true: {PLAN}")
        assert sorted(asked) == ["A line about trains, please.", "All right?", "When?"], asked
        if self.era == MODERN:
            await self.call("thirty rounds", "rounds", {"n": 30}, "30 rounds, 30 agreed", max_rounds=40)

    async def structured(self) -> None:
        async with self.connect(self.target, self.era, fills_in, None) as connection:
            # Over HTTP the client repeats the city in a header, as the tool's schema asks.
            weather = await connection.structured("weather", {"city": "Zürich"})
            assert weather == {"text": "Zürich: sun", "degrees": 21}, weather
        print("  a structured result")

    async def prompts_and_resources(self) -> None:
        async with self.connect(self.target, self.era, fills_in, None) as connection:
            prompt = await connection.prompt("plan_trip", {"city": "Bern"})
            assert prompt == "Plan 3 nights in Bern from 2026-12-01.", prompt
            ticket = await connection.read("trip://7/ticket")
            assert ticket == "ticket of trip 7, confirmed: true", ticket
        print("  a prompt and a resource that ask")


async def run(connect: Connect) -> None:
    """Runs the checks that the command line names: `ERA [deploy|trips|long]=TARGET ..`."""
    era, *targets = sys.argv[1:]
    for target in targets:
        server, _, address = target.partition("=")
        way = "HTTP" if address.startswith("http") else "standard input and output"
        print(f"{server} on {era} at {way}")
        checks = Checks(connect, era, address)
        await {"deploy": checks.deploy, "trips": checks.trips, "long": checks.long}[server]()
