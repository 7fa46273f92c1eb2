// Counts the suite's results, and fails on everything that is neither a success nor a remark: also on warnings, which
// the suite lets pass. Scenarios that the revision does not score are left out, and those of the baseline must fail.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const [results, log] = process.argv.slice(2);
const lines = (path) => readFileSync(path, "utf8").split("\n");
const expected = new Map();
if (process.env.BASELINE) {
  for (const line of lines(process.env.BASELINE)) {
    const [scenario, ...reason] = line.split(/\s+/);
    if (scenario && !scenario.startsWith("#")) expected.set(scenario, reason.join(" "));
  }
}
const unscored = new Set();
for (const line of lines(log)) {
  const found = line.match(/^ {2}[✓✗] (\S+) \((extension|pending|added-after-release)\)/);
  if (found) unscored.add(found[1]);
}

let passed = 0;
let scenarios = 0;
const wrong = [];
for (const run of existsSync(results) ? readdirSync(results) : []) {
  const scenario = run.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
  if (unscored.has(scenario)) continue;
  scenarios += 1;
  const checks = JSON.parse(readFileSync(`${results}/${run}/checks.json`, "utf8"));
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  passed += checks.filter(({ status }) => status === "SUCCESS").length;
  if (expected.has(scenario)) {
    if (bad.length === 0) wrong.push(`${scenario}: passes now; take it off the baseline`);
    continue;
  }
  for (const { id, status, errorMessage } of bad) wrong.push(`${scenario}: ${id}: ${status}: ${errorMessage}`);
}
console.log(`${scenarios - expected.size} scenarios, ${passed} checks passed`);
for (const line of wrong) console.log(`  ${line}`);
if (scenarios === 0) console.log(`  nothing ran; see ${log}`);
process.exit(wrong.length > 0 || scenarios === 0 ? 1 : 0);
