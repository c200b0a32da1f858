// The duration of authentication and authorization.
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { createCluster } from '../../dist/node/library.js';
import { median, rate } from './measure.mjs';

export const goals = {
  'RBAC decision with 1,000 bindings, allowed, µs': { atMost: 5 },
  'RBAC decision with 1,000 bindings, refused, µs': { atMost: 5 },
  'requests with a signed token a second': { atLeast: 5_000 },
};

/** @returns {Promise<Record<string, number>>} by name, which ends in the unit */
export async function benchAccess() {
  return { ...(await decisions()), ...(await tokens()) };
}

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Imports only the authorizer: within a request a decision is too short to be measured. */
async function loadAuthz() {
  const outfile = join(root, 'dist/bench/authz.mjs');
  await mkdir(dirname(outfile), { recursive: true });
  const product = {
    contents: "export * from './src/authz/index.ts'; export { productByName } from './src/meta/index.ts';",
    resolveDir: root,
  };
  await build({ stdin: product, bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'error' });
  const authz = await import(pathToFileURL(outfile).href);
  await rm(dirname(outfile), { recursive: true });
  return authz;
}

const rule = (i) => ({ verbs: ['get', 'list'], apiGroups: [''], resources: [`r${i}`, 'pods'], resourceNames: [], nonResourceURLs: [] });

/** Ten of the thousand bindings apply to each user. */
async function decisions() {
  const { RoleIndex, rbacAuthorizer, resourceAttributes, productByName } = await loadAuthz();
  const index = new RoleIndex();
  for (let i = 0; i < 1000; i++) {
    const [namespace, name] = [`n${i % 20}`, `b${i}`];
    index.changeRole('', `role${i}`, [rule(i), rule(i + 1), rule(i + 2)]);
    const subjects = [
      { kind: 'User', name: `user${i % 100}`, namespace: '' },
      { kind: 'Group', name: `group${i % 50}`, namespace: '' },
    ];
    index.changeBinding(namespace, name, { namespace, name, role: { kind: 'ClusterRole', name: `role${i}` }, subjects });
  }
  const authorizer = rbacAuthorizer(index, productByName('kubernetes'));
  const attributesOf = (i, verb) => {
    const user = { username: `user${i % 100}`, uid: '', groups: [`group${i % 50}`, 'system:authenticated'], extra: {} };
    return resourceAttributes(user, { verb, group: '', resource: 'pods', namespace: `n${i % 20}`, name: 'p' });
  };
  const microseconds = (verb) => {
    const requests = Array.from({ length: 100 }, (_, i) => attributesOf(i, verb));
    const times = Array.from({ length: 500 }, () => {
      const start = performance.now();
      for (const request of requests) authorizer.authorize(request);
      return ((performance.now() - start) * 1000) / requests.length;
    });
    return median(times);
  };
  return {
    'RBAC decision with 1,000 bindings, allowed, µs': microseconds('get'),
    'RBAC decision with 1,000 bindings, refused, µs': microseconds('delete'),
  };
}

/** Whole requests with the token of a service account, which is verified once and then cached. */
async function tokens() {
  const cluster = await createCluster({ names: 'kubernetes' });
  const send = async (method, target, token, body) => {
    const headers = new Headers({ authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' });
    const bytes = body && new TextEncoder().encode(JSON.stringify(body));
    const response = await cluster.handle({ method, target, headers, body: bytes, signal: new AbortController().signal });
    if (response.status >= 300) throw new Error(`${method} ${target}: ${response.status} ${String(response.body).slice(0, 300)}`);
    return response;
  };
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await send('POST', accounts, 'admin-token', { metadata: { name: 'bench' } });
  const created = await send('POST', `${accounts}/bench/token`, 'admin-token', { spec: {} });
  const { token } = JSON.parse(String(created.body)).status;
  const figure = await rate(10_000, () => send('GET', '/version', token));
  await cluster.close();
  return { 'requests with a signed token a second': figure };
}
