// The official TypeScript client. It answers through its own callbacks; what the tools say at the end is checked.
//
//     node converse.mjs ERA [deploy|trips|long]=TARGET ...
//
// ERA is 2026-07-28 (one request per round) or 2025-11-25 (the server sends requests). A target is a URL, or the path
// of a server binary, which is then started with `stdio`.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [era, ...targets] = process.argv.slice(2);
const isModern = era === '2026-07-28';

function transport(target) {
    if (target.startsWith('http')) return new StreamableHTTPClientTransport(new URL(target));
    return new StdioClientTransport({ command: target, args: ['stdio'], stderr: 'ignore' });
}

/** What a person and a model answer; `person` decides for the one, or leaves it to us. */
async function connect(target, person = () => undefined, options = {}) {
    const asked = [];
    const client = new Client(
        { name: 'saga-tests', version: '1' },
        {
            capabilities: { elicitation: {}, sampling: {} },
            versionNegotiation: { mode: isModern ? { pin: era } : 'legacy' },
            ...options,
        },
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params.message);
        return person(params.message) ?? { action: 'accept', content: content(params.requestedSchema.properties) };
    });
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
        asked.push(params.messages[0].content.text);
        return { role: 'assistant', content: { type: 'text', text: 'By train.' }, model: 'a-model', stopReason: 'endTurn' };
    });
    await client.connect(transport(target));
    return { client, asked };
}

function content(properties) {
    const answers = {
        environment: 'production', regions: ['eu-west', 'us-east'], yes: true,
        start: '2026-12-01', nights: 3, confirm: true, ok: true,
    };
    return Object.fromEntries(Object.keys(properties).map((name) => [name, answers[name]]));
}

async function call(target, name, args, { person, options, ...rest } = {}) {
    const { client, asked } = await connect(target, person, options);
    try {
        const result = await client.callTool({ name, arguments: args }, rest);
        return { text: result.content[0].text, isError: result.isError ?? false, asked };
    } finally {
        await client.close();
    }
}

const done = (text) => ({ text, isError: false });
const failed = (text) => ({ text, isError: true });
const trip = { city: 'Bern', budget: 900 };

async function check(what, target, expected, name, args, how) {
    const { asked, ...result } = await call(target, name, args, how);
    assert.deepEqual(result, expected, what);
    console.log(`  ${what}: ${asked.length} questions, ${result.text}`);
    return asked;
}

async function deploy(target) {
    const asked = await check('deploy', target, done('web v42 is out'), 'deploy', { service: 'web' });
    assert.equal(asked.length, 5);
}

async function trips(target) {
    const progress = [];
    const how = { onprogress: ({ progress: done }) => progress.push(done) };
    await check('book_trip', target, done('booked Bern 2026-12-01 x3 for 900: By train.'), 'book_trip', trip, how);
    // In a session the client loses what comes together with the result.
    const told = progress.filter((done, at) => done !== progress[at - 1]);
    assert.deepEqual(told.slice(0, 2), [1, 2]);
    if (isModern) assert.deepEqual(told, [1, 2, 3]);
    await long(target);
    if (!isModern) return;
    await structured(target);
    await promptsAndResources(target);
}

/** What the conformance server has too. */
async function long(target) {
    await check('a trip', target, done('booked Bern 2026-12-01 x3 for 900: By train.'), 'book_trip', trip);
    const decline = () => ({ action: 'decline' });
    await check('a decline', target, failed('the question was declined'), 'book_trip', trip, { person: decline });
    const cancel = (message) => (message.includes('Book it?') ? { action: 'cancel' } : undefined);
    await check('a cancel', target, failed('the question was cancelled'), 'book_trip', trip, { person: cancel });
    await check('nine rounds', target, done('9 rounds, 9 agreed'), 'rounds', { n: 9 });
    const asked = await check('a join', target, done('2026-12-01 x3, true: By train.'), 'trio', {});
    assert.deepEqual([...asked].sort(), ['A line about trains, please.', 'All right?', 'When?']);
    if (!isModern) return;
    await assert.rejects(call(target, 'rounds', { n: 11 }), /round/i);
    const options = { inputRequired: { maxRounds: 40 } };
    await check('thirty rounds', target, done('30 rounds, 30 agreed'), 'rounds', { n: 30 }, { options });
}

/** Over HTTP the client repeats the city in a header, as the tool's schema asks. */
async function structured(target) {
    const { client } = await connect(target);
    const { tools } = await client.listTools();
    const { annotations, title } = tools.find(({ name }) => name === 'weather');
    assert.deepEqual([annotations, title], [{ readOnlyHint: true }, 'Weather']);
    const { structuredContent } = await client.callTool({ name: 'weather', arguments: { city: 'Zürich' } });
    assert.deepEqual(structuredContent, { text: 'Zürich: sun', degrees: 21 });
    await client.close();
    console.log('  a structured result');
}

async function promptsAndResources(target) {
    const { client } = await connect(target);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name), ['plan_trip']);
    const prompt = await client.getPrompt({ name: 'plan_trip', arguments: { city: 'Bern' } });
    assert.equal(prompt.messages[0].content.text, 'Plan 3 nights in Bern from 2026-12-01.');
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['trip://{id}/ticket']);
    const read = await client.readResource({ uri: 'trip://7/ticket' });
    assert.equal(read.contents[0].text, 'ticket of trip 7, confirmed: true');
    await client.close();
    console.log('  a prompt and a resource that ask');
}

for (const target of targets) {
    const [server, ...rest] = target.split('=');
    const address = rest.join('=');
    console.log(`${server} on ${era} at ${address.startsWith('http') ? 'HTTP' : 'standard input and output'}`);
    await { deploy, trips, long }[server](address);
}
