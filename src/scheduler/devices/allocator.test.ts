import { expect, test } from 'vitest';
import type { resourcev1 } from '../../schema/api/index.ts';
import { Allocator, type DeviceSelectorCompiler } from './allocator.ts';

const driver = 'gpu.example.com';
type Attributes = Readonly<Record<string, string>>;

interface SliceParts {
  readonly pool?: string;
  readonly generation?: number;
  readonly count?: number;
  readonly spec?: Partial<resourcev1.ResourceSliceSpec>;
}

/** A slice of the node `n`, with a device by name. */
function slice(
  devices: Readonly<Record<string, Attributes | Partial<resourcev1.Device>>>,
  { pool = 'n', generation = 1, count = 1, spec = { nodeName: 'n' } }: SliceParts = {},
): resourcev1.ResourceSlice {
  const device = ([name, parts]: [string, Attributes | Partial<resourcev1.Device>]): resourcev1.Device => {
    if ('taints' in parts || 'nodeName' in parts) return { name, ...parts };
    return { name, attributes: Object.fromEntries(Object.entries(parts as Attributes).map(([key, value]) => [key, { string: value }])) };
  };
  return {
    kind: 'ResourceSlice',
    apiVersion: 'resource.k8s.io/v1',
    metadata: { name: `${pool}-${generation}` },
    spec: { driver, pool: { name: pool, generation, resourceSliceCount: count }, devices: Object.entries(devices).map(device), ...spec },
  };
}

function claim(
  requests: Readonly<Record<string, Partial<resourcev1.ExactDeviceRequest> | readonly Partial<resourcev1.DeviceSubRequest>[]>>,
  devices: Partial<resourcev1.DeviceClaim> = {},
): resourcev1.ResourceClaim {
  const of = Object.entries(requests).map(([name, request]): resourcev1.DeviceRequest => {
    if (!Array.isArray(request)) return { name, exactly: { deviceClassName: 'gpu', ...request } };
    return { name, firstAvailable: request.map((one) => ({ name: 'sub', deviceClassName: 'gpu', ...one })) };
  });
  return {
    kind: 'ResourceClaim',
    apiVersion: 'resource.k8s.io/v1',
    metadata: { namespace: 'default', name: 'c', uid: 'c' },
    spec: { devices: { requests: of, ...devices } },
    status: {},
  };
}

/** Selectors of the test compare one attribute: `model=a100`. */
const compile: DeviceSelectorCompiler = (source) => {
  const [name = '', value] = source.split('=');
  if (value === undefined) throw new Error('ERROR');
  return ({ attributes = {} }) => {
    if (!attributes[name]) throw new Error(`no such key: ${name}`);
    return attributes[name].string === value;
  };
};
const select = (expression: string): readonly resourcev1.DeviceSelector[] => [{ cel: { expression } }];

const classes: Readonly<Record<string, resourcev1.DeviceClassSpec>> = {
  gpu: {},
  a100: { selectors: select('model=a100'), config: [{ opaque: { driver, parameters: { size: 1 } } }] },
};
const classOf = (name: string): resourcev1.DeviceClass | undefined => {
  const spec = classes[name];
  return spec && { kind: 'DeviceClass', apiVersion: 'resource.k8s.io/v1', metadata: { name }, spec };
};

interface Case {
  readonly slices: readonly resourcev1.ResourceSlice[];
  readonly claims: readonly resourcev1.ResourceClaim[];
  readonly allocated?: readonly string[];
  /** `request:device` by claim; undefined: no solution. A text: the error. */
  readonly expected: readonly (readonly string[])[] | undefined | string;
}

const two = slice({ a: { model: 'a100', numa: '0' }, b: { model: 'h100', numa: '1' } });
const four = slice({ a: { numa: '0' }, b: { numa: '1' }, c: { numa: '0' }, d: { numa: '1' } });
const tainted = slice({ a: { taints: [{ key: 'broken', effect: 'NoSchedule' }] } });
const sameNuma = { constraints: [{ matchAttribute: `${driver}/numa` }] };

