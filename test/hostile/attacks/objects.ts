import { type Attack, type AttackRequest, get, json, post, range } from './attack.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definitionOf = (name: string, schema: unknown, group = 'example.com') => ({
  metadata: { name: `${name}.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: name, kind: name.toUpperCase() },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
const definition = (name: string, schema: object, group?: string): AttackRequest => post(definitions, definitionOf(name, schema, group));
const nested = (depth: number, inner: object): object =>
  range(depth, () => 0).reduce<object>((schema) => ({ type: 'object', properties: { a: schema } }), inner);
/** As text, since JSON.stringify is recursive. */
const nestedDefinition = (depth: number): AttackRequest =>
  post(
    definitions,
    json(definitionOf('ws', 'SCHEMA')).replace(
      '"SCHEMA"',
      () => `${'{"type":"object","properties":{"a":'.repeat(depth)}{"type":"string"}${'}}'.repeat(depth)}`,
    ),
  );
const wide = (count: number, each: (index: number) => object = () => ({ type: 'string' })): object => ({
  type: 'object',
  properties: Object.fromEntries(range(count, (at) => [`f${at}`, each(at)])),
});
/** Nested defaults: each level has ten of the next one. A default of the root would need a kind. */
const defaults = (levels: number): object => ({
  ...range(levels, () => 0).reduce<object>(
    (schema) => ({ type: 'object', default: {}, properties: Object.fromEntries(range(10, (at) => [`f${at}`, schema])) }),
    { type: 'string', default: 'x' },
  ),
  default: undefined,
});
const creation = (name: string, request: () => AttackRequest, status: number, rest: Partial<Attack> = {}): Attack => ({
  name,
  request,
  status,
  ...rest,
});

/** etcd's error for requests above 1.5 MB. */
/** Some objects are stored without their managedFields, as kube-apiserver 1.34.4 does with these requests; larger ones are refused. */
const tooLarge = /etcdserver: request is too large/;

const pods = '/api/v1/namespaces/default/pods';
const pod = (spec: object): AttackRequest => post(pods, { metadata: { name: 'a' }, spec });
const configMaps = '/api/v1/namespaces/default/configmaps';
const account = post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });

const objects = (count: number): Iterable<AttackRequest> =>
  range(count, (at) =>
    post(configMaps, {
      metadata: { name: `a${at}`, labels: { app: 'x', tier: 'y', at: `${at}` }, annotations: { note: 'something to say about it' } },
      data: { one: 'x'.repeat(200), two: 'y'.repeat(200) },
    }),
  );
/** One function for each count, since attacks with the same setup share its result. */
const setups = { 3000: () => objects(3_000), 5000: () => objects(5_000), 8000: () => objects(8_000) };
const hundredDefinitions = (): Iterable<AttackRequest> => range(100, (at) => definition(`ws${at}`, wide(300)));
const listOf = (
  name: string,
  count: keyof typeof setups,
  accept: string,
  query = '',
  more: Readonly<Record<string, string>> = {},
): Attack => ({
  name: `list: ${count} ${name}`,
  setup: setups[count],
  request: () => get(`${configMaps}${query}`, { accept, ...more }),
  status: 200,
});
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export const objectAttacks: readonly Attack[] = [
  creation('definition: 3,000 levels', () => nestedDefinition(3_000), 400, {
    message: /exceeded max depth/,
  }),
  creation('definition: 50,000 properties', () => definition('ws', wide(50_000)), 201),
  creation(
    'definition: 50,000 bad properties',
    () =>
      definition(
        'ws',
        wide(50_000, () => ({ type: 'x', minimum: 'a' })),
      ),
    400,
  ),
  creation(
    'definition: 20,000 properties without a type',
    () =>
      definition(
        'ws',
        wide(20_000, () => ({ properties: {} })),
      ),
    422,
  ),
  creation('definition: defaults in defaults', () => definition('ws', defaults(4)), 201),
  creation(
    'definition: a large default',
    () =>
      definition('ws', {
        type: 'object',
        properties: { spec: { type: 'array', items: { type: 'integer' }, default: range(300_000, () => 1) } },
      }),
    201,
  ),
  creation(
    'definition: a default with invalid elements',
    () =>
      definition('ws', {
        type: 'object',
        properties: { spec: { type: 'array', items: { type: 'integer' }, default: range(100_000, () => 'x') } },
      }),
    422,
  ),
  creation(
    'definition: 20,000 alternatives',
    () => definition('ws', { type: 'object', properties: { a: { type: 'string', anyOf: range(20_000, () => ({ minLength: 1 })) } } }),
    201,
  ),
  creation(
    'definition: deep alternatives',
    () =>
      definition('ws', {
        type: 'object',
        properties: { a: { type: 'string', ...range(2_000, () => 0).reduce<object>((schema) => ({ not: schema }), { minLength: 1 }) } },
      }),
    400,
    { message: /exceeded max depth/ },
  ),
  creation(
    'definition: 30,000 values',
    () => definition('ws', { type: 'object', properties: { a: { type: 'string', enum: range(100_000, (at) => `e${at}`) } } }),
    201,
  ),
  creation(
    'definition: 2,000 versions',
    () =>
      post(definitions, {
        metadata: { name: 'ws.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'ws', kind: 'WS' },
          versions: range(2_000, (at) => ({
            name: `v${at + 1}`,
            served: true,
            storage: at === 0,
            schema: { openAPIV3Schema: { type: 'object' } },
          })),
        },
      }),
    201,
  ),
  creation(
    'definition: 10,000 versions of the same name',
    () =>
      post(definitions, {
        metadata: { name: 'ws.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'ws', kind: 'WS' },
          versions: range(10_000, () => ({ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } })),
        },
      }),
    422,
  ),
  creation(
    'definition: 5,000 columns',
    () =>
      post(definitions, {
        metadata: { name: 'ws.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'ws', kind: 'WS', shortNames: range(5_000, (at) => `w${at}`) },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object' } },
              additionalPrinterColumns: range(5_000, (at) => ({ name: `c${at}`, type: 'string', jsonPath: '.spec.a[?(@.b=="c")].d' })),
            },
          ],
        },
      }),
    201,
  ),
  creation(
    'definition: a long path of a column',
    () =>
      post(definitions, {
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
              schema: { openAPIV3Schema: { type: 'object' } },
              additionalPrinterColumns: [{ name: 'c', type: 'string', jsonPath: `.${'..a'.repeat(300_000)}` }],
            },
          ],
        },
      }),
    // Columns are evaluated when a table is built.
    201,
  ),
  creation('column: recursive descents', () => get('/apis/example.com/v1/ws', { accept: table }), 200, {
    setup: () => [
      post(definitions, {
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
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
              additionalPrinterColumns: [
                { name: 'c', type: 'string', jsonPath: `.spec${'..a'.repeat(20)}` },
                { name: 'd', type: 'string', jsonPath: '.spec..*..*..*..*' },
              ],
            },
          ],
        },
      }),
      post(
        '/apis/example.com/v1/ws',
        `{"apiVersion":"example.com/v1","kind":"WS","metadata":{"name":"a"},"spec":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`,
      ),
    ],
  }),
  creation(
    'schema: objects with defaults in defaults',
    () => post('/apis/example.com/v1/ws', { apiVersion: 'example.com/v1', kind: 'WS', metadata: { name: 'a' }, f0: {} }),
    201,
    { setup: () => [definition('ws', defaults(4))] },
  ),
  creation('definitions: the OpenAPI document of 100 definitions', () => get('/openapi/v2'), 200, {
    setup: hundredDefinitions,
  }),
  creation('definitions: the OpenAPI document of a group', () => get('/openapi/v3/apis/example.com/v1'), 200, {
    setup: hundredDefinitions,
  }),
  creation(
    'definitions: the OpenAPI document of a group in protobuf',
    () => get('/openapi/v2', { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' }),
    200,
    { setup: hundredDefinitions },
  ),
  creation('definitions: the OpenAPI document of a large definition', () => get('/openapi/v3/apis/example.com/v1'), 200, {
    setup: () => [definition('ws', wide(50_000))],
  }),
  creation('definitions: the OpenAPI document of a deep definition', () => get('/openapi/v3/apis/example.com/v1'), 200, {
    setup: () => [definition('ws', nested(900, { type: 'string' }))],
  }),
  creation(
    'definitions: discovery of 300 definitions',
    () => get('/apis', { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }),
    200,
    { setup: () => range(300, (at) => definition(`ws${at}`, { type: 'object' }, `g${at}.example.com`)) },
  ),
  creation('pod: 10,000 containers', () => pod({ containers: range(10_000, (at) => ({ name: `c${at}`, image: 'i' })) }), 500, {
    setup: () => [account],
    message: tooLarge,
  }),
  creation('pod: 10,000 containers with the same name', () => pod({ containers: range(10_000, () => ({ name: 'c', image: 'i' })) }), 422, {
    setup: () => [account],
  }),
  creation('pod: 10,000 bad containers', () => pod({ containers: range(10_000, () => ({})) }), 422, { setup: () => [account] }),
  creation(
    'pod: 30,000 variables',
    () => pod({ containers: [{ name: 'c', image: 'i', env: range(30_000, (at) => ({ name: `E${at}`, value: 'v' })) }] }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: 30,000 ports',
    () =>
      pod({
        containers: [
          { name: 'c', image: 'i', ports: range(30_000, (at) => ({ containerPort: at + 1, hostPort: at + 1, name: `p${at}` })) },
        ],
      }),
    500,
    { setup: () => [account], message: tooLarge },
  ),
  creation(
    'pod: 10,000 volumes',
    () =>
      pod({
        containers: [{ name: 'c', image: 'i', volumeMounts: range(10_000, (at) => ({ name: `v${at}`, mountPath: `/m${at}` })) }],
        volumes: range(10_000, (at) => ({ name: `v${at}`, emptyDir: {} })),
      }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: 30,000 tolerations',
    () => pod({ containers: [{ name: 'c', image: 'i' }], tolerations: range(30_000, (at) => ({ key: `k${at}`, operator: 'Exists' })) }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: 20,000 spread constraints',
    () =>
      pod({
        containers: [{ name: 'c', image: 'i' }],
        topologySpreadConstraints: range(10_000, (at) => ({
          maxSkew: 1,
          topologyKey: `k${at}`,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: {},
        })),
      }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: 20,000 aliases',
    () => pod({ containers: [{ name: 'c', image: 'i' }], hostAliases: range(20_000, () => ({ ip: '1.2.3.4', hostnames: ['a', 'b'] })) }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: 20,000 terms of affinity',
    () =>
      pod({
        containers: [{ name: 'c', image: 'i' }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: range(20_000, () => ({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] })),
            },
          },
        },
      }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: 30,000 secrets to pull images',
    () => pod({ containers: [{ name: 'c', image: 'i' }], imagePullSecrets: range(30_000, (at) => ({ name: `s${at}` })) }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: 20,000 resources',
    () =>
      pod({
        containers: [{ name: 'c', image: 'i', resources: { limits: Object.fromEntries(range(20_000, (at) => [`a.b/r${at}`, '1'])) } }],
      }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: 20,000 sysctls',
    () =>
      pod({
        containers: [{ name: 'c', image: 'i' }],
        securityContext: { sysctls: range(20_000, (at) => ({ name: `a.b${at}`, value: '1' })) },
      }),
    201,
    { setup: () => [account] },
  ),
  creation(
    'pod: a quantity of 100,000 digits',
    () => pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '9'.repeat(100_000) } } }] }),
    // The real server computes with all these digits.
    400,
    { setup: () => [account], message: /unable to parse numeric part of quantity/ },
  ),
  creation(
    'pod: a quantity with a large exponent',
    () => pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1e2147483647' } } }] }),
    // The real server computes with all these digits.
    400,
    { setup: () => [account], message: /unable to parse quantity's suffix/ },
  ),
  creation(
    'service: 10,000 ports',
    () =>
      post('/api/v1/namespaces/default/services', {
        metadata: { name: 'a' },
        spec: { ports: range(10_000, (at) => ({ name: `p${at}`, port: at + 1 })) },
      }),
    201,
  ),
  creation(
    'service: 20,000 addresses',
    () =>
      post('/api/v1/namespaces/default/services', {
        metadata: { name: 'a' },
        spec: { ports: [{ port: 1 }], externalIPs: range(20_000, (at) => `1.2.${at >> 8}.${at & 255}`), loadBalancerSourceRanges: [] },
      }),
    201,
  ),
  creation(
    'endpoints: 30,000 addresses',
    () =>
      post('/api/v1/namespaces/default/endpoints', {
        metadata: { name: 'a' },
        subsets: [{ addresses: range(30_000, (at) => ({ ip: `1.2.${at >> 8}.${at & 255}` })), ports: [{ port: 1 }] }],
      }),
    201,
  ),
  creation(
    'network policy: 20,000 rules',
    () =>
      post('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
        metadata: { name: 'a' },
        spec: { podSelector: {}, ingress: range(20_000, () => ({ from: [{ podSelector: { matchLabels: { a: 'b' } } }] })) },
      }),
    201,
  ),
  creation(
    'ingress: 20,000 rules',
    () =>
      post('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
        metadata: { name: 'a' },
        spec: {
          rules: range(15_000, (at) => ({
            host: `a${at}.b`,
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'a', port: { number: 80 } } } }] },
          })),
        },
      }),
    500,
    { message: tooLarge },
  ),
  creation(
    'role binding: 30,000 subjects',
    () =>
      post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'a' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' },
        subjects: range(30_000, (at) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: `u${at}` })),
      }),
    500,
    { message: tooLarge },
  ),
  creation(
    'role: a rule of 100,000 names',
    () =>
      post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'a' },
        rules: [{ apiGroups: [''], resources: range(100_000, (at) => `r${at}`), verbs: ['get'] }],
      }),
    201,
  ),
  creation(
    'secret: 100,000 entries',
    () =>
      post('/api/v1/namespaces/default/secrets', {
        metadata: { name: 'a' },
        data: Object.fromEntries(range(80_000, (at) => [`k${at}`, 'YQ=='])),
      }),
    201,
  ),
  creation(
    'node: 30,000 images',
    () =>
      post('/api/v1/nodes', {
        metadata: { name: 'a' },
        spec: { taints: range(20_000, (at) => ({ key: `k${at}`, effect: 'NoSchedule' })) },
        status: { images: range(20_000, (at) => ({ names: [`i${at}`] })) },
      }),
    201,
  ),
  creation(
    'resource quota: 30,000 resources',
    () =>
      post('/api/v1/namespaces/default/resourcequotas', {
        metadata: { name: 'a' },
        spec: { hard: Object.fromEntries(range(30_000, (at) => [`count/r${at}.a.b`, '1'])) },
      }),
    201,
  ),
  creation(
    'limit range: 20,000 limits',
    () =>
      post('/api/v1/namespaces/default/limitranges', {
        metadata: { name: 'a' },
        spec: { limits: range(20_000, () => ({ type: 'Container', max: { cpu: '1' } })) },
      }),
    422,
  ),
  creation(
    'endpoint slice: 1,000 endpoints',
    () =>
      post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
        metadata: { name: 'a' },
        addressType: 'IPv4',
        endpoints: range(20_000, (at) => ({ addresses: [`1.2.${at >> 8}.${at & 255}`] })),
        ports: [],
      }),
    422,
  ),
  creation('table: of a pod with 2,000 containers', () => get(pods, { accept: table }), 200, {
    setup: () => [account, pod({ containers: range(2_000, (at) => ({ name: `c${at}`, image: 'i' })) })],
  }),
  creation(
    'webhooks: 5,000',
    () =>
      post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name: 'w' },
        webhooks: range(5_000, (at) => ({
          name: `w${at}.example.com`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: 'https://a.b/x' },
          rules: [],
        })),
      }),
    201,
  ),
  creation(
    'flow schema: 20,000 rules',
    () =>
      post('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', {
        metadata: { name: 'a' },
        spec: {
          priorityLevelConfiguration: { name: 'a' },
          matchingPrecedence: 1_000,
          rules: range(8_000, (at) => ({
            subjects: [{ kind: 'User', user: { name: `u${at}` } }],
            resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] }],
          })),
        },
      }),
    201,
  ),
  creation(
    'review: an invalid token',
    () => post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'a'.repeat(2_000_000) } }),
    201,
  ),
  creation(
    'event: a long note',
    () =>
      post('/apis/events.k8s.io/v1/namespaces/default/events', {
        metadata: { name: 'a' },
        note: 'a'.repeat(2_000_000),
        eventTime: '2020-01-01T00:00:00.000000Z',
      }),
    422,
  ),
  creation(
    'lease: a minimal object',
    () => post('/apis/coordination.k8s.io/v1/namespaces/default/leases', { metadata: { name: 'a' } }),
    201,
  ),
  listOf('objects', 8_000, 'application/json'),
  listOf('objects, indented', 5_000, 'application/json', '?pretty=1'),
  listOf('objects in YAML', 8_000, 'application/yaml'),
  listOf('objects in protobuf', 8_000, 'application/vnd.kubernetes.protobuf'),
  listOf('objects as a table', 5_000, table),
  listOf('objects as a table with full objects', 5_000, table, '?includeObject=Object'),
  listOf('objects as metadata', 5_000, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'),
  listOf('objects as metadata in protobuf', 5_000, 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'),
  listOf('objects in gzip', 5_000, 'application/json', '', { 'accept-encoding': 'gzip' }),
  listOf('objects selected', 5_000, 'application/json', '?labelSelector=at!=x'),
  listOf('objects selected by field', 5_000, 'application/json', '?fieldSelector=metadata.name!=x'),
  {
    name: 'list: a watch with the initial events of 8,000 objects that selects one',
    setup: setups[8_000],
    request: () => get(`${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&labelSelector=at=7999`),
    status: 200,
  },
  {
    name: 'list: a deletion of 8,000 objects',
    setup: setups[8_000],
    request: () => ({ method: 'DELETE', target: configMaps }),
    status: 200,
  },
  {
    name: 'list: 3,000 custom objects',
    setup: () => [
      definition('ws', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
      ...range(3_000, (at) =>
        post('/apis/example.com/v1/ws', {
          apiVersion: 'example.com/v1',
          kind: 'WS',
          metadata: { name: `a${at}` },
          spec: { a: 'x'.repeat(200), b: [1, 2, 3, { c: 'd' }] },
        }),
      ),
    ],
    request: () => get('/apis/example.com/v1/ws'),
    status: 200,
  },
  {
    name: 'list: 3,000 pods as a table',
    setup: () => [
      account,
      ...range(3_000, (at) => post(pods, { metadata: { name: `a${at}` }, spec: { containers: [{ name: 'c', image: 'i' }] } })),
    ],
    request: () => get(pods, { accept: table }),
    status: 200,
  },
];
