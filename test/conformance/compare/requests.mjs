/** Requests that change existing objects, one builder for each verb. Both servers get the same changes of their own versions of an object. */
import { annotate } from './known-names.mjs';
import { createRandom, mutate, otherValueOf, pathsIn } from './mutate.mjs';
import { reads } from './reads.mjs';
import { addFields } from './schema-fields.mjs';

const validations = ['Strict', 'Warn', 'Ignore'];
const subresources = ['', '', '', '/status', '/scale'];

/** Builders of a method, a target, a content type and a body from an object of one server, by name. */
const builders = {
  update: (object, random, types) => ['PUT', 'application/json', withChange(object, random, types)],
  merge: (object, random, types) => ['PATCH', 'application/merge-patch+json', mergePatch(object, random, types)],
  strategic: (object, random, types) => ['PATCH', 'application/strategic-merge-patch+json', mergePatch(object, random, types)],
  json: (object, random) => ['PATCH', 'application/json-patch+json', jsonPatch(object, random)],
  apply: (object, random, types, body) => [
    'PATCH',
    'application/apply-patch+yaml',
    { ...change(body, random, types), apiVersion: object.apiVersion, kind: object.kind },
  ],
};

export const verbs = ['create', ...Object.keys(builders), ...Object.keys(reads)];

/** A creation of a changed object, as a dry run. */
export function creation(path, body, random, types) {
  const query = new URLSearchParams({ dryRun: 'All', fieldValidation: validations[random(3)] });
  return { method: 'POST', type: 'application/json', body: change(body, random, types), target: `${path}?${query}` };
}

/** The same request to each server, from its version of the object; `seed` determines the change. */
export function requestsFor(verb, path, body, versions, seed, types) {
  if (verb in reads) return versions.map((object) => reads[verb](path, object, createRandom(seed), types));
  const random = createRandom(seed);
  const subresource = verb === 'apply' ? '' : subresources[random(subresources.length)];
  const query = new URLSearchParams({ dryRun: 'All', fieldValidation: validations[random(3)] });
  if (verb === 'apply') {
    query.set('fieldManager', random(2) === 0 ? 'compare' : 'other');
    if (random(2) === 0) query.set('force', 'true');
  }
  const changeSeed = random(2 ** 31);
  return versions.map((object) => {
    const [method, type, data] = builders[verb](object, createRandom(changeSeed), types, body);
    return { method, type, body: data, target: `${path}/${encodeURIComponent(object.metadata.name)}${subresource}?${query}` };
  });
}

/** A copy with changed fields, with further fields of its type, or with an annotation or label that components interpret. */
function change(object, random, types) {
  if (random(4) === 0) return annotate(object, random);
  const copy = structuredClone(object);
  return random(2) === 0 && addFields(copy, types, random) ? copy : mutate(object, random);
}

function withChange(object, random, types) {
  const changed = change(object, random, types);
  // A conflict would hide every other check.
  if (random(8) > 0 && changed.metadata && typeof changed.metadata === 'object')
    changed.metadata.resourceVersion = object.metadata.resourceVersion;
  return changed;
}

/** One or two members, with other values or null. Lists are replaced or, in a strategic patch, merged. */
function mergePatch(object, random, types) {
  const extended = structuredClone(object);
  if (random(3) === 0 && addFields(extended, types, random)) return membersChanged(object, extended);
  if (random(4) === 0) return membersChanged(object, annotate(object, random));
  const patch = {};
  for (let count = random(4) === 0 ? 2 : 1; count > 0; count--) {
    const paths = pathsIn(object).filter((path) => isChangeable(path));
    const path = paths[random(paths.length)];
    const end = path.findIndex((key) => typeof key === 'number');
    const members = end < 0 ? path : path.slice(0, end);
    const value = members.reduce((at, key) => at?.[key], object);
    let at = patch;
    for (const key of members.slice(0, -1)) {
      if (at[key] === null || typeof at[key] !== 'object') at[key] = {};
      at = at[key];
    }
    at[members.at(-1)] = patchValue(value, random);
  }
  return patch;
}

/** The members with other values, and lists as a whole. */
function membersChanged(from, to) {
  const entries = Object.entries(to).filter(([name, value]) => JSON.stringify(from[name]) !== JSON.stringify(value));
  const isMember = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isMember(value) && isMember(from[name]) ? membersChanged(from[name], value) : value]),
  );
}

function patchValue(value, random) {
  if (random(5) === 0) return null;
  if (value !== null && typeof value === 'object' && random(3) > 0) return mutate(value, random);
  return otherValueOf(value, random);
}

const operations = ['replace', 'replace', 'remove', 'add', 'test', 'move', 'copy'];

function jsonPatch(object, random) {
  const paths = pathsIn(object).filter((path) => isChangeable(path));
  const one = () => paths[random(paths.length)];
  const pointer = (path) => path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return Array.from({ length: random(4) === 0 ? 2 : 1 }, () => {
    const path = one();
    const op = operations[random(operations.length)];
    const value = path.reduce((at, key) => at?.[key], object);
    const appended = random(6) === 0 ? `${pointer(path.slice(0, -1))}/-` : pointer(path);
    if (op === 'remove') return { op, path: pointer(path) };
    if (op === 'move' || op === 'copy') return { op, from: pointer(one()), path: appended };
    return {
      op,
      path: op === 'add' ? appended : pointer(path),
      value: op === 'test' && random(2) === 0 ? value : otherValueOf(value, random),
    };
  });
}

/** What differs between two servers would differ in the patches too. */
function isChangeable([first, second]) {
  return first !== 'metadata' || !['uid', 'resourceVersion', 'creationTimestamp', 'managedFields'].includes(second);
}
