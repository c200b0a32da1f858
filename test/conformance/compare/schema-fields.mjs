/** Adds fields of an object's type with values of their types. The types are those of a server's OpenAPI v2 document. */

const texts = [
  ...[
    'a',
    'b',
    'web',
    'x-1',
    'a.example.com',
    'example.com/a',
    'app',
    '',
    'A_b',
    'a/b',
    '/a',
    '/a/b',
    'http',
    '1',
    '0',
    '1.5',
    '10%',
    '1Gi',
    '100m',
  ],
  ...[
    '5s',
    '10.0.0.1',
    '10.96.0.9',
    '::1',
    '10.0.0.0/8',
    'TCP',
    'UDP',
    'None',
    'Always',
    'Never',
    'True',
    'v1',
    'ConfigMap',
    'node-1',
    'default',
  ],
  ...[
    'kubernetes.io/x',
    'object.metadata.name == "a"',
    'nginx:1.29',
    'kubernetes.io/hostname',
    'Local',
    'Equal',
    'Exists',
    'NoExecute',
    'é',
  ],
];
const integers = [0, 1, 2, 3, 5, 10, 80, 443, 1000, 65_535, 65_536, 70_000, -1, 2 ** 31 - 1];
const quantities = ['1', '0', '100m', '1Gi', '500Mi', '1.5', '-1', '1e3', '0.1m', '1Ki'];
const labels = [{}, { app: 'web' }, { app: 'web', tier: 'x' }, { 'a/b': '' }, { 'a b': 'x' }, { app: 'a b' }];
const times = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000000Z', '2030-12-31T23:59:59+01:00', 'x'];
const depthMax = 5;

/** The types by the path segments of their resources: `core/v1/Pod`. */
export function readTypes({ definitions }) {
  const byKind = new Map();
  for (const [name, definition] of Object.entries(definitions))
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
      byKind.set(`${group}/${version}/${kind}`.replace(/^\//, ''), name);
  return {
    typeOf: ({ apiVersion, kind }) => definitions[byKind.get(`${apiVersion}/${kind}`)],
    resolve: ({ $ref, ...type }) => ($ref === undefined ? type : { ...definitions[$ref.slice('#/definitions/'.length)], ...type, $ref }),
  };
}

/** Sets one to three fields that the object does not have, at any depth; false if its type is unknown. */
export function addFields(object, types, random) {
  const type = types.typeOf(object);
  if (type === undefined) return false;
  for (let count = 1 + random(3); count > 0; count--) addField(object, type, types, random);
  return true;
}

function addField(object, type, types, random) {
  const { properties = {} } = type;
  const names = Object.keys(properties).filter((name) => !['apiVersion', 'kind', 'managedFields', 'uid', 'resourceVersion'].includes(name));
  if (names.length === 0) return;
  // The specification has most of the rules.
  const name = 'spec' in properties && random(3) > 0 ? 'spec' : names[random(names.length)];
  const member = types.resolve(properties[name]);
  const value = object[name];
  const items = member.items && types.resolve(member.items);
  if (Array.isArray(value) && value.length > 0 && items?.properties && random(5) > 0) {
    const item = value[random(value.length)];
    if (item !== null && typeof item === 'object') return addField(item, items, types, random);
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && member.properties && random(8) > 0)
    return addField(value, member, types, random);
  if (Array.isArray(value) && items) value.push(sampleOf(items, name, types, random, 0));
  else object[name] = sampleOf(member, name, types, random, 0);
}

function sampleOf(type, name, types, random, depth) {
  const one = (list) => list[random(list.length)];
  if (random(40) === 0) return one([null, 5, 'x', true, [], {}]);
  if (type.enum && random(8) > 0) return one(type.enum);
  if (type.$ref?.endsWith('.Quantity')) return one(quantities);
  if (type.$ref?.endsWith('.IntOrString')) return one([...integers, '10%', 'http', '101%', '0%']);
  switch (type.type) {
    case 'string':
      return textOf(type.format, name, one);
    case 'boolean':
      return one([true, false]);
    case 'integer':
    case 'number':
      return one(integers);
    case 'array': {
      const items = types.resolve(type.items);
      return Array.from({ length: random(6) === 0 ? 2 : random(12) === 0 ? 0 : 1 }, () => sampleOf(items, name, types, random, depth + 1));
    }
    default:
      return objectOf(type, types, random, depth);
  }
}

function textOf(format, name, one) {
  if (format === 'date-time') return one(times);
  if (format === 'byte') return one(['YQ==', '', 'x', 'YWJj']);
  if (name === 'apiVersion') return one(['v1', 'apps/v1', 'a/b/c', '']);
  if (name === 'operator') return one(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Equal', 'Gt']);
  return one(texts);
}

function objectOf({ properties, required = [], additionalProperties }, types, random, depth) {
  const one = (list) => list[random(list.length)];
  if (properties === undefined) {
    if (additionalProperties === undefined) return one([{}, { a: 1 }, { a: { b: 'c' } }]);
    const value = types.resolve(additionalProperties);
    if (value.type === 'string' && value.format === undefined && value.$ref === undefined) return structuredClone(one(labels));
    const key = one(['cpu', 'memory', 'a', 'example.com/a', 'pods', 'x y', 'storage', 'hugepages-2Mi', 'ephemeral-storage']);
    return { [key]: sampleOf(value, key, types, random, depth + 1) };
  }
  const names = Object.keys(properties);
  // Most types that consist of alternatives require none of them.
  const optional = depth >= depthMax ? [] : Array.from({ length: 1 + random(3) }, () => one(names));
  const chosen = new Set([...(random(10) > 0 ? required : []), ...optional]);
  return Object.fromEntries(
    names
      .filter((name) => chosen.has(name))
      .map((name) => [name, sampleOf(types.resolve(properties[name]), name, types, random, depth + 1)]),
  );
}
