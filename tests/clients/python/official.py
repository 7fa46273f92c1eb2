"""The official Python client, `mcp`. It answers through its own callbacks.

    python official.py ERA [deploy|trips|long]=TARGET ..

A target is a URL, or the path of a server binary, which is then started with `stdio`.
"""

import asyncio
from contextlib import asynccontextmanager

import mcp_types as types
from mcp import StdioServerParameters
from mcp.client.client import Client

import checks


class Connection:
    def __init__(self, client: Client, asked: list[str]) -> None:
        self.client, self.asked = client, asked

    async def call(self, name, arguments, progress):
        async def tell(done, _total, _message):
            progress(done)

        result = await self.client.call_tool(name, arguments, progress_callback=tell)
        return result.content[0].text, bool(result.is_error)

    async def structured(self, name, arguments):
        await self.client.list_tools()
        return (await self.client.call_tool(name, arguments)).structured_content

    async def prompt(self, name, arguments):
        return (await self.client.get_prompt(name, arguments)).messages[0].content.text

    async def read(self, uri):
        return (await self.client.read_resource(uri)).contents[0].text


@asynccontextmanager
async def connect(target, era, person, max_rounds):
    asked: list[str] = []

    async def elicit(_context, params):
        asked.append(params.message)
        action = person(params.message)
        if action is not None:
            return types.ElicitResult(action=action)
        return types.ElicitResult(action="accept", content=checks.content(params.requested_schema["properties"]))

    async def sample(_context, params):
        asked.append(params.messages[0].content.text)
        text = types.TextContent(type="text", text=checks.PLAN)
        return types.CreateMessageResult(role="assistant", content=text, model="a-model", stop_reason="endTurn")

    server = target if target.startswith("http") else StdioServerParameters(command=target, args=["stdio"], env={"RUST_LOG": "error"})
    options = {} if max_rounds is None else {"input_required_max_rounds": max_rounds}
    mode = era if era == checks.MODERN else "legacy"
    async with Client(server, mode=mode, elicitation_callback=elicit, sampling_callback=sample, **options) as client:
        yield Connection(client, asked)


asyncio.run(checks.run(connect))