const cases: Readonly<Record<string, Case>> = {
  'one device': { slices: [two], claims: [claim({ r: {} })], expected: [['r:a']] },
  'a device that is not in use': { slices: [two], claims: [claim({ r: {} })], allocated: [`${driver}/n/a`], expected: [['r:b']] },
  'no device is left': { slices: [two], claims: [claim({ r: { count: 3 } })], expected: undefined },
  'several claims': { slices: [two], claims: [claim({ r: {} }), claim({ s: {} })], expected: [['r:a'], ['s:b']] },
  'a selector of the class': { slices: [two], claims: [claim({ r: { deviceClassName: 'a100', count: 2 } })], expected: undefined },
  'a selector of the request': { slices: [two], claims: [claim({ r: { selectors: select('model=h100') } })], expected: [['r:b']] },
  'another choice for an earlier request': {
    slices: [two],
    claims: [claim({ r: {}, s: { selectors: select('model=a100') } })],
    expected: [['r:b', 's:a']],
  },
  'all devices': { slices: [two], claims: [claim({ r: { allocationMode: 'All' } })], expected: [['r:a', 'r:b']] },
  'all devices when there are none': {
    slices: [two],
    claims: [claim({ r: { allocationMode: 'All', selectors: select('model=none') } })],
    expected: undefined,
  },
  'all devices of an incomplete pool': {
    slices: [slice({ a: {} }, { count: 2 })],
    claims: [claim({ r: { allocationMode: 'All' } })],
    expected: `claim default/c, request r: asks for all devices, but resource pool ${driver}/n is currently being updated`,
  },
  'an incomplete pool': { slices: [slice({ a: {} }, { count: 2 })], claims: [claim({ r: {} })], expected: undefined },
  'an invalid pool': {
    slices: [slice({ a: {} }, { count: 2 }), slice({ a: {} }, { count: 2 })],
    claims: [claim({ r: {} })],
    expected: 'invalid resource pools were encountered',
  },
  'the newest generation': { slices: [two, slice({ x: {} }, { generation: 2 })], claims: [claim({ r: {} })], expected: [['r:x']] },
  'a newer generation of other nodes': {
    slices: [slice({ a: {} }, { pool: 'p' }), slice({ x: {} }, { pool: 'p', generation: 2, spec: { nodeName: 'other' } })],
    claims: [claim({ r: {} })],
    expected: undefined,
  },
  'the same attribute': { slices: [four], claims: [claim({ r: { count: 2 } }, sameNuma)], expected: [['r:a', 'r:c']] },
  'the same attribute across requests': {
    slices: [four],
    claims: [claim({ r: { selectors: select('numa=1') }, s: {} }, sameNuma)],
    expected: [['r:b', 's:d']],
  },
  'the same attribute of no devices': { slices: [four], claims: [claim({ r: { count: 3 } }, sameNuma)], expected: undefined },
  'a constraint of one request': {
    slices: [four],
    claims: [claim({ r: {}, s: { count: 2 } }, { constraints: [{ requests: ['s'], matchAttribute: `${driver}/numa` }] })],
    expected: [['r:a', 's:b', 's:d']],
  },
  'the first alternative': {
    slices: [two],
    claims: [claim({ r: [{ name: 'one', selectors: select('model=h100') }, { name: 'any' }] })],
    expected: [['r/one:b']],
  },
  'the second alternative': {
    slices: [two],
    claims: [claim({ r: [{ name: 'many', count: 5 }, { name: 'any' }] })],
    expected: [['r/any:a']],
  },
  'admin access to a device in use': {
    slices: [two],
    claims: [claim({ r: { adminAccess: true } })],
    allocated: [`${driver}/n/a`, `${driver}/n/b`],
    expected: [['r:a']],
  },
  'a taint': { slices: [tainted], claims: [claim({ r: {} })], expected: undefined },
  'a tolerated taint': {
    slices: [tainted],
    claims: [claim({ r: { tolerations: [{ key: 'broken', operator: 'Exists' }] } })],
    expected: [['r:a']],
  },
  'devices of all nodes': { slices: [slice({ a: {} }, { spec: { allNodes: true } })], claims: [claim({ r: {} })], expected: [['r:a']] },
  'devices of other nodes': { slices: [slice({ a: {} }, { spec: { nodeName: 'm' } })], claims: [claim({ r: {} })], expected: undefined },
  'devices with nodes of their own': {
    slices: [slice({ a: { nodeName: 'm' }, b: { nodeName: 'n' } }, { spec: { perDeviceNodeSelection: true } })],
    claims: [claim({ r: {} })],
    expected: [['r:b']],
  },
  'more devices than a claim may have': {
    slices: [two],
    claims: [claim({ r: { count: 33 } })],
    expected: 'claim default/c: number of requested devices 33 exceeds the claim limit of 32',
  },
  'a selector that does not compile': {
    slices: [two],
    claims: [claim({ r: { selectors: select('x') } })],
    expected: 'claim default/c: selector #0: CEL compile error: ERROR',
  },
  'a selector that fails': {
    slices: [slice({ a: {} })],
    claims: [claim({ r: { deviceClassName: 'a100' } })],
    expected: 'class a100: selector #0: CEL runtime error: no such key: model',
  },
};

