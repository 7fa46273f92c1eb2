"""The official Python client against `deploy -- serve`, with the server killed in every round.

The client is told the protocol, 2026-07-28, and answers through its own callbacks. Each callback kills the server
with SIGKILL and starts another one with the same key before it answers: what the tool knows afterwards can only
have come from the token. At the end the effects, which every server wrote to its standard error, are counted.

    python deploy.py PATH_OF_THE_DEPLOY_BINARY
"""

import asyncio
import re
import socket
import subprocess
import sys
import tempfile
import time

import mcp_types as types
from mcp.client.client import Client

ADDRESS = ("127.0.0.1", 0)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(ADDRESS)
        return probe.getsockname()[1]


class Server:
    """One process of the server at a time; the key and the log outlive it."""

    def __init__(self, binary: str) -> None:
        self.binary = binary
        self.port = free_port()
        self.key = subprocess.run([binary, "keygen"], check=True, capture_output=True, text=True).stdout.strip()
        self.log = tempfile.TemporaryFile("w+")
        self.starts = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [self.binary, "serve", "--http", f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(command, env={"SAGA_KEYS": self.key}, stderr=self.log, stdout=self.log)
        self.starts += 1
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        sys.exit("the server did not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def effects(self) -> list[str]:
        self.log.seek(0)
        return re.findall(r"^fleet: (.*)$", self.log.read(), re.MULTILINE)


async def converse(server: Server) -> tuple[str, list[str]]:
    asked: list[str] = []

    def restart(question: str) -> None:
        asked.append(question)
        server.kill()
        server.start()

    async def elicit(_context, params):
        restart(params.message)
        properties = params.requested_schema["properties"]
        if "environment" in properties:
            content = {"environment": "production", "regions": ["eu-west", "us-east", "ap-south"]}
        else:
            content = {"yes": "us-east" not in params.message}
        return types.ElicitResult(action="accept", content=content)

    async def sample(_context, params):
        restart(params.messages[0].content.text)
        text = types.TextContent(type="text", text="No tests ran for two days")
        return types.CreateMessageResult(role="assistant", content=text, model="a-model", stop_reason="endTurn")

    url = f"http://127.0.0.1:{server.port}/mcp"
    async with Client(url, mode="2026-07-28", elicitation_callback=elicit, sampling_callback=sample) as client:
        tools = await client.list_tools()
        assert [tool.name for tool in tools.tools] == ["deploy"], tools
        result = await client.call_tool("deploy", {"service": "web"})
    assert not result.is_error, result
    return result.content[0].text, asked


def main() -> None:
    server = Server(sys.argv[1])
    server.start()
    try:
        text, asked = asyncio.run(converse(server))
    finally:
        server.kill()
    effects = server.effects()
    for question in asked:
        print(f"asked: {question}")
    print(f"result: {text}")
    print(f"effects: {effects}")
    assert text == "web v42 is out", text
    assert effects == ["web v42 in eu-west", "web v42 in ap-south"], effects
    assert len(asked) == 6 and server.starts == 7, (asked, server.starts)
    print(f"{len(asked)} rounds, {server.starts} processes, each effect once")


if __name__ == "__main__":
    main()
