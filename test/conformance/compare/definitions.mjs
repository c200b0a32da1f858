/**
 * node test/conformance/compare/definitions.mjs --base-url REAL --base-url OURS [--token admin-token] [--seed 1] [--rounds 100]
 *
 * Creates the same custom resource definitions with random schemas on two servers, then objects, updates, patches and applied configurations,
 * and prints how the responses differ: those of kube-apiserver, and ours. Both servers need the flags that docs/upgrading.md lists.
 */
import { differences, normalized } from './differences.mjs';
import { closeConnections, send, untilServed } from './http.mjs';
import { readOptions } from './options.mjs';

const options = readOptions('definitions.mjs', { rounds: '100' });
const { servers, random, one } = options;

/** Rounds at the same time. */
const parallel = 4;
const requestsOfRound = 16;
const maybe = (chance, members) => (random(chance) === 0 ? members() : {});
/** Half of the definitions have settings that are often rejected. */
let isValid = false;
const invalid = (chance, members) => (isValid ? {} : maybe(chance, members));

const formats = [
  'date-time',
  'date',
  'email',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
  'byte',
  'duration',
  'cidr',
  'hostname',
  'int32',
  'int64',
  'password',
  'mac',
  'x',
];
const stringValues = [
  '',
  'a',
  'abc',
  'A_b',
  '2020-01-01T00:00:00Z',
  '2020-01-01',
  '1.2.3.4',
  '::1',
  'a@b.c',
  'YQ==',
  '5m',
  '10.0.0.0/8',
  'ü',
  'x'.repeat(12),
  '1',
  '10%',
];
const rules = {
  string: [
    'self.size() < 5',
    "self.startsWith('a')",
    "self != 'abc'",
    'self == oldSelf',
    "self.matches('^[a-z]*$')",
    'self > 1',
    'self.size(',
    'isURL(self)',
  ],
  integer: ['self < 10', 'self % 2 == 0', 'self >= oldSelf', 'self != 3', '1 / self > 0', "self == 'a'"],
  number: ['self < 10.5', 'self > 0.0'],
  boolean: ['self', '!self || true', 'self == oldSelf'],
  array: ['self.size() < 3', 'self.all(x, x != self[0])', 'self.exists_one(x, true)', 'self == oldSelf', 'self[5] == self[0]'],
  object: [
    'has(self.a)',
    '!has(self.b) || has(self.a)',
    'self.a == self.b',
    "has(self.a) && self.a != ''",
    'self.size() < 2',
    'true',
    'self.missing == 1',
    'oldSelf == self',
  ],
};

