// The Inspector's command line. `mcpdo` keeps a connection and is answered question by question; it has no model, so
// that tools which ask one are refused, and say why. The one-shot `inspector --cli` answers no questions at all.
//
//     node converse.mjs TARGET ...
//
// A target is a URL, or the path of the server binary `clients`, which is then started with `stdio`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const answers = { start: '2026-12-01', nights: 3, confirm: true, ok: true };
const accept = (schema) => Object.keys(schema.properties).map((name) => `${name}:=${JSON.stringify(answers[name])}`);

/** Runs a command; the JSON that it prints, also where it fails. */
function run(command, args) {
    let output;
    try {
        output = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
        output = error.stdout || error.stderr;
    }
    return JSON.parse(output.slice(output.indexOf('{')));
}

const mcpdo = (...args) => run('mcpdo', ['--format', 'json', ...args]);

/** Answers one question after the other, until there is a result. */
function converse(connection, args, respond = accept) {
    let reply = mcpdo('--connection', connection, ...args);
    let asked = 0;
    while (reply.elicitationPending) {
        const { elicitationId, requestedSchema } = reply.elicitationPending;
        asked += 1;
        reply = mcpdo('elicitation/respond', elicitationId, ...respond(requestedSchema));
    }
    return { reply, asked };
}

function check(connection, what, name, args, expected, respond) {
    const { reply, asked } = converse(connection, ['tools/call', name, ...args], respond);
    assert.equal(reply.content?.[0]?.text, expected, `${what}: ${JSON.stringify(reply)}`);
    console.log(`  ${what}: ${asked} questions, ${expected}`);
}

function checkAll(target) {
    const way = target.startsWith('http') ? 'HTTP' : 'standard input and output';
    console.log(`inspector on 2026-07-28 at ${way}`);
    const where = target.startsWith('http') ? [target] : ['--', target, 'stdio'];
    const { name: connection, protocolEra } = mcpdo('connect', '--era', 'modern', ...where);
    assert.equal(protocolEra, 'modern');
    check(connection, 'nine rounds', 'rounds', ['n:=9'], '9 rounds, 9 agreed');
    check(connection, 'a join', 'forms', [], '2026-12-01 x3, true, true');
    check(connection, 'a decline', 'rounds', ['n:=3'], 'the question was declined', () => ['--decline']);
    check(connection, 'a cancel', 'rounds', ['n:=3'], 'the question was cancelled', () => ['--cancel']);
    const { reply: ticket } = converse(connection, ['resources/read', 'trip://7/ticket']);
    assert.equal(ticket.contents?.[0]?.text, 'ticket of trip 7, confirmed: true', JSON.stringify(ticket));
    const { reply: refused } = converse(connection, ['tools/call', 'book_trip', 'city:=Bern', 'budget:=900']);
    assert.match(refused.error?.message ?? '', /sampling capability/, JSON.stringify(refused));
    console.log('  a resource that asks; a tool that asks a model is refused');
    mcpdo('disconnect', connection);
}

// A daemon of our own, whose address the environment has.
for (const line of execFileSync('mcpdo', ['private'], { encoding: 'utf8' }).split('\n')) {
    const [, name, value] = /^export (\w+)=['"]?([^'"]*)['"]?;?$/.exec(line.trim()) ?? [];
    if (name) process.env[name] = value;
}
try {
    process.argv.slice(2).forEach(checkAll);
} finally {
    mcpdo('daemon', 'stop');
}

const [http] = process.argv.slice(2).filter((target) => target.startsWith('http'));
const cli = (...args) => run('mcp-inspector', ['--cli', http, '--protocol-era', 'modern', '--format', 'json', ...args]);
const { result } = cli('--method', 'tools/list', '--strict');
assert.deepEqual(result.tools.map(({ name }) => name), ['book_trip', 'forms', 'rounds', 'trio', 'weather']);
const once = cli('--method', 'tools/call', '--tool-name', 'rounds', '--tool-arg', 'n=1');
assert.match(once.error?.message ?? '', /elicitation capability/, JSON.stringify(once));
console.log('  one-shot: the tools are portable; one that asks is refused');
