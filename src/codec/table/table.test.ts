import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type JsonObject, productByName } from '../../meta/index.ts';
import {
  createCatalog,
  createDescribeColumn,
  createPlainCustomVersion,
  loadDescriptions,
  type Resource,
  readSchemaNode,
} from '../../schema/index.ts';
import { columnsOf, parseIncludeObject, tableOf } from './index.ts';
import { printerColumns } from './printer-columns.ts';

const product = productByName('kubernetes');
const catalog = createCatalog(product);
const describeColumn = createDescribeColumn(await loadDescriptions(), product);
const nowMs = Date.parse('2026-11-21T06:02:40Z');
const factsAt = (path: string): URL => new URL(`../../../test/${path}`, import.meta.url);
const readJson = (url: URL): unknown => JSON.parse(readFileSync(url, 'utf8'));

interface ColumnFacts {
  readonly kinds: Readonly<Record<string, { readonly columns: readonly (readonly [string, string, string, number, string])[] }>>;
}
const facts = readJson(new URL('../../../test/facts/catalog/columns.json', import.meta.url)) as ColumnFacts;
const typeLetters: Readonly<Record<string, string>> = { string: 's', integer: 'i', boolean: 'b', date: 'd' };

test('every kind has the columns of kube-apiserver', () => {
  for (const [kind, { columns }] of Object.entries(facts.kinds)) {
    const own = columnsOf({ kind, custom: undefined }).map(({ name, type, format, priority }) => [
      name,
      typeLetters[type],
      format,
      priority,
    ]);
    expect(own, kind).toEqual(columns.map((column) => column.slice(0, 4)));
  }
});

test('every column has a description', () => {
  for (const kind of Object.keys(facts.kinds)) {
    for (const { name } of columnsOf({ kind, custom: undefined })) expect(describeColumn(kind, name), `${kind} ${name}`).not.toBe('');
  }
});

function resourceOf(groupVersion: string, name: string): Resource {
  const resource = catalog.resource(groupVersion, name);
  if (!resource) throw new Error(`no ${groupVersion} ${name}`);
  return resource;
}

function cellsOf(resource: Pick<Resource, 'kind' | 'custom'>, object: JsonObject, now: number = nowMs): unknown {
  const table = tableOf({
    resource: resource as Resource,
    apiVersion: 'meta.k8s.io/v1',
    objects: [object],
    metadata: {},
    metadataOf: (object) => object['metadata'] as JsonObject,
    wholeOf: (object) => object,
    includeObject: 'None',
    headers: true,
    describeColumn,
    context: { nowMs: now, product },
  });
  return (table['rows'] as readonly { readonly cells: unknown }[])[0]?.cells;
}

const builtIn = (kind: string): Pick<Resource, 'kind' | 'custom'> => ({ kind, custom: undefined });

interface Pair {
  readonly name: string;
  readonly path: string;
  readonly output: JsonObject;
}