function validations(type) {
  return maybe(6, () => ({
    'x-kubernetes-validations': Array.from({ length: 1 + random(2) }, () => ({
      rule: isValid ? rules[type][random(3)] : one(rules[type]),
      ...maybe(2, () => ({ message: one(isValid ? ['it is wrong'] : ['', 'a\nb']) })),
      ...invalid(5, () => ({ messageExpression: one(["'got ' + string(self)", '1', 'self']) })),
      ...maybe(5, () => ({
        reason: one(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate', ...(isValid ? [] : ['X'])]),
      })),
      ...invalid(6, () => ({ fieldPath: one(['.a', '.b', '.missing', 'a', '.a.b']) })),
      ...maybe(8, () => ({ optionalOldSelf: one([true, false]) })),
    })),
  }));
}

const common = (type) => ({
  ...maybe(8, () => ({ description: 'text' })),
  ...maybe(8, () => ({ nullable: true })),
  ...invalid(20, () => ({ [one(['uniqueItems', 'x-kubernetes-embedded-resource', 'deprecated', 'readOnly'])]: true })),
  ...validations(type),
});

function schemaOf(depth) {
  const draw = random(depth > 0 ? 12 : 7);
  if (draw < 3) {
    return {
      type: 'string',
      ...maybe(4, () => ({ format: one(formats) })),
      ...maybe(6, () => ({ pattern: one(isValid ? ['^[a-z]+$', '^\\d'] : ['(', '^a(?!b)']) })),
      ...maybe(6, () => ({ minLength: random(3) })),
      ...maybe(3, () => ({ maxLength: random(12) })),
      ...maybe(8, () => ({ enum: [one(stringValues), one(stringValues)] })),
      ...invalid(4, () => ({ default: one([...stringValues, 1, null]) })),
      ...common('string'),
    };
  }
  if (draw < 5) {
    return {
      type: one(['integer', 'integer', 'number']),
      ...maybe(8, () => ({ format: one(['int32', 'int64', 'float', 'double']) })),
      ...maybe(5, () => ({ minimum: random(5) - 1, ...maybe(4, () => ({ exclusiveMinimum: true })) })),
      ...maybe(5, () => ({ maximum: random(20), ...maybe(4, () => ({ exclusiveMaximum: true })) })),
      ...maybe(8, () => ({ multipleOf: one(isValid ? [2, 3] : [0.5, 0]) })),
      ...invalid(4, () => ({ default: one([0, 1, 4, 2.5, 'a', null]) })),
      ...common('integer'),
    };
  }
  if (draw === 5)
    return { type: 'boolean', ...maybe(4, () => ({ default: one(isValid ? [true, false] : [true, 'x']) })), ...common('boolean') };
  if (draw === 6)
    return {
      'x-kubernetes-int-or-string': true,
      ...maybe(3, () => ({ anyOf: [{ type: 'integer' }, { type: 'string' }] })),
      ...maybe(5, () => ({ pattern: '^[0-9]+%$' })),
    };
  if (draw < 10) return objectSchema(depth);
  return arraySchema(depth);
}

function objectSchema(depth) {
  const draw = random(8);
  if (draw === 0)
    return {
      type: 'object',
      additionalProperties: one([schemaOf(depth - 1), true, false]),
      ...maybe(4, () => ({ maxProperties: 2 })),
      ...common('object'),
    };
  if (draw === 1)
    return {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      ...maybe(2, () => ({ properties: { a: schemaOf(depth - 1) } })),
    };
  const names = ['a', 'b', 'c', 'd'].slice(0, 1 + random(4));
  const properties = Object.fromEntries(names.map((name) => [name, schemaOf(depth - 1)]));
  return {
    type: 'object',
    properties,
    ...maybe(3, () => ({ required: [one(['a', 'b', 'c', 'e'])] })),
    ...invalid(4, () => ({ default: one([{}, { a: 'x' }, { b: 1 }]) })),
    ...maybe(10, () => ({ [one(['oneOf', 'anyOf', 'allOf'])]: [{ required: ['a'] }, { required: ['b'] }] })),
    ...maybe(12, () => ({ not: { required: [one(['a', 'b'])] } })),
    ...invalid(8, () => ({ anyOf: [{ properties: { a: { [one(['minLength', 'minimum'])]: 2 } } }] })),
    ...maybe(8, () => ({ 'x-kubernetes-map-type': one(['atomic', 'granular', ...(isValid ? [] : ['x'])]) })),
    ...maybe(10, () => ({ minProperties: 1 })),
    ...common('object'),
  };
}

function arraySchema(depth) {
  const draw = random(4);
  const items = draw === 0 && isValid ? keyedItem(depth - 1) : random(2) === 0 ? objectSchema(depth - 1) : schemaOf(depth - 1);
  const listType =
    draw === 0
      ? { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': isValid ? ['a'] : one([['a'], ['a', 'b'], [], ['z']]) }
      : draw === 1
        ? { 'x-kubernetes-list-type': one(isValid ? ['atomic'] : ['set', 'atomic', 'x']) }
        : {};
  if (draw === 0 && items.properties) items.required = ['a'];
  return {
    type: 'array',
    ...(!isValid && random(15) === 0 ? {} : { items }),
    ...maybe(3, () => ({ maxItems: random(4) })),
    ...invalid(6, () => ({ minItems: 1 })),
    ...maybe(6, () => ({ default: isValid ? [] : one([[1], ['a'], [{ a: 'x' }]]) })),
    ...(isValid ? { maxItems: 3 } : {}),
    ...listType,
    ...common('array'),
  };
}

/** An item of a list of the type map. */
const keyedItem = (depth) => ({
  type: 'object',
  properties: { a: { type: one(['string', 'string', 'integer']) }, b: schemaOf(depth), c: schemaOf(depth) },
});

/** A value that often fits the schema. */
function valueFor(schema, depth = 0) {
  if (random(14) === 0) return one(['', 'x', 0, 1.5, null, [], {}, true, { a: 'b' }, ['a', 'a']]);
  if (schema === undefined || typeof schema !== 'object' || depth > 5) return one(['a', 1, { x: 1 }]);
  if (schema.enum && random(3) > 0) return one(schema.enum);
  switch (schema.type) {
    case 'string':
      return one(stringValues);
    case 'integer':
      return random(14) - 1;
    case 'number':
      return one([0, 1, 2.5, -1, 11, 1e3]);
    case 'boolean':
      return one([true, false]);
    case 'array':
      return Array.from({ length: random(4) }, () => valueFor(schema.items, depth + 1));
    case 'object':
      return objectFor(schema, depth);
    default:
      return one([1, 'a', '10%', 5]);
  }
}

function objectFor({ properties = {}, required, additionalProperties }, depth) {
  const value = {};
  for (const [name, member] of Object.entries(properties))
    if (random(3) > 0 || required?.includes(name)) value[name] = valueFor(member, depth + 1);
  if (random(10) === 0) value.unknown = one([1, 'a', { b: 1 }]);
  if (additionalProperties) for (const name of ['k', 'l']) if (random(2) === 0) value[name] = valueFor(additionalProperties, depth + 1);
  return value;
}

function definitionOf(prefix) {
  isValid = random(4) > 0;
  const spec = objectSchema(3);
  const schema = {
    type: 'object',
    properties: {
      spec,
      ...maybe(2, () => ({ status: { type: 'object', properties: { ready: { type: 'integer' }, text: { type: 'string' } } } })),
      ...invalid(6, () => ({
        metadata: one([
          { type: 'object', properties: { name: { maxLength: 5 } } },
          { type: 'object' },
          { type: 'object', properties: { labels: { type: 'object' } } },
        ]),
      })),
    },
    ...maybe(8, () => ({ required: ['spec'] })),
    ...invalid(4, () => ({
      'x-kubernetes-validations': [
        { rule: one(["self.metadata.name != 'b'", 'has(self.spec)', 'self.spec.a == self.spec.a', "self.kind == 'X'"]) },
      ],
    })),
  };
  const columns = [
    {
      name: 'A',
      type: one(['string', 'integer', 'boolean', 'date', 'number', ...(isValid ? [] : ['x'])]),
      jsonPath: one([
        '.spec.a',
        '.spec.b',
        '.spec',
        '.spec.c[0]',
        '.spec.c[*].a',
        '.status.ready',
        ...(isValid ? [] : ['spec.a', '.spec[']),
        '.metadata.creationTimestamp',
      ]),
      ...maybe(4, () => ({ format: one(['int32', 'date', ...(isValid ? [] : ['x'])]) })),
      ...maybe(4, () => ({ priority: 1 })),
    },
  ];
  const version = (name, storage) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: schema },
    subresources: {
      status: {},
      ...maybe(4, () => ({
        scale: {
          specReplicasPath: one(['.spec.a', '.spec.b', ...(isValid ? [] : ['spec.a', '.a.b'])]),
          statusReplicasPath: '.status.ready',
          ...maybe(2, () => ({ labelSelectorPath: '.status.text' })),
        },
      })),
    },
    additionalPrinterColumns: columns,
    ...invalid(4, () => ({ selectableFields: [{ jsonPath: one(['.spec.a', '.spec.b', '.spec.missing']) }] })),
    ...maybe(12, () => ({ deprecated: true, ...maybe(2, () => ({ deprecationWarning: 'old' })) })),
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${prefix}.example.com` },
    spec: {
      group: `${prefix}.example.com`,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [version('v1', true), ...(random(4) === 0 ? [version('v2', false)] : [])],
    },
  };
}

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

function requestOf(path, apiVersion, schema) {
  const name = one(['a', 'b']);
  const object = () => ({
    apiVersion,
    kind: 'Thing',
    metadata: { name },
    spec: valueFor(schema.properties.spec),
    ...maybe(6, () => ({ status: { ready: random(3) } })),
  });
  const validation = one(['', '', '?fieldValidation=Strict', '?fieldValidation=Warn', '?fieldValidation=Ignore']);
  const merge = { type: 'application/merge-patch+json' };
  const item = `${path}/${name}`;
  const draw = random(14);
  if (draw < 4) return { method: 'POST', target: `${path}${validation}`, body: object() };
  if (draw < 6) return { method: 'PATCH', target: `${item}${validation}`, ...merge, body: { spec: valueFor(schema.properties.spec) } };
  if (draw === 6)
    return {
      method: 'PATCH',
      target: `${item}/status`,
      ...merge,
      body: { status: { ready: one([random(4), 'x']), text: one(['a=b', 'x', 1]) }, spec: valueFor(schema.properties.spec) },
    };
  if (draw < 10)
    return {
      method: 'PATCH',
      target: `${item}?fieldManager=${one(['m1', 'm2'])}${one(['', '&force=true'])}${validation.replace('?', '&')}`,
      type: 'application/apply-patch+yaml',
      body: object(),
    };
  if (draw === 10)
    return {
      method: 'PATCH',
      target: item,
      type: 'application/json-patch+json',
      body: [
        {
          op: one(['add', 'replace', 'remove', 'test']),
          path: one(['/spec/a', '/spec/b', '/spec', '/spec/c/0']),
          value: one([1, 'a', {}, null]),
        },
      ],
    };
  if (draw === 11)
    return {
      method: 'GET',
      target: one([item, path, `${item}/scale`, `${path}?fieldSelector=spec.a%3Da`]),
      accept: one([table, table, 'application/json']),
    };
  if (draw === 12) return { method: 'DELETE', target: item };
  return { method: 'PATCH', target: `${item}/scale`, ...merge, body: { spec: { replicas: one([1, 3, -1, 'x']) } } };
}

/** The members of a schema are validated in the order of a map in Go. */
function comparable(answer) {
  const { body, ...rest } = JSON.parse(JSON.stringify(normalized(answer)).replace(/selfType\d+/g, 'selfType'));
  const causes = body?.details?.causes;
  if (!causes) return { ...rest, body };
  const sorted = causes.map((cause) => JSON.stringify(cause)).sort();
  return { ...rest, body: { ...body, message: body.message.slice(0, 60), details: { ...body.details, causes: sorted } } };
}

const found = [];
let next = 0;
let sent = 0;

async function work() {
  while (next < Number(options.rounds)) await runRound(`r${options.seed}x${next++}`);
}

async function runRound(prefix) {
  const definition = definitionOf(prefix);
  const before = [];
  const both = async (message) => {
    const answers = await Promise.all(servers.map((server) => send(server, options.token, message)));
    sent++;
    const differing = differences(...answers.map((answer) => comparable(answer)));
    if (differing.length > 0) found.push({ message, definition, before: [...before], differing });
    before.push(`${answers.map(({ status }) => status)} ${message.method} ${message.target} ${JSON.stringify(message.body)}`);
    return answers;
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const created = await both({ method: 'POST', target: definitions, body: definition });
  if (created.some(({ status }) => status !== 201)) return;
  const group = `${prefix}.example.com`;
  const path = `/apis/${group}/v1/namespaces/default/things`;
  for (const server of servers) await untilServed(server, options.token, path);
  const schema = definition.spec.versions[0].schema.openAPIV3Schema;
  for (let at = 0; at < requestsOfRound; at++) await both(requestOf(path, `${group}/v1`, schema));
  // Which reasons the schema has for not being structural, and whether its names are accepted.
  await both({ method: 'GET', target: `${definitions}/${definition.metadata.name}` });
  for (const server of servers)
    await send(server, options.token, { method: 'DELETE', target: `${definitions}/${definition.metadata.name}` });
}

await Promise.all(Array.from({ length: parallel }, work));
for (const { message, definition, before, differing } of found) {
  const { method, target, body } = message;
  console.log(`${method} ${target}\n  ${JSON.stringify(body) ?? ''}\n  ${differing.slice(0, 4).join('\n  ')}`);
  if (method === 'POST' && target.startsWith('/apis/apiextensions')) continue;
  console.log(`  schema ${JSON.stringify(definition.spec.versions[0].schema.openAPIV3Schema.properties.spec)}`);
  for (const one of before.slice(-6)) console.log(`    after ${one}`);
}
console.log(`${sent - found.length} equal, ${found.length} different`);
process.exitCode = found.length === 0 ? 0 : 1;
closeConnections();
