/** Requests that read or delete objects, one builder for each verb. Deletions are dry runs. */
import { addFields } from './schema-fields.mjs';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const accepts = [
  ...['application/json', 'application/json', table, `${table},application/json`, 'application/json;as=Table;v=v1beta1;g=meta.k8s.io'],
  ...['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  ...['application/json;as=Table;v=v2;g=meta.k8s.io', 'application/yaml', 'text/html', '*/*', 'application/*', 'image/png'],
];
const labelSelectors = [
  ...[
    'app=web',
    'app',
    '!app',
    'app!=web',
    'app in (web,a)',
    'app notin (web)',
    'app=',
    'a=b,c=d',
    'app>1',
    'app=a b',
    'app in',
    'app==web,',
    ',',
  ],
  ...[
    'app in ()',
    '=',
    'a/b/c=d',
    'app=-x',
    `${'x'.repeat(64)}=a`,
    '!app=web',
    'app in (web',
    'App In (web)',
    ' app = web ',
    '()',
    'app<a',
  ],
];
const fieldSelectors = [
  ...[
    'metadata.name=a',
    'metadata.namespace=compared',
    'metadata.name!=a',
    'metadata.name==a',
    'metadata.name',
    'metadata.uid=a',
    'x=y',
    'spec.x=1',
  ],
  ...[
    'status.phase=Running',
    'type=Opaque',
    'spec.nodeName=',
    'metadata.name=a,metadata.namespace=b',
    'metadata.name=',
    '=',
    'spec.unschedulable=true',
  ],
  ...[
    'reason=x',
    'involvedObject.kind=Pod',
    'spec.replicas=1',
    'status.replicas=0',
    'metadata.name=a\\,b',
    'metadata.name=a\\b',
    'metadata.name in (a)',
  ],
  ...[
    'status.successful=1',
    'spec.clusterIP=None',
    'spec.type=ClusterIP',
    'spec.signerName=a',
    'metadata.labels.app=web',
    'metadata.annotations=x',
  ],
];
const versions = ['0', '', '1', 'x', '-1', '999999999', '01', ' 1'];
const matches = ['Exact', 'NotOlderThan', 'x', ''];
const booleans = ['true', 'false', '1', '0', 'x', ''];
const limits = ['1', '2', '0', '500', '-1', 'x', ''];
const continues = ['', 'x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJ4In0', 'e30', 'eyJ2IjoieCJ9'];

/** Draws some of the parameters of a list. */
function listQuery(random) {
  const one = (list) => list[random(list.length)];
  const query = new URLSearchParams();
  const drawn = { labelSelector: labelSelectors, fieldSelector: fieldSelectors, limit: limits, resourceVersion: versions };
  for (const [name, values] of Object.entries(drawn)) if (random(3) === 0) query.set(name, one(values));
  const rare = {
    resourceVersionMatch: matches,
    continue: continues,
    timeoutSeconds: ['1', 'x', '-1'],
    pretty: booleans,
    sendInitialEvents: booleans,
    allowWatchBookmarks: booleans,
    includeObject: ['None', 'Object', 'Metadata', 'x', ''],
    unknown: ['x'],
  };
  for (const [name, values] of Object.entries(rare)) if (random(6) === 0) query.set(name, one(values));
  return query;
}

const withQuery = (path, query) => (query.size > 0 ? `${path}?${query}` : path);

function list(path, _object, random) {
  const allNamespaces = random(5) === 0 ? path.replace(/\/namespaces\/compared/, '') : path;
  return { method: 'GET', target: withQuery(allNamespaces, listQuery(random)), accept: accepts[random(accepts.length)] };
}

const subresources = [
  '',
  '',
  '',
  '/status',
  '/scale',
  '/log',
  '/eviction',
  '/ephemeralcontainers',
  '/resize',
  '/approval',
  '/proxy',
  '/token',
  '/x',
];

function get(path, object, random) {
  const query = new URLSearchParams();
  if (random(4) === 0) query.set('resourceVersion', versions[random(versions.length)]);
  if (random(8) === 0) query.set('pretty', booleans[random(booleans.length)]);
  if (random(8) === 0) query.set('includeObject', ['None', 'Object', 'x'][random(3)]);
  const name = random(6) === 0 ? ['absent', 'A_b', '%20', 'a%2Fb', '..'][random(5)] : encodeURIComponent(object.metadata.name);
  const target = `${path}/${name}${subresources[random(subresources.length)]}`;
  return { method: 'GET', target: withQuery(target, query), accept: accepts[random(accepts.length)] };
}

const deleteOptions = { apiVersion: ['v1', 'meta.k8s.io/v1', 'apps/v1', 'x/v1', ''], kind: ['DeleteOptions', 'Pod', ''] };

/** The options of a deletion with one to three members. */
function optionsOf(object, random) {
  const one = (list) => list[random(list.length)];
  const options = { kind: 'DeleteOptions', apiVersion: 'v1' };
  if (random(8) === 0) for (const [name, values] of Object.entries(deleteOptions)) options[name] = one(values);
  const members = {
    propagationPolicy: ['Foreground', 'Background', 'Orphan', 'x', '', null, 5],
    gracePeriodSeconds: [0, 1, 30, -1, 2 ** 40, '5', null],
    orphanDependents: [true, false, 'x'],
    dryRun: [['All'], ['All', 'All'], ['x'], [], 'All'],
    preconditions: [{ uid: 'x' }, { uid: object.metadata.uid }, { resourceVersion: '1' }, {}, { uid: '' }, { x: 1 }],
    ignoreStoreReadErrorWithClusterBreakingPotential: [true, false],
    unknown: [1],
  };
  for (const name of Object.keys(members)) if (random(4) === 0) options[name] = one(members[name]);
  return options;
}

function deletion(path, object, random) {
  const one = (list) => list[random(list.length)];
  const query = new URLSearchParams({ dryRun: 'All' });
  if (random(5) === 0) query.set('propagationPolicy', one(['Foreground', 'Background', 'Orphan', 'x', '']));
  if (random(5) === 0) query.set('gracePeriodSeconds', one(['0', '1', '-1', 'x', '']));
  if (random(8) === 0) query.set('orphanDependents', one(booleans));
  const name = random(10) === 0 ? 'absent' : encodeURIComponent(object.metadata.name);
  const subresource = random(12) === 0 ? one(['/status', '/scale', '/x']) : '';
  const request = {
    method: 'DELETE',
    target: `${path}/${name}${subresource}?${query}`,
    accept: random(8) === 0 ? one(accepts) : undefined,
  };
  if (random(3) === 0) return request;
  const type = random(12) === 0 ? one(['application/yaml', 'text/plain', 'application/merge-patch+json', '']) : 'application/json';
  // A deletion that is no dry run would change what later requests find.
  const { dryRun, ...options } = optionsOf(object, random);
  return { ...request, type, body: { ...options, dryRun: dryRun?.length === 0 ? ['All'] : (dryRun ?? ['All']) } };
}

function deleteCollection(path, object, random) {
  const query = listQuery(random);
  query.set('dryRun', 'All');
  for (const name of ['sendInitialEvents', 'allowWatchBookmarks', 'timeoutSeconds']) query.delete(name);
  const body = random(2) === 0 ? { ...optionsOf(object, random), dryRun: ['All'] } : undefined;
  return { method: 'DELETE', target: `${path}?${query}`, body };
}

const created = {
  '/binding': { apiVersion: 'v1', kind: 'Binding', metadata: {}, target: { kind: 'Node', name: 'node-1' } },
  '/eviction': { apiVersion: 'policy/v1', kind: 'Eviction', metadata: {} },
  '/token': { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'], expirationSeconds: 600 } },
  '/exec': undefined,
  '/status': { apiVersion: 'v1', kind: 'Pod' },
  '/x': {},
};

/** Creations below an object. */
function createSubresource(path, object, random, types) {
  const names = Object.keys(created);
  const subresource = names[random(names.length)];
  const body = structuredClone(created[subresource]);
  if (body?.metadata && random(4) > 0) body.metadata.name = random(5) === 0 ? 'other' : object.metadata.name;
  if (body?.kind && random(2) === 0) addFields(body, types, random);
  const name = random(10) === 0 ? 'absent' : encodeURIComponent(object.metadata.name);
  return { method: 'POST', target: `${path}/${name}${subresource}?dryRun=All`, type: 'application/json', body };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Methods and paths that a server may not serve. */
function route(path, object, random) {
  const one = (list) => list[random(list.length)];
  const name = encodeURIComponent(object.metadata.name);
  const [, group] = /^(\/apis\/[^/]+|\/api)\//.exec(path) ?? [];
  const targets = [
    ...[path, `${path}/${name}`, `${path}/`, `${path}/${name}/`, `${path}/${name}/status`, `${path}/${name}/x`, `${path}/${name}/status/x`],
    ...[
      `${path}X`,
      path.toUpperCase(),
      path.replace(/v1/, 'v9'),
      path.replace(/\/v1/, '/v1/watch'),
      path.replace(/namespaces\/compared/, 'namespaces/absent'),
    ],
    ...[
      path.replace(/\/namespaces\/compared/, ''),
      path.replace('compared', ''),
      `${path}//`,
      `/${path}`,
      path.replace(/\/v1\//, '/v1//'),
      `${group}/`,
      group,
    ],
    ...[`${group}/v1`, `${group}/v1/`, `${group}/v9`, path.replace(/(\/namespaces\/compared)/, '$1/$1'), `${path}/%2e%2e`, `${path}/.`],
  ];
  // A watch needs an end, and a deletion would change what later requests find.
  const query = `?timeoutSeconds=1&dryRun=All${one(['', '', '&dryRun=x', '&watch=x', '&watch=1'])}`;
  return { method: one(methods), target: `${one(targets)}${query}`, type: 'application/json', body: random(2) === 0 ? undefined : {} };
}

/** Builders of a request from the path of a collection and one object in it, by verb. */
export const reads = { list, get, delete: deletion, deletecollection: deleteCollection, subresource: createSubresource, route };
