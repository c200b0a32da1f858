/** Values that fields often do not expect. */
const values = [
  ...[
    '',
    'a',
    'A_b',
    '-x',
    'x'.repeat(64),
    'x'.repeat(300),
    '0',
    '1.5',
    '10%',
    '101%',
    '-5',
    '1Gi',
    '1m',
    '5s',
    'http',
    'TCP',
    'None',
    'true',
  ],
  ...['1.2.3.4', '300.1.1.1', '::1', '10.0.0.0/8', '10.0.0.1/8', 'a.b.c', 'a/b', '/a', '../a', 'a b', 'é', '$(X)', 'Always', 'Never'],
  ...[0, -1, 1, 1.5, 70_000, 2 ** 31, null, true, false],
  ...[[], {}, [''], [null], ['a', 'a'], { a: 'b' }],
];

const texts = values.filter((value) => typeof value === 'string');
const memberNames = ['name', 'enabled', 'value', 'x', 'type', 'mode', 'timeoutSeconds'];

/** A seeded source of integers in [0, below). Cf. mulberry32. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The paths of all members and items. */
export function pathsIn(value, path = [], found = []) {
  if (value === null || typeof value !== 'object') return found;
  for (const key of Object.keys(value)) {
    const below = [...path, Array.isArray(value) ? Number(key) : key];
    found.push(below);
    pathsIn(value[key], below, found);
  }
  return found;
}

/** A copy with one or two changed, removed or added fields. */
export function mutate(object, random) {
  const copy = structuredClone(object);
  const one = (list) => list[random(list.length)];
  const isType = (path) => path.length === 1 && (path[0] === 'apiVersion' || path[0] === 'kind');
  const paths = pathsIn(copy).filter((path) => !isType(path));
  for (let count = random(4) === 0 ? 2 : 1; count > 0 && paths.length > 0; count--) {
    const path = one(paths);
    const parent = path.slice(0, -1).reduce((value, key) => value?.[key], copy);
    if (parent !== null && typeof parent === 'object') change(parent, path.at(-1), one, random);
  }
  return copy;
}

function change(parent, key, one, random) {
  const isList = Array.isArray(parent);
  const value = parent[key];
  const isMember = value !== null && typeof value === 'object' && !Array.isArray(value);
  switch (random(7)) {
    case 0:
      if (isList) parent.splice(key, 1);
      else delete parent[key];
      break;
    case 1:
      if (isList) parent.push(structuredClone(value));
      else parent[`${key}X`] = 1;
      break;
    case 2:
      if (isList) parent.unshift(structuredClone(value));
      else parent[key] = structuredClone(one(values));
      break;
    case 3:
      if (isMember) value[one(memberNames)] = structuredClone(one(values));
      else parent[key] = otherValue(value, one, random);
      break;
    default:
      parent[key] = otherValue(value, one, random);
  }
}

/** A value of the same or of another type. */
export function otherValueOf(value, random) {
  return otherValue(value, (list) => list[random(list.length)], random);
}

function otherValue(value, one, random) {
  switch (typeof value) {
    case 'number':
      return one([0, -1, value + 1, 100_000, 1e10, 65_536, 1.5, '1', -value]);
    case 'string':
      return random(3) > 0
        ? one(texts)
        : one([value + value, value.toUpperCase(), `${value}_`, ` ${value}`, `${value}/x`, value.slice(0, -1), 5, true]);
    case 'boolean':
      return random(2) === 0 ? 'x' : !value;
    default:
      return structuredClone(one(values));
  }
}
