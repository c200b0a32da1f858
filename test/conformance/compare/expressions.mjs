/**
 * node test/conformance/compare/expressions.mjs --base-url REAL --base-url OURS [--token admin-token] [--seed 1] [--count 1000]
 *
 * Creates definitions whose rules are random CEL expressions on two servers, and objects of them. Compares errors of compilation, values, by the
 * messages of the rules, and errors of evaluation.
 */
import { closeConnections, send, untilServed } from './http.mjs';
import { readOptions } from './options.mjs';
import { createExpressions } from './random-expressions.mjs';

const options = readOptions('expressions.mjs', { count: '1000' });
const { servers, random, token } = options;
const nextRule = createExpressions(random);
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const rulesPerDefinition = 25;

const specs = [
  { i: 3, s: 'abc', b: true, d: 2.5, li: [1, 2, 3], ls: ['a', 'b'], m: { a: 1, b: 2 }, dur: '1h0m0s', ts: '2024-05-06T07:08:09Z' },
  { i: 0, s: 'a,b', b: false, d: 3, li: [0], ls: ['héllo'], m: {}, dur: '90s', ts: '2000-02-29T23:59:59.5Z' },
];
/** With limits, so that the estimated costs of most expressions are within the budget. */
const properties = {
  i: { type: 'integer' },
  s: { type: 'string', maxLength: 20 },
  b: { type: 'boolean' },
  d: { type: 'number' },
  li: { type: 'array', maxItems: 5, items: { type: 'integer' } },
  ls: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
  m: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
  dur: { type: 'string', format: 'duration', maxLength: 20 },
  ts: { type: 'string', format: 'date-time', maxLength: 40 },
  absent: { type: 'integer' },
};

function definition(name, rules) {
  const kind = name.toUpperCase();
  const spec = { type: 'object', required: Object.keys(specs[0]), properties, 'x-kubernetes-validations': rules };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.compared.example.com` },
    spec: {
      group: 'compared.example.com',
      scope: 'Cluster',
      names: { plural: `${name}s`, singular: name, kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const onBoth = (message) => Promise.all(servers.map((server) => send(server, token, message)));
let [compared, different] = [0, 0];

function compare(what, real, ours) {
  compared++;
  if (real === ours) return;
  different++;
  console.log(`${what}\n  real: ${real}\n  ours: ${ours}`);
}

/** Messages by the index of the rule. Which of equally expensive rules are reported for the total cost is arbitrary. */
function errorsByRule({ body }) {
  const byRule = new Map();
  for (const { field, message } of body.details?.causes ?? []) {
    const [, index, member] = /validations\[(\d+)\](.*)/.exec(field) ?? [];
    if (index === undefined || message.includes('contributed to estimated rule cost total')) continue;
    byRule.set(Number(index), [...(byRule.get(Number(index)) ?? []), `${member}: ${message}`].sort());
  }
  return byRule;
}

/** The rules that both servers compile. */
async function compile(name, rules) {
  const answers = await onBoth({ method: 'POST', target: `${definitions}?dryRun=All`, body: definition(name, rules) });
  const [real, ours] = answers.map(errorsByRule);
  for (const [index, { rule, messageExpression }] of rules.entries())
    compare(`${rule} MESSAGE ${messageExpression}`, `${real.get(index) ?? 'compiles'}`, `${ours.get(index) ?? 'compiles'}`);
  return rules.filter((_, index) => !real.has(index) && !ours.has(index));
}

function createObject(name, spec) {
  const body = { apiVersion: 'compared.example.com/v1', kind: name.toUpperCase(), metadata: { name: 'a' }, spec };
  return onBoth({ method: 'POST', target: `/apis/compared.example.com/v1/${name}s?dryRun=All`, body });
}

async function compareDefinition(name) {
  const rules = await compile(name, Array.from({ length: rulesPerDefinition }, nextRule));
  const created = await onBoth({ method: 'POST', target: definitions, body: definition(name, rules) });
  compare(`${name} is created`, ...created.map(({ status }) => status));
  if (created.some(({ status }) => status !== 201)) return;
  for (const server of servers) await untilServed(server, token, `/apis/compared.example.com/v1/${name}s`);
  for (const spec of specs) {
    const [real, ours] = (await createObject(name, spec)).map(({ body }) => (body.details?.causes ?? []).map(({ message }) => message));
    for (const index of rules.keys()) compare(`${rules[index].messageExpression} of ${JSON.stringify(spec)}`, real[index], ours[index]);
  }
  await onBoth({ method: 'DELETE', target: `${definitions}/${name}s.compared.example.com` });
}

for (let count = 0; count < Number(options.count); count += rulesPerDefinition) await compareDefinition(`e${options.seed}x${count}`);
console.log(`${compared - different} equal, ${different} different`);
closeConnections();
