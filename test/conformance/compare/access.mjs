/**
 * node test/conformance/compare/access.mjs --base-url REAL --base-url OURS [--token admin-token] [--seed 1] [--rounds 100]
 *
 * Creates the same random roles and bindings on two servers, sends requests and access reviews of random users, and prints how the responses
 * differ: those of kube-apiserver, and ours. Both servers need the flags that docs/upgrading.md lists.
 */
import { differences, normalized } from './differences.mjs';
import { closeConnections, send } from './http.mjs';
import { readOptions } from './options.mjs';

const options = readOptions('access.mjs', { rounds: '100' });
const { servers, random, one } = options;

/** Rounds at the same time. */
const parallel = 4;
const requestsOfRound = 30;
const some = (list, most) => Array.from({ length: random(most + 1) }, () => one(list));
const maybe = (chance, members) => (random(chance) === 0 ? members : {});

const users = ['ann', 'bob', 'system:serviceaccount:NS:robot', 'system:anonymous', 'eve@example.com', 'system:node:node-a'];
const groups = [
  'devs',
  'ops',
  'system:authenticated',
  'system:serviceaccounts',
  'system:serviceaccounts:NS',
  'system:nodes',
  'system:unauthenticated',
];
const verbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  '*',
  'bind',
  'escalate',
  'impersonate',
  'use',
  'x',
];
const apiGroups = ['', 'apps', 'rbac.authorization.k8s.io', '*', 'batch', 'example.com', 'authentication.k8s.io'];
const resources = [
  ...[
    'pods',
    'pods/log',
    'pods/*',
    '*/status',
    '*/scale',
    '*',
    'configmaps',
    'secrets',
    'deployments',
    'deployments/scale',
    'roles',
    'clusterroles',
  ],
  ...[
    'rolebindings',
    'users',
    'groups',
    'serviceaccounts',
    'serviceaccounts/token',
    'namespaces',
    'nodes',
    'uids',
    'userextras/reason',
    'widgets',
  ],
];
const names = ['a', 'b', 'NS', 'ann', 'devs', 'reader'];
const paths = ['/healthz', '/metrics', '/version', '/api', '/api/*', '/apis/*', '*', '/livez/*', '/logs', '/x*y'];

function rule(isCluster) {
  if (isCluster && random(5) === 0) return { verbs: some(verbs, 3), nonResourceURLs: some(paths, 3) };
  return {
    verbs: random(12) === 0 ? [] : [one(verbs), ...some(verbs, 2)],
    apiGroups: random(12) === 0 ? [] : [one(apiGroups), ...some(apiGroups, 1)],
    resources: random(12) === 0 ? [] : [one(resources), ...some(resources, 2)],
    ...maybe(4, { resourceNames: some(names, 2) }),
    ...maybe(20, { nonResourceURLs: ['/x'] }),
  };
}

const subject = () =>
  one([
    { kind: 'User', name: one(users), apiGroup: 'rbac.authorization.k8s.io' },
    { kind: 'Group', name: one(groups), apiGroup: 'rbac.authorization.k8s.io' },
    { kind: 'ServiceAccount', name: one(['robot', 'default']), namespace: one(['NS', 'NS', 'default']) },
    { kind: 'User', name: one(users) },
    {
      kind: one(['Group', 'User', 'ServiceAccount', 'X', '']),
      name: one(['devs', '']),
      ...maybe(2, { namespace: 'NS' }),
      ...maybe(2, { apiGroup: one(['', 'x']) }),
    },
  ]);

const roleNames = ['reader', 'writer', 'view', 'edit', 'admin', 'cluster-admin', 'absent', 'system:node', 'PREFIX-role'];
const roleRef = () => ({
  apiGroup: one(['rbac.authorization.k8s.io', 'rbac.authorization.k8s.io', 'rbac.authorization.k8s.io', 'x']),
  kind: one(['Role', 'ClusterRole', 'ClusterRole', 'X']),
  name: one(roleNames),
});
const rbac = '/apis/rbac.authorization.k8s.io/v1';

