/**
 * npm run compare -- --base-url REAL --base-url OURS [--token admin-token] [--seed 1] [--count 1000] [--only PATTERN] [--verbs create,update]
 *
 * Sends the same changed objects to two servers as dry runs, and prints how the responses differ: those of kube-apiserver, and ours. The
 * objects are those that the recorded scenarios create; other verbs than create change them after both servers have stored them. Both
 * servers need the flags that docs/upgrading.md lists.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { differences, normalized, uid } from './differences.mjs';
import { closeConnections, open, readText } from './http.mjs';
import { readOptions } from './options.mjs';
import { creation, requestsFor, verbs } from './requests.mjs';
import { readTypes } from './schema-fields.mjs';

const options = readOptions('npm run compare --', { count: '1000', only: '', verbs: 'create' });
const { servers, random } = options;
const wanted = options.verbs.split(',');
if (!wanted.every((verb) => verbs.includes(verb))) throw new Error(`verbs are ${verbs.join(', ')}`);

const namespace = 'compared';
/** Requests at the same time. */
const parallel = 6;
const timeoutMs = 40_000;
const comparedHeaders = ['content-type', 'warning', 'allow', 'retry-after', 'location', 'cache-control', 'vary'];

async function send(server, message, normalize = normalized) {
  const { body } = message;
  try {
    const response = await open(server, options.token, message, timeoutMs);
    const text = withoutGeneratedName(await readText(response), body?.metadata?.generateName);
    const shown = Object.fromEntries(comparedHeaders.map((name) => [name, response.headers[name]]));
    return { status: response.statusCode, headers: shown, body: normalize(parsed(text)) };
  } catch (error) {
    // The real server closes the connection when its handler panics.
    if (error.code !== 'ECONNRESET') throw error;
    return { status: 0, headers: {}, body: error.code };
  }
}

/** The end of a generated name is random; a long beginning is shortened. */
function withoutGeneratedName(text, generateName) {
  if (typeof generateName !== 'string' || generateName === '') return text;
  const start = JSON.stringify(generateName.slice(0, 58)).slice(1, -1);
  return text.replace(uid, '<uid>').replace(new RegExp(`${start.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}[2-9b-z]{5}`, 'g'), '<generated>');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The bodies that the recorded scenarios create, by their path. */
function recordedObjects() {
  const folder = fileURLToPath(new URL('../scenarios', import.meta.url));
  const found = new Map();
  for (const file of readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const { server = {}, steps = [] } = JSON.parse(
      readFileSync(`${folder}/${file}`, 'utf8').replaceAll('{run}', 'r1').replaceAll('{ns}', namespace),
    );
    if (Object.keys(server).length > 0) continue;
    for (const { do: sent, expect } of steps) {
      if (sent?.method !== 'POST' || !sent.json || expect?.status !== 201) continue;
      const [path] = sent.path.split('?');
      if (/[{<]/.test(path) || !path.includes(options.only)) continue;
      found.set(path, [...(found.get(path) ?? []), sent.json]);
    }
  }
  return [...found];
}

const objects = recordedObjects();
const count = Number(options.count);
const different = new Map();
/** The versions of both servers, by the body they were created from. */
const stored = new Map();
let storing = Promise.resolve();
let sent = 0;

async function compareOne() {
  const verb = wanted[random(wanted.length)];
  const requests = await requestsOf(verb);
  const [real, ours] = await Promise.all(servers.map((server, at) => send(server, requests[at])));
  if (ours.status === 0) throw new Error(`no response to ${requests[1].method} ${requests[1].target}`);
  const found = differences(real, ours);
  if (found.length === 0) return;
  const [{ method, target, accept, body }] = requests;
  const key = `${verb} ${target.split('?')[0]} ${real.status}/${ours.status} ${found[0].split(':', 1)[0]}`;
  different.set(key, [...(different.get(key) ?? []), { method, target, accept, body, found }]);
}

/** One for each server. Both store an object before its first change; one that they do not create alike is skipped. */
async function requestsOf(verb) {
  for (;;) {
    const [path, bodies] = objects[random(objects.length)];
    const body = bodies[random(bodies.length)];
    if (verb === 'create') {
      const request = creation(path, body, random, types);
      return servers.map(() => request);
    }
    const seed = random(2 ** 31);
    const versions = await (stored.get(body) ?? store(path, body));
    if (versions) return requestsFor(verb, path, body, versions, seed, types);
  }
}

function store(path, body) {
  // One after another: of two bodies with one name, both servers store the same.
  const created = storing
    .then(() => Promise.all(servers.map((server) => createOrGet(server, path, body))))
    .then((versions) => (versions.every((object) => object !== undefined) ? versions : undefined));
  storing = created;
  stored.set(body, created);
  return created;
}

/** The stored object, which may be that of an earlier run; undefined if the server rejects it. */
async function createOrGet(server, path, body) {
  const created = await send(server, { method: 'POST', target: path, body }, unchanged);
  const name = body.metadata?.name;
  const exists = created.status === 409 && name !== undefined;
  const { status, body: object } = exists
    ? await send(server, { method: 'GET', target: `${path}/${encodeURIComponent(name)}` }, unchanged)
    : created;
  return status < 300 && object.metadata?.name ? object : undefined;
}

const unchanged = (value) => value;

async function work() {
  while (sent < count) {
    sent++;
    await compareOne();
  }
}

for (const server of servers)
  await send(server, {
    method: 'POST',
    target: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  });
const { body: document } = await send(servers[0], { method: 'GET', target: '/openapi/v2' }, unchanged);
const types = readTypes(document);
await Promise.all(Array.from({ length: parallel }, work));
for (const [key, all] of [...different].sort(([, a], [, b]) => b.length - a.length)) {
  const [{ method, target, accept, body, found }] = all;
  console.log(
    `${all.length} × ${key}\n  ${method} ${target}${accept ? ` accept: ${accept}` : ''}\n  ${JSON.stringify(body)}\n  ${found.slice(0, 4).join('\n  ')}`,
  );
}
const differing = [...different.values()].reduce((sum, all) => sum + all.length, 0);
console.log(`${sent - differing} equal, ${differing} different`);
process.exitCode = differing === 0 ? 0 : 1;
closeConnections();
