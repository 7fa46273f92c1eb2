"""The client of FastMCP. It answers through its own handlers.

    python with_fastmcp.py ERA [deploy|trips|long]=TARGET ..

A target is a URL, or the path of a server binary, which is then started with `stdio`.
"""

import asyncio
from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport

import checks


class Connection:
    def __init__(self, client: Client, asked: list[str]) -> None:
        self.client, self.asked = client, asked

    async def call(self, name, arguments, progress):
        async def tell(done, _total, _message):
            progress(done)

        result = await self.client.call_tool(name, arguments, progress_handler=tell, raise_on_error=False)
        return result.content[0].text, bool(result.is_error)

    async def structured(self, name, arguments):
        await self.client.list_tools()
        return (await self.client.call_tool(name, arguments)).structured_content

    async def prompt(self, name, arguments):
        return (await self.client.get_prompt(name, arguments)).messages[0].content.text

    async def read(self, uri):
        return (await self.client.read_resource(uri))[0].text


@asynccontextmanager
async def connect(target, era, person, max_rounds):
    asked: list[str] = []

    async def elicit(message, _response_type, params, _context):
        asked.append(message)
        action = person(message)
        if action is not None:
            return ElicitResult(action=action)
        return ElicitResult(action="accept", content=checks.content(params.requested_schema["properties"]))

    async def sample(messages, _params, _context):
        asked.append(messages[0].content.text)
        return checks.PLAN

    server = target
    if not target.startswith("http"):
        server = StdioTransport(command=target, args=["stdio"], env={"RUST_LOG": "error"}, keep_alive=False)
    options = {} if max_rounds is None else {"input_required_max_rounds": max_rounds}
    mode = era if era == checks.MODERN else "legacy"
    async with Client(server, mode=mode, elicitation_handler=elicit, sampling_handler=sample, **options) as client:
        yield Connection(client, asked)


asyncio.run(checks.run(connect))
