import { type Attack, type AttackRequest, json, patch, post, range } from './attack.ts';

/** A stored object is limited to 1.5 MB, managedFields included. */
const tooLarge = { message: /etcdserver: request is too large/ };
const configMaps = '/api/v1/namespaces/default/configmaps';
const one = (): Iterable<AttackRequest> => [post(configMaps, { metadata: { name: 'a', labels: { a: 'b' } }, data: { k: 'v' } })];
const at = `${configMaps}/a`;
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const apply = 'application/apply-patch+yaml';

const attack = (name: string, type: string, body: () => unknown, status: number, rest: Partial<Attack> = {}): Attack => ({
  name: `${type.replace(/^application\/|\+.*$/g, '')}: ${name}`,
  setup: one,
  request: () => patch(type === apply ? `${at}?fieldManager=m&force=true` : at, type, body()),
  status,
  ...rest,
});

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const containers = (count: number) => range(count, (index) => ({ name: `c${index}`, image: 'i' }));
const podTemplate = (spec: object) => ({ selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } });
const deployment = (spec: object): AttackRequest => post(deployments, { metadata: { name: 'a' }, spec: podTemplate(spec) });
const onDeployment = (
  name: string,
  type: string,
  setup: () => object,
  body: () => unknown,
  status: number,
  rest: Partial<Attack> = {},
): Attack => ({
  name: `${type.replace(/^application\/|\+.*$/g, '')}: ${name}`,
  setup: () => [deployment(setup())],
  request: () => patch(`${deployments}/a${type === apply ? '?fieldManager=m&force=true' : ''}`, type, body()),
  status,
  ...rest,
});
const applied = (spec: object) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: podTemplate(spec) });

const definition = (schema: object): AttackRequest =>
  post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } },
      ],
    },
  });
const widget = (spec: unknown) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec });
const onWidget = (
  name: string,
  schema: object,
  request: () => AttackRequest,
  status: number,
  setup: () => Iterable<AttackRequest> = () => [],
  rest: Partial<Attack> = {},
): Attack => ({
  name,
  setup: () => [definition(schema), ...setup()],
  request,
  status,
  ...rest,
});
const mapOfKeys = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: { type: 'object', required: ['k'], properties: { k: { type: 'integer' }, v: { type: 'integer' } } },
};
const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } };
const widgetAt = '/apis/example.com/v1/widgets/a';
const applyWidget = (spec: unknown, manager = 'm') => patch(`${widgetAt}?fieldManager=${manager}&force=true`, apply, widget(spec));
const keyed = (count: number, from = 0) => range(count, (index) => ({ k: index + from, v: 1 }));

