// Goes through a saga, each message in an instance of the module of its own: nothing is left from the one before.
const assert = require("node:assert/strict");
const path = process.argv[2];

function instance() {
  delete require.cache[require.resolve(path)];
  return require(path);
}

const keys = instance().keygen();
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const call = (id, more) =>
  JSON.parse(
    instance().handle(
      keys,
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { _meta: meta, name: "book_trip", arguments: { city: "Rome" }, ...more },
      }),
    ),
  ).result;
const answered = (asked, content) => {
  const [key] = Object.keys(asked.inputRequests);
  return { requestState: asked.requestState, inputResponses: { [key]: { action: "accept", content } } };
};

const dates = call(1, {});
assert.equal(dates.resultType, "input_required");
const sure = call(2, answered(dates, { start: "2026-10-01", nights: 3 }));
assert.equal(sure.resultType, "input_required");
assert.equal(Object.values(sure.inputRequests)[0].params.message, "3 nights from 2026-10-01?");
const booked = call(3, answered(sure, { confirm: true }));
assert.equal(booked.content[0].text, "booked Rome 2026-10-01 x3");
// A state is refused where it was altered.
const forged = JSON.parse(
  instance().handle(
    keys,
    JSON.stringify({
      jsonrpc: "2.0",
      id: 4,
      method: "tools/call",
      params: {
        _meta: meta,
        name: "book_trip",
        arguments: { city: "Paris" },
        ...answered(dates, { start: "2026-10-01", nights: 3 }),
      },
    }),
  ),
);
assert.equal(forged.error.code, -32602);
console.log(`a saga of two questions in Node: 4 instances, "${booked.content[0].text}"; another argument is refused`);