function roleWrite() {
  const isCluster = random(2) === 0;
  const isBinding = random(2) === 0;
  const kind = `${isCluster ? 'Cluster' : ''}Role${isBinding ? 'Binding' : ''}`;
  const base = isCluster ? rbac : `${rbac}/namespaces/NS`;
  const collection = `${base}/${kind.toLowerCase()}s`;
  const name = isCluster ? one(['PREFIX-role', 'PREFIX-other']) : one(['reader', 'writer', 'other']);
  const content = isBinding
    ? { roleRef: roleRef(), subjects: [subject(), ...Array.from({ length: random(2) }, subject)] }
    : {
        rules: Array.from({ length: 1 + random(2) }, () => rule(isCluster)),
        ...(isCluster ? maybe(8, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }) : {}),
      };
  const merge = 'application/merge-patch+json';
  return one([
    { method: 'POST', target: collection, body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, ...content } },
    { method: 'POST', target: collection, body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, ...content } },
    { method: 'PATCH', target: `${collection}/${name}`, type: merge, body: content },
    { method: 'PATCH', target: `${collection}/${name}`, type: merge, body: { metadata: { labels: { a: one(['b', 'c']) } } } },
    { method: 'DELETE', target: `${collection}/${name}` },
    {
      method: 'PATCH',
      target: `${collection}/${name}?fieldManager=x`,
      type: 'application/apply-patch+yaml',
      body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, ...content },
    },
  ]);
}

const targets = [
  '/api/v1/namespaces/NS/pods',
  '/api/v1/namespaces/NS/pods/a',
  '/api/v1/namespaces/NS/pods/a/log',
  '/api/v1/namespaces/NS/pods/a/exec',
  '/api/v1/namespaces/NS/configmaps/a',
  '/api/v1/namespaces/NS/configmaps',
  '/api/v1/configmaps?limit=1&fieldSelector=metadata.name%3Da',
  '/api/v1/secrets?limit=1',
  '/api/v1/namespaces/NS/secrets?fieldSelector=metadata.name%3Da',
  '/api/v1/namespaces/NS/secrets?watch=1&timeoutSeconds=1',
  '/api/v1/namespaces/NS',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/api/v1/nodes/node-a',
  '/api/v1/namespaces/NS/serviceaccounts/robot/token',
  '/apis/apps/v1/namespaces/NS/deployments',
  '/apis/apps/v1/namespaces/NS/deployments/a/scale',
  '/apis/apps/v1/deployments',
  '/apis/batch/v1/namespaces/NS/jobs',
  '/apis/example.com/v1/namespaces/NS/widgets',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/roles',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/view',
  '/healthz',
  '/livez/ping',
  '/metrics/x',
  '/api',
  '/apis/apps',
  '/logs',
  '/x',
  '/xzy',
];

function plainRequest() {
  const target = one(targets);
  const method = one(['GET', 'GET', 'GET', 'POST', 'DELETE', 'PATCH', 'PUT', 'HEAD']);
  if (method === 'GET' || method === 'HEAD') return { method, target };
  const [path, query] = target.split('?');
  const dryRun = { method, target: `${path}?dryRun=All${query ? `&${query}` : ''}` };
  // Options in a body replace those of the URL.
  if (method === 'DELETE') return dryRun;
  return { ...dryRun, body: {}, ...(method === 'PATCH' ? { type: 'application/merge-patch+json' } : {}) };
}

const selector = (member) => ({
  [member]: one([
    { requirements: [{ key: 'a', operator: one(['In', 'NotIn', 'Exists', 'DoesNotExist', 'X']), values: one([['b'], [], undefined]) }] },
    { rawSelector: one(['a=b', 'a in (b', '', 'metadata.name=a']) },
    { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] },
    {},
  ]),
});
const resourceAttributes = () => ({
  ...maybe(4, {}),
  verb: one([...verbs, '']),
  group: one(apiGroups),
  resource: one(resources),
  ...maybe(2, { namespace: one(['NS', 'default', '']) }),
  ...maybe(3, { name: one(names) }),
  ...maybe(4, { subresource: one(['log', 'status', 'scale', '*', 'token']) }),
  ...maybe(4, { version: one(['v1', '*', 'v2']) }),
  ...maybe(6, selector('fieldSelector')),
  ...maybe(6, selector('labelSelector')),
});
const attributes = () =>
  one([
    { resourceAttributes: resourceAttributes() },
    { resourceAttributes: resourceAttributes() },
    { nonResourceAttributes: { verb: one(['get', 'post', '*']), path: one(['/healthz', '/api/x', '/metrics', '/version', '']) } },
    { resourceAttributes: resourceAttributes(), nonResourceAttributes: { verb: 'get', path: '/x' } },
    {},
  ]);