/** Recorded objects by `group/version/resource/name`. */
const recordedObjects = new Map<string, JsonObject>(
  readdirSync(factsAt('facts/catalog/defaulting'))
    .flatMap((file) => readJson(factsAt(`facts/catalog/defaulting/${file}`)) as readonly Pair[])
    .flatMap(({ path, output }) => {
      const resource = path.replace(/^\/apis?\//, '').replace(/namespaces\/[^/]+\/(?=[a-z])/, '');
      const name = (output['metadata'] as JsonObject | undefined)?.['name'];
      return typeof name === 'string' ? [[`${resource}/${name}`, output] as const] : [];
    }),
);

/** Ages depend on the time of the recording. */
const masked = (cells: unknown, columns: readonly { readonly name: string }[]): unknown =>
  (cells as readonly unknown[]).map((cell, at) =>
    /^(Age|Last Seen|First Seen|TimeAdded)$/.test(columns[at]?.name ?? 'Age') ? '<age>' : cell,
  );

/** Objects that changed between the recordings of object and row. */
const changedLater: ReadonlySet<string> = new Set(['v1/pods/d-rich']);

test('creates the recorded rows from the recorded objects', () => {
  const examples = readJson(factsAt('facts/catalog/table-examples.json')) as Readonly<Record<string, readonly (readonly unknown[])[]>>;
  let compared = 0;
  for (const [key, rows] of Object.entries(examples)) {
    // Stored as core events, which determine their cells.
    if (key.startsWith('events.k8s.io/')) continue;
    for (const row of rows) {
      const id = `${key}/${row.find((cell) => recordedObjects.has(`${key}/${cell}`))}`;
      const object = recordedObjects.get(id);
      if (!object || changedLater.has(id)) continue;
      const kind = String(object['kind']);
      const columns = columnsOf(builtIn(kind));
      expect(masked(cellsOf(builtIn(kind), object), columns), `${key} ${row[0]}`).toEqual(masked(row, columns));
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(70);
});

interface Step {
  readonly do?: { readonly method: string; readonly path: string };
  readonly expect?: { readonly json?: JsonObject };
}

/** The responses of a scenario with JSON: the objects that its requests wrote, by name, and the tables after them. */
function* tablesOf(
  steps: readonly Step[],
): Iterable<{ readonly path: string; readonly table: JsonObject; readonly made: ReadonlyMap<unknown, JsonObject> }> {
  const made = new Map<unknown, JsonObject>();
  for (const { do: request, expect: answer } of steps) {
    const json = answer?.json;
    if (!request || !json) continue;
    if (json['kind'] === 'Table') yield { path: request.path, table: json, made };
    else if (request.method !== 'GET') made.set((json['metadata'] as JsonObject | undefined)?.['name'], json);
  }
}

test('creates the recorded rows from the objects of scenarios', () => {
  let compared = 0;
  for (const file of readdirSync(factsAt('conformance/scenarios/objects/table'))) {
    const { steps } = readJson(factsAt(`conformance/scenarios/objects/table/${file}`)) as { readonly steps: readonly Step[] };
    for (const { path, table, made } of tablesOf(steps)) {
      const columns = table['columnDefinitions'] as readonly { readonly name: string }[];
      for (const { cells } of (table['rows'] ?? []) as readonly { readonly cells: readonly unknown[] }[]) {
        const object = made.get(cells[0]);
        if (!object || cells[0] === '<ns>') continue;
        const own = cellsOf(builtIn(String(object['kind'])), object) as readonly unknown[];
        const expected = cells.map((cell, at) => (cell === '<loose>' ? own[at] : cell));
        expect(own, `${file} ${path}`).toEqual(expected);
        expect(own).toHaveLength(columns.length);
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(25);
});

const running = { running: { startedAt: '2026-11-21T06:00:00Z' } };
const ended = (exitCode: number, more: JsonObject = {}): JsonObject => ({ terminated: { exitCode, ...more } });
const pods: readonly (readonly [what: string, pod: JsonObject, cells: readonly unknown[]])[] = [
  ['without a status', { spec: { containers: [{ name: 'a' }] } }, ['0/1', '', '0']],
  [
    'running after a restart',
    {
      spec: { containers: [{ name: 'a' }, { name: 'b' }] },
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', ready: true, restartCount: 2, state: running, lastState: ended(1, { finishedAt: '2026-11-21T06:01:40Z' }) },
          { name: 'b', ready: false, restartCount: 0, state: running },
        ],
      },
    },
    ['1/2', 'Running', '2 (60s ago)'],
  ],
  [
    'in a crash loop',
    {
      spec: { containers: [{ name: 'a' }] },
      status: { phase: 'Running', containerStatuses: [{ name: 'a', restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
    },
    ['0/1', 'CrashLoopBackOff', '4'],
  ],
  [
    'killed by a signal',
    {
      spec: { containers: [{ name: 'a' }] },
      status: { phase: 'Failed', containerStatuses: [{ name: 'a', state: ended(137, { signal: 9 }) }] },
    },
    ['0/1', 'Signal:9', '0'],
  ],
  [
    'terminated with an exit code',
    { spec: { containers: [{ name: 'a' }] }, status: { phase: 'Failed', containerStatuses: [{ name: 'a', state: ended(3) }] } },
    ['0/1', 'ExitCode:3', '0'],
  ],
  [
    'in its second init container',
    {
      spec: { initContainers: [{ name: 'i' }, { name: 'j' }], containers: [{ name: 'a' }] },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'i', state: ended(0), restartCount: 1 },
          { name: 'j', state: running },
        ],
        containerStatuses: [{ name: 'a', state: { waiting: { reason: 'PodInitializing' } } }],
      },
    },
    ['0/1', 'Init:1/2', '1'],
  ],
  [
    'whose init container failed',
    {
      spec: { initContainers: [{ name: 'i' }], containers: [{ name: 'a' }] },
      status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: ended(1, { reason: 'Error' }), restartCount: 0 }] },
    },
    ['0/1', 'Init:Error', '0'],
  ],
  [
    'with a sidecar',
    {
      spec: { initContainers: [{ name: 's', restartPolicy: 'Always' }], containers: [{ name: 'a' }] },
      status: {
        phase: 'Running',
        initContainerStatuses: [{ name: 's', started: true, ready: true, restartCount: 1, state: running }],
        containerStatuses: [{ name: 'a', ready: true, restartCount: 0, state: running }],
      },
    },
    ['2/2', 'Running', '1'],
  ],
  [
    'with one completed container',
    {
      spec: { containers: [{ name: 'a' }, { name: 'b' }] },
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', state: ended(0, { reason: 'Completed' }) },
          { name: 'b', ready: true, state: running },
        ],
      },
    },
    ['1/2', 'NotReady', '0'],
  ],
  [
    'waiting for readiness gates',
    {
      spec: { containers: [{ name: 'a' }] },
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    },
    ['0/1', 'SchedulingGated', '0'],
  ],
  [
    'being deleted',
    { metadata: { deletionTimestamp: '2026-11-21T06:02:39Z' }, spec: { containers: [{ name: 'a' }] }, status: { phase: 'Running' } },
    ['0/1', 'Terminating', '0'],
  ],
  [
    'on a lost node',
    {
      metadata: { deletionTimestamp: '2026-11-21T06:02:39Z' },
      spec: { containers: [{ name: 'a' }] },
      status: { phase: 'Running', reason: 'NodeLost' },
    },
    ['0/1', 'Unknown', '0'],
  ],
  ['evicted', { spec: { containers: [{ name: 'a' }] }, status: { phase: 'Failed', reason: 'Evicted' } }, ['0/1', 'Evicted', '0']],
];