export const patchAttacks: readonly Attack[] = [
  attack('copies of the root into itself', jsonPatch, () => range(1_000, (index) => ({ op: 'copy', from: '', path: `/x${index}` })), 422),
  attack(
    'copies of a large value',
    jsonPatch,
    () => [
      { op: 'add', path: '/data/k', value: 'a'.repeat(500_000) },
      ...range(9_000, (index) => ({ op: 'copy', from: '/data/k', path: `/data/k${index}` })),
    ],
    422,
  ),
  attack(
    'copies of small values',
    jsonPatch,
    () => range(10_000, (index) => ({ op: 'copy', from: '/data/k', path: `/data/k${index}` })),
    200,
  ),
  attack('10,001 operations', jsonPatch, () => range(10_001, () => ({ op: 'test', path: '/data/k', value: 'v' })), 413),
  attack(
    'insertions at the beginning',
    jsonPatch,
    () => [
      { op: 'add', path: '/metadata/finalizers', value: range(100_000, (index) => `a.b/${index}`) },
      ...range(9_000, (index) => ({ op: 'add', path: '/metadata/finalizers/0', value: `a.c/${index}` })),
    ],
    500,
    tooLarge,
  ),
  attack(
    'removals at the beginning',
    jsonPatch,
    () => [
      { op: 'add', path: '/metadata/finalizers', value: range(100_000, (index) => `a.b/${index}`) },
      ...range(9_000, () => ({ op: 'remove', path: '/metadata/finalizers/0' })),
    ],
    500,
    tooLarge,
  ),
  attack(
    'moves',
    jsonPatch,
    () => [
      { op: 'add', path: '/metadata/finalizers', value: range(100_000, (index) => `a.b/${index}`) },
      ...range(9_000, () => ({ op: 'move', from: '/metadata/finalizers/0', path: '/metadata/finalizers/50000' })),
    ],
    500,
    tooLarge,
  ),
  attack('moves of the root', jsonPatch, () => range(10_000, () => ({ op: 'move', from: '/data', path: '/metadata/x' })), 422),
  attack(
    'tests of a large value',
    jsonPatch,
    () => [
      { op: 'add', path: '/x', value: range(20_000, String) },
      { op: 'copy', from: '/x', path: '/y' },
      ...range(9_000, () => ({ op: 'test', path: '/x', value: [] })),
    ],
    422,
  ),
  attack(
    'tests of a large value with itself',
    jsonPatch,
    () => [
      { op: 'add', path: '/x', value: range(100_000, () => 1) },
      ...range(10, () => ({ op: 'test', path: '/x', value: range(100_000, () => 1) })),
    ],
    200,
  ),
  attack('deep paths', jsonPatch, () => range(300, () => ({ op: 'add', path: '/a'.repeat(4_000), value: 1 })), 422),
  attack('paths of escapes', jsonPatch, () => [{ op: 'add', path: `/${'~1'.repeat(1_000_000)}`, value: 1 }], 200),
  attack('deep values', jsonPatch, () => `[{"op":"add","path":"/x","value":${'['.repeat(9_990)}${']'.repeat(9_990)}}]`, 200),
  attack('objects grown deep', jsonPatch, () => range(1_000, (index) => ({ op: 'add', path: '/a'.repeat(index + 1), value: {} })), 200),
  attack('nulls', mergePatch, () => `{"data":{${range(200_000, (index) => `"k${index}":null`).join(',')}}}`, 200),
  attack('a deep document', mergePatch, () => `{"x":${'{"a":'.repeat(9_990)}1${'}'.repeat(9_990)}}`, 200),
  attack('a wide document', mergePatch, () => `{${range(200_000, (index) => `"k${index}":1`).join(',')}}`, 200),
  attack('many finalizers', strategic, () => ({ metadata: { finalizers: range(100_000, (index) => `a.b/${index}`) } }), 500, tooLarge),
  attack(
    'an order of many elements',
    strategic,
    () => ({
      metadata: {
        finalizers: range(40_000, (index) => `a.b/${index}`),
        '$setElementOrder/finalizers': range(40_000, (index) => `a.b/${39_999 - index}`),
      },
    }),
    500,
    { message: /The order in patch list/ },
  ),
  attack(
    'removed finalizers',
    strategic,
    () => ({ metadata: { '$deleteFromPrimitiveList/finalizers': range(30_000, (index) => `a.b/${index}`) } }),
    200,
    {
      setup: () => [post(configMaps, { metadata: { name: 'a', finalizers: range(30_000, (index) => `a.b/${index + 1}`) } })],
    },
  ),
  attack('directives', strategic, () => `{"x":${'{"$patch":"replace","a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`, 200),
  attack(
    'many owners',
    strategic,
    () => ({ metadata: { ownerReferences: range(20_000, (index) => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: `${index}` })) } }),
    500,
    tooLarge,
  ),
  attack(
    'many owners in reverse order',
    strategic,
    () => ({
      metadata: { ownerReferences: range(12_000, (index) => ({ apiVersion: 'v1', kind: 'A', name: 'b', uid: `${11_999 - index}` })) },
    }),
    200,
    {
      setup: () => [
        post(configMaps, {
          metadata: { name: 'a', ownerReferences: range(12_000, (index) => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: `${index}` })) },
        }),
      ],
    },
  ),
  attack('keys to retain', strategic, () => ({ data: { $retainKeys: ['k', ...range(100_000, (index) => `k${index}`)], k: 'v' } }), 200),
  attack(
    'much data',
    apply,
    () =>
      json({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        data: Object.fromEntries(range(60_000, (index) => [`k${index}`, 'v'])),
      }),
    500,
    tooLarge,
  ),
  attack('much removed data', apply, () => json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }), 200, {
    setup: () => [
      patch(
        `${at}?fieldManager=m`,
        apply,
        json({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'a' },
          data: Object.fromEntries(range(40_000, (index) => [`k${index}`, 'v'])),
        }),
      ),
    ],
  }),
  attack(
    'many finalizers',
    apply,
    () => json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', finalizers: range(60_000, (index) => `a.b/${index}`) } }),
    500,
    tooLarge,
  ),
  attack(
    'duplicate finalizers',
    apply,
    () => json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', finalizers: range(60_000, (index) => `a.b/${index >> 1}`) } }),
    500,
    { message: /duplicate entries for key/ },
  ),
  attack(
    'many owners',
    apply,
    () =>
      json({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', ownerReferences: range(20_000, (index) => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: `${index}` })) },
      }),
    500,
    tooLarge,
  ),
  attack(
    'unknown fields',
    apply,
    () =>
      json({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        ...Object.fromEntries(range(100_000, (index) => [`k${index}`, 'v'])),
      }),
    500,
    { message: /.k0: field not declared in schema/ },
  ),
  attack('many managers', apply, () => json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'w' } }), 200, {
    setup: () => [
      post(configMaps, {
        metadata: {
          name: 'a',
          managedFields: range(10_000, (index) => ({
            manager: `m${index}`,
            operation: 'Apply',
            apiVersion: 'v1',
            time: '2020-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:k': {} } },
          })),
        },
        data: { k: 'v' },
      }),
    ],
  }),
  attack(
    'conflicts with many managers',
    apply,
    () => json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'w' } }),
    409,
    {
      setup: () => [
        post(configMaps, {
          metadata: {
            name: 'a',
            managedFields: range(10_000, (index) => ({
              manager: `m${index}`,
              operation: 'Apply',
              apiVersion: 'v1',
              time: '2020-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { 'f:k': {} } },
            })),
          },
          data: { k: 'v' },
        }),
      ],
      request: () =>
        patch(`${at}?fieldManager=m`, apply, json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'w' } })),
    },
  ),
  onDeployment(
    'many containers',
    apply,
    () => ({ containers: containers(1) }),
    () => applied({ containers: containers(15_000) }),
    500,
    tooLarge,
  ),
  onDeployment(
    'many containers with an order',
    strategic,
    () => ({ containers: containers(3_000) }),
    () => ({
      spec: {
        template: {
          spec: {
            containers: containers(3_000).toReversed(),
            '$setElementOrder/containers': containers(3_000)
              .toReversed()
              .map(({ name }) => ({ name })),
          },
        },
      },
    }),
    200,
  ),
  onDeployment(
    'many containers deleted',
    strategic,
    () => ({ containers: containers(3_000) }),
    () => ({ spec: { template: { spec: { containers: range(2_999, (index) => ({ name: `c${index}`, $patch: 'delete' })) } } } }),
    200,
  ),
  onDeployment(
    'many environment variables of a container',
    apply,
    () => ({ containers: containers(1) }),
    () => applied({ containers: [{ name: 'c0', image: 'i', env: range(30_000, (index) => ({ name: `E${index}`, value: 'v' })) }] }),
    500,
    tooLarge,
  ),
  onDeployment(
    'duplicate environment variables',
    apply,
    () => ({ containers: containers(1) }),
    () => applied({ containers: [{ name: 'c0', image: 'i', env: range(30_000, (index) => ({ name: `E${index >> 1}`, value: 'v' })) }] }),
    500,
    { message: /duplicate entries for key/ },
  ),
  onDeployment(
    'environment variables over duplicate ones',
    apply,
    () => ({ containers: [{ name: 'c0', image: 'i', env: range(20_000, (index) => ({ name: `E${index >> 1}`, value: 'v' })) }] }),
    () => applied({ containers: [{ name: 'c0', image: 'i', env: range(10_000, (index) => ({ name: `E${index}`, value: 'w' })) }] }),
    200,
  ),
  onWidget(
    'apply-patch: a list with 100,000 keys',
    mapOfKeys,
    () => applyWidget(keyed(100_000)),
    500,
    () => [],
    tooLarge,
  ),
  onWidget(
    'apply-patch: 100,000 other keys',
    mapOfKeys,
    () => applyWidget(keyed(100_000, 15_000)),
    500,
    () => [applyWidget(keyed(15_000))],
    tooLarge,
  ),
  onWidget(
    'apply-patch: the same keys by another manager',
    mapOfKeys,
    () => applyWidget(keyed(9_000), 'n'),
    200,
    () => [applyWidget(keyed(9_000))],
  ),
  onWidget(
    'apply-patch: conflicts in many keys',
    mapOfKeys,
    () => patch(`${widgetAt}?fieldManager=n`, apply, widget(keyed(15_000).map((item) => ({ ...item, v: 2 })))),
    409,
    () => [applyWidget(keyed(15_000))],
  ),
  onWidget(
    'apply-patch: keys in another order',
    mapOfKeys,
    () => applyWidget(keyed(15_000).toReversed()),
    200,
    () => [applyWidget(keyed(15_000))],
  ),
  onWidget('apply-patch: duplicate keys', mapOfKeys, () => applyWidget(range(60_000, (index) => ({ k: index >> 1 }))), 500),
  onWidget(
    'apply-patch: a set of 100,000',
    set,
    () => applyWidget(range(100_000, (index) => index)),
    500,
    () => [],
    tooLarge,
  ),
  onWidget(
    'apply-patch: another large set',
    set,
    () => applyWidget(range(50_000, (index) => index + 25_000)),
    200,
    () => [applyWidget(range(50_000, (index) => index))],
  ),
  onWidget('apply-patch: a set with repetitions', set, () => applyWidget(range(100_000, (index) => index >> 1)), 500),
  onWidget('creation: a list with 100,000 keys', mapOfKeys, () => post('/apis/example.com/v1/widgets', widget(keyed(100_000))), 500),
  onWidget(
    'creation: duplicate keys',
    mapOfKeys,
    () => post('/apis/example.com/v1/widgets', widget(range(100_000, (index) => ({ k: index >> 1 })))),
    422,
  ),
  onWidget('creation: a set of 300,000', set, () => post('/apis/example.com/v1/widgets', widget(range(300_000, (index) => index))), 500),
  onWidget(
    'creation: a set of objects',
    {
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'integer' } } },
    },
    () => post('/apis/example.com/v1/widgets', widget(range(50_000, (index) => ({ a: index })))),
    201,
  ),
  onWidget(
    'creation: elements that must be unique',
    { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    () => post('/apis/example.com/v1/widgets', widget(range(100_000, () => ({ a: { b: [1] } })))),
    500,
  ),
  onWidget(
    'creation: 300,000 errors',
    { type: 'array', items: { type: 'string', minLength: 3 } },
    () => post('/apis/example.com/v1/widgets', widget(range(300_000, () => 'a'))),
    422,
  ),
  onWidget(
    'creation: 300,000 wrong types',
    { type: 'array', items: { type: 'string' } },
    () => post('/apis/example.com/v1/widgets', widget(range(300_000, () => 1))),
    422,
  ),
  onWidget(
    'creation: 100,000 unknown fields',
    { type: 'object' },
    () =>
      post('/apis/example.com/v1/widgets?fieldValidation=Strict', widget(Object.fromEntries(range(100_000, (index) => [`k${index}`, 1])))),
    400,
  ),
  onWidget(
    'creation: defaults of 100,000 elements',
    {
      type: 'array',
      items: { type: 'object', properties: Object.fromEntries(range(20, (index) => [`f${index}`, { type: 'string', default: 'x' }])) },
    },
    () => post('/apis/example.com/v1/widgets', widget(range(100_000, () => ({})))),
    500,
  ),
  onWidget(
    'creation: large defaults of 100,000 elements',
    { type: 'array', items: { type: 'object', properties: { f: { type: 'string', default: 'x'.repeat(1_000) } } } },
    () => post('/apis/example.com/v1/widgets', widget(range(100_000, () => ({})))),
    500,
  ),
  onWidget(
    'creation: an unknown field of a deep value',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    () =>
      post(
        '/apis/example.com/v1/widgets',
        `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"x":${'{"a":'.repeat(9_990)}1${'}'.repeat(9_990)}}}`,
      ),
    201,
  ),
  onWidget(
    'creation: many enumerations',
    { type: 'array', items: { type: 'string', enum: range(5_000, (index) => `e${index}`) } },
    () => post('/apis/example.com/v1/widgets', widget(range(100_000, () => 'e4999'))),
    201,
  ),
  onWidget(
    'creation: enumerations that fail',
    { type: 'array', items: { type: 'string', enum: range(5_000, (index) => `e${index}`) } },
    () => post('/apis/example.com/v1/widgets', widget(range(30_000, () => 'x'))),
    422,
  ),
  onWidget(
    'creation: alternatives',
    {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, anyOf: range(100, (index) => ({ required: [`f${index}`] })) },
    },
    () => post('/apis/example.com/v1/widgets', widget(range(20_000, () => ({ f99: 1 })))),
    201,
  ),
  onWidget(
    'creation: formats',
    { type: 'array', items: { type: 'string', format: 'date-time' } },
    () => post('/apis/example.com/v1/widgets', widget(range(100_000, () => '2020-01-01T00:00:00Z'))),
    500,
  ),
  onWidget(
    'creation: a long address',
    {
      type: 'object',
      properties: Object.fromEntries(
        [
          'email',
          'hostname',
          'uri',
          'ipv6',
          'cidr',
          'mac',
          'uuid',
          'duration',
          'date',
          'byte',
          'isbn',
          'creditcard',
          'ssn',
          'hexcolor',
          'rgbcolor',
          'datetime',
        ].map((format) => [format, { type: 'string', format }]),
      ),
    },
    () =>
      post(
        '/apis/example.com/v1/widgets',
        widget(
          Object.fromEntries(
            [
              'email',
              'hostname',
              'uri',
              'ipv6',
              'cidr',
              'mac',
              'uuid',
              'duration',
              'date',
              'byte',
              'isbn',
              'creditcard',
              'ssn',
              'hexcolor',
              'rgbcolor',
              'datetime',
            ].map((format) => [format, 'a1:'.repeat(50_000)]),
          ),
        ),
      ),
    422,
  ),
];