function review() {
  const authorization = '/apis/authorization.k8s.io/v1';
  const of = (kind, target, spec) => ({
    method: 'POST',
    target,
    body: {
      apiVersion: `${target.includes('authentication') ? 'authentication' : 'authorization'}.k8s.io/v1`,
      kind,
      ...(spec ? { spec } : {}),
      ...maybe(15, { metadata: { name: 'x' } }),
    },
  });
  const person = { ...maybe(6, {}), user: one([...users, '']), groups: some(groups, 2), ...maybe(5, { uid: '1', extra: { a: ['b'] } }) };
  return one([
    of('SubjectAccessReview', `${authorization}/subjectaccessreviews`, { ...attributes(), ...person }),
    of('SelfSubjectAccessReview', `${authorization}/selfsubjectaccessreviews`, attributes()),
    of('LocalSubjectAccessReview', `${authorization}/namespaces/NS/localsubjectaccessreviews`, { ...attributes(), ...person }),
    of('SelfSubjectRulesReview', `${authorization}/selfsubjectrulesreviews`, { namespace: one(['NS', 'NS', 'default', '']) }),
    of('SelfSubjectReview', '/apis/authentication.k8s.io/v1/selfsubjectreviews'),
    of('TokenReview', '/apis/authentication.k8s.io/v1/tokenreviews', {
      token: one(['x', '', 'bob-token', 'admin-token']),
      ...maybe(3, { audiences: some(['a', 'https://kubernetes.default.svc.cluster.local'], 2) }),
    }),
  ]);
}

/** Headers of an impersonation; the user itself is the administrator. */
function impersonation() {
  if (random(6) === 0) return [];
  const headers = [['impersonate-user', one(users)]];
  for (const group of some(groups, 2)) headers.push(['impersonate-group', group]);
  if (random(10) === 0) headers.push(['impersonate-uid', 'u-1']);
  if (random(10) === 0) headers.push([`impersonate-extra-${one(['reason', 'example.com%2fscope', 'a%', 'A_b'])}`, one(['x', ''])]);
  return random(25) === 0 ? headers.slice(1) : headers;
}

function requestOf() {
  const draw = random(10);
  if (draw < 4) return { ...roleWrite(), headers: random(2) === 0 ? [] : impersonation() };
  return { ...(draw < 7 ? plainRequest() : review()), headers: impersonation() };
}

/** Missing roles are named in the order of a map in Go. */
const missingRole = /\w+\.rbac\.authorization\.k8s\.io \\*"[^"\\]*\\*" not found(?:, )?/g;
const comparable = (answer) => {
  const text = JSON.stringify(normalized(answer));
  const missing = text.match(missingRole)?.map((one) => one.replace(/, $/, '')) ?? [];
  return { ...JSON.parse(text.replace(missingRole, '')), missing: missing.sort() };
};

const found = [];
let next = 0;
let sent = 0;
async function work() {
  while (next < Number(options.rounds)) {
    const prefix = `p${options.seed}-${next++}`;
    const within = (value) => JSON.parse(JSON.stringify(value).replaceAll('NS', prefix).replaceAll('PREFIX', prefix));
    const before = [];
    const both = async (message) => {
      const [real, ours] = await Promise.all(servers.map((server) => send(server, options.token, message)));
      sent++;
      const differing = differences(comparable(real), comparable(ours));
      if (differing.length > 0) found.push({ message, before: [...before], differing });
      if (message.target.startsWith(rbac)) before.push({ ...message, status: [real.status, ours.status] });
    };
    await both({ method: 'POST', target: '/api/v1/namespaces', body: { metadata: { name: prefix } } });
    await both({ method: 'POST', target: `/api/v1/namespaces/${prefix}/serviceaccounts`, body: { metadata: { name: 'robot' } } });
    await both({ method: 'POST', target: `/api/v1/namespaces/${prefix}/configmaps`, body: { metadata: { name: 'a' } } });
    for (let at = 0; at < requestsOfRound; at++) await both(within(requestOf()));
  }
}
await Promise.all(Array.from({ length: parallel }, work));
for (const { message, before, differing } of found) {
  const { method, target, headers = [], body } = message;
  console.log(
    `${method} ${target} ${headers.map((header) => header.join('=')).join(' ')}\n  ${JSON.stringify(body) ?? ''}\n  ${differing.slice(0, 3).join('\n  ')}`,
  );
  if (process.env.VERBOSE)
    for (const one of before) console.log(`     after ${one.status} ${one.method} ${one.target} ${JSON.stringify(one.body) ?? ''}`);
}
console.log(`${sent - found.length} equal, ${found.length} different`);
process.exitCode = found.length === 0 ? 0 : 1;
closeConnections();