test.each(pods)('a pod %s', (_, pod, cells) => {
  expect((cellsOf(builtIn('Pod'), pod) as readonly unknown[]).slice(1, 4)).toEqual(cells);
});

test('marks the row of a completed pod', () => {
  const pod = { metadata: { name: 'a' }, status: { phase: 'Succeeded' } };
  const table = tableOf({
    resource: resourceOf('v1', 'pods'),
    apiVersion: 'meta.k8s.io/v1',
    objects: [pod],
    metadata: { resourceVersion: '1' },
    metadataOf: (object) => object['metadata'] as JsonObject,
    wholeOf: (object) => object,
    includeObject: 'Metadata',
    headers: false,
    describeColumn,
    context: { nowMs, product },
  });
  expect(JSON.parse(JSON.stringify(table))).toEqual({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '1' },
    columnDefinitions: null,
    rows: [
      {
        cells: ['a', '0/0', 'Succeeded', '0', '<unknown>', '<none>', '<none>', '<none>', '<none>'],
        conditions: [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }],
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } },
      },
    ],
  });
});

const rows: readonly (readonly [kind: string, object: JsonObject, column: string, cell: unknown])[] = [
  ['Service', { spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }] } }, 'External-IP', '<pending>'],
  ['Service', { spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }] } }, 'Port(s)', '80:30080/TCP'],
  [
    'Service',
    {
      spec: { type: 'LoadBalancer', externalIPs: ['9.9.9.9'] },
      status: { loadBalancer: { ingress: [{ ip: '2.2.2.2' }, { ip: '1.1.1.1' }] } },
    },
    'External-IP',
    '1.1.1.1,2.2.2.2,9.9.9.9',
  ],
  [
    'Node',
    {
      metadata: { labels: { 'node-role.kubernetes.io/b': '', 'node-role.kubernetes.io/a': '', 'kubernetes.io/role': 'c' } },
      spec: { unschedulable: true },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    },
    'Roles',
    'a,b,c',
  ],
  [
    'Node',
    { spec: { unschedulable: true }, status: { conditions: [{ type: 'Ready', status: 'False' }] } },
    'Status',
    'NotReady,SchedulingDisabled',
  ],
  ['Job', { spec: { parallelism: 3 }, status: { succeeded: 2 } }, 'Completions', '2/1 of 3'],
  ['Job', { status: { startTime: '2026-11-21T06:00:00Z', completionTime: '2026-11-21T06:00:07Z' } }, 'Duration', '7s'],
  ['Job', { status: { startTime: '2026-11-21T06:00:00Z' } }, 'Duration', '2m40s'],
  ['Job', { status: { conditions: [{ type: 'Suspended', status: 'True' }] } }, 'Status', 'Suspended'],
  [
    'Endpoints',
    { subsets: [{ addresses: [{ ip: '::1' }, { ip: 'b' }], ports: [{ port: 1 }, { port: 2 }] }] },
    'Endpoints',
    '[::1]:1,b:1,[::1]:2 + 1 more...',
  ],
  ['Endpoints', {}, 'Endpoints', '<none>'],
  ['Ingress', { spec: { rules: [{ host: 'a' }, {}, { host: 'b' }, { host: 'c' }, {}] } }, 'Hosts', 'a,b,c + 2 more...'],
  ['Ingress', { spec: { rules: [{}, {}] } }, 'Hosts', '*'],
  [
    'PersistentVolumeClaim',
    { spec: { volumeName: 'v' }, status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadOnlyMany', 'ReadWriteOnce'] } },
    'Access Modes',
    'RWO,ROX',
  ],
  [
    'PersistentVolumeClaim',
    { metadata: { deletionTimestamp: '2026-11-21T06:00:00Z' }, status: { phase: 'Bound' } },
    'Status',
    'Terminating',
  ],
  [
    'ResourceQuota',
    { status: { hard: { pods: '10', 'limits.cpu': '2', cpu: '1' }, used: { pods: '3' } } },
    'Request',
    'cpu: 0/1, pods: 3/10',
  ],
  ['ResourceQuota', { status: { hard: { pods: '10', 'limits.cpu': '2' } } }, 'Limit', 'limits.cpu: 0/2'],
  [
    'Deployment',
    {
      spec: {
        selector: {
          matchLabels: { z: '1' },
          matchExpressions: [
            { key: 'a', operator: 'In', values: ['c', 'b'] },
            { key: 'm', operator: 'DoesNotExist' },
          ],
        },
      },
    },
    'Selector',
    'a in (b,c),!m,z=1',
  ],
  ['Deployment', { spec: { replicas: 3 }, status: { readyReplicas: 2 } }, 'Ready', '2/3'],
  [
    'ControllerRevision',
    { metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: '1', controller: true }] } },
    'Controller',
    'statefulset.apps/web',
  ],
  [
    'StorageClass',
    { metadata: { name: 's', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } },
    'Name',
    's (default)',
  ],
  ['CertificateSigningRequest', { status: { conditions: [{ type: 'Approved' }], certificate: 'eA==' } }, 'Condition', 'Approved,Issued'],
  ['CertificateSigningRequest', { spec: { expirationSeconds: 3600 } }, 'RequestedDuration', '60m'],
  [
    'APIService',
    { spec: { service: { namespace: 'a', name: 'b' } }, status: { conditions: [{ type: 'Available', status: 'False', reason: 'Why' }] } },
    'Available',
    'False (Why)',
  ],
  ['ResourceClaim', { status: { allocation: {}, reservedFor: [{}] } }, 'State', 'allocated,reserved'],
  ['CronJob', { status: { lastScheduleTime: '2026-11-21T06:02:00Z' } }, 'Last Schedule', '40s'],
  ['Event', { involvedObject: { kind: 'Pod', name: 'x' }, eventTime: '2026-11-21T06:02:10.123456Z' }, 'Last Seen', '29s'],
  ['Event', { series: { count: 7, lastObservedTime: '2026-11-21T06:02:30.000000Z' } }, 'Count', 7],
  [
    'HorizontalPodAutoscaler',
    {
      spec: {
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } },
          { type: 'External', external: { target: { averageValue: '5' } } },
          { type: 'Pods', pods: { target: { averageValue: '1' } } },
        ],
      },
      status: { currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 40 } } }] },
    },
    'Targets',
    'cpu: 40%/80%, <unknown>/5 (avg) + 1 more...',
  ],
  [
    'HorizontalPodAutoscaler',
    {
      spec: {
        metrics: [
          { type: 'External', external: { target: { value: '5' } } },
          { type: 'Object', object: { target: { value: '6' } } },
        ],
      },
      status: { currentMetrics: [{ type: 'External', external: { current: {} } }] },
    },
    'Targets',
    '<nil>/5, <unknown>/6',
  ],
];