test.each(Object.entries(cases))('%s', (_, { slices, claims, allocated = [], expected }) => {
  const allocator = new Allocator({ slices, allocated: new Set(allocated), classOf, compile, deviceTaints: false }, claims);
  const allocate = () => allocator.allocate({ name: 'n', labels: {} });
  if (typeof expected === 'string') expect(allocate).toThrow(expected);
  else {
    const found = allocate();
    const names = found === 'timedOut' ? found : found?.map(({ devices }) => devices.results?.map((one) => `${one.request}:${one.device}`));
    expect(names).toEqual(expected);
  }
});

test('the configuration of a class names its requests, and that of a claim those of the claim', () => {
  const opaque = { driver, parameters: { mode: 'x' } };
  const config = [{ opaque }, { requests: ['r', 'r'], opaque }];
  const claims = [claim({ r: { deviceClassName: 'a100' }, s: { deviceClassName: 'a100' } }, { config })];
  const slices = [slice({ a: { model: 'a100' }, b: { model: 'a100' } })];
  const found = new Allocator({ slices, allocated: new Set(), classOf, compile, deviceTaints: false }, claims).allocate({
    name: 'n',
    labels: {},
  });
  const ofClass = { source: 'FromClass', requests: ['r', 's'], opaque: { driver, parameters: { size: 1 } } };
  expect(found).toMatchObject([
    { devices: { config: [ofClass, { source: 'FromClaim', opaque }, { source: 'FromClaim', requests: ['r', 'r'], opaque }] } },
  ]);
});

test('ends a search that takes too many steps', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d${index}`, { numa: `${index}` }]));
  const search = new Allocator({ slices: [slice(many)], allocated: new Set(), classOf, compile, deviceTaints: false }, [
    claim({ r: { count: 20 }, s: { selectors: select('numa=none') } }),
  ]);
  expect(search.allocate({ name: 'n', labels: {} })).toBe('timedOut');
});

test.each([false, true])('an allocation has the tolerations of its request: %s, by the feature gate', (deviceTaints) => {
  const tolerations = [{ key: 'broken', operator: 'Exists' }];
  const options = { slices: [two], allocated: new Set<string>(), classOf, compile, deviceTaints };
  const found = new Allocator(options, [claim({ r: { tolerations } })]).allocate({ name: 'n', labels: {} });
  const result = { request: 'r', driver, pool: 'n', device: 'a' };
  expect(found).toMatchObject([{ devices: { results: [deviceTaints ? { ...result, tolerations } : result] } }]);
  expect(JSON.stringify(found).includes('tolerations')).toBe(deviceTaints);
});

test('an allocation has the configuration of the class and the claim, and the nodes', () => {
  const config = [{ requests: ['r'], opaque: { driver, parameters: { mode: 'x' } } }];
  const claims = [claim({ r: { deviceClassName: 'a100', adminAccess: true }, s: {} }, { config })];
  const allocator = new Allocator({ slices: [two], allocated: new Set(), classOf, compile, deviceTaints: false }, claims);
  expect(allocator.allocate({ name: 'n', labels: {} })).toEqual([
    {
      devices: {
        results: [
          { request: 'r', driver, pool: 'n', device: 'a', adminAccess: true },
          { request: 's', driver, pool: 'n', device: 'b' },
        ],
        config: [
          { source: 'FromClass', requests: ['r'], opaque: { driver, parameters: { size: 1 } } },
          { source: 'FromClaim', requests: ['r'], opaque: { driver, parameters: { mode: 'x' } } },
        ],
      },
      nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }] },
    },
  ]);
});