test.each(rows)('%s %j shows in %s', (kind, object, column, cell) => {
  const at = columnsOf(builtIn(kind)).findIndex(({ name }) => name === column);
  expect((cellsOf(builtIn(kind), object) as readonly unknown[])[at]).toEqual(cell);
});

test('custom resources have the columns of their definition and an age', () => {
  const widget = {
    ...resourceOf('v1', 'pods'),
    kind: 'Pod',
    custom: createPlainCustomVersion('widgets.example.com', readSchemaNode({ type: 'object' }, 'x-kubernetes-')),
  };
  expect(columnsOf(widget).map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual([
    ['Name', 'string', 'name', 0],
    ['Age', 'date', '', 0],
  ]);
  const size = { name: 'Size', type: 'integer', format: 'int32', description: 'd', priority: 0 };
  const columns = [
    { ...size, jsonPath: '.spec.size' },
    { ...size, name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ];
  const table = tableOf({
    resource: { ...widget, custom: { ...widget.custom, columns } },
    apiVersion: 'meta.k8s.io/v1beta1',
    objects: [{ metadata: { name: 'w' }, spec: { size: 3 }, status: { conditions: [{ type: 'Ready', status: 'True' }] } }],
    metadata: {},
    metadataOf: (object) => object['metadata'] as JsonObject,
    wholeOf: (object) => object,
    includeObject: 'None',
    headers: true,
    describeColumn,
    context: { nowMs, product },
  });
  expect((table['columnDefinitions'] as readonly object[])[1]).toEqual(size);
  expect(table['rows']).toEqual([{ cells: ['w', 3, 'True'], object: null }]);
});

test.each([
  [new Date(nowMs - 60_000).toISOString(), '60s'],
  ['2020', '<invalid>'],
  ['2020-01-01', '<invalid>'],
  ['null', '<unknown>'],
  ['0001-01-01T00:00:00Z', '<unknown>'],
])('a date column of a definition shows %s as %s', (at, cell) => {
  const [, column] = printerColumns([{ name: 'At', type: 'date', format: '', description: '', priority: 0, jsonPath: '.at' }]);
  expect(column?.cell({ at }, { nowMs, product })).toBe(cell);
});

test('svc uses its own labels and group names', () => {
  const svc = productByName('svc');
  const table = tableOf({
    resource: resourceOf('v1', 'nodes'),
    apiVersion: 'meta.svc/v1',
    objects: [{ metadata: { name: 'n', labels: { 'node-role.svc/worker': '' } } }],
    metadata: {},
    metadataOf: (object) => object['metadata'] as JsonObject,
    wholeOf: (object) => object,
    includeObject: 'Metadata',
    headers: false,
    describeColumn,
    context: { nowMs, product: svc },
  });
  expect(table['apiVersion']).toBe('meta.svc/v1');
  expect(table['rows']).toMatchObject(
    [{ cells: ['n', 'Unknown', 'worker'] }].map(({ cells }) => ({ cells: expect.arrayContaining(cells) })),
  );
});

test('includeObject has three values', () => {
  expect(['', 'Metadata', 'None', 'Object', 'none'].map(parseIncludeObject)).toEqual(['Metadata', 'Metadata', 'None', 'Object', undefined]);
});
