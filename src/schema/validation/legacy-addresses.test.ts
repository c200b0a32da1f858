import { expect, test } from 'vitest';
import { createFeatureGates, type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog } from '../catalog.ts';
import { createInternalFormatter } from './internal/internal-formatter.ts';
import { kindValidators } from './kind-validators.ts';

const product = productByName('kubernetes');
const internal = createInternalFormatter(createCatalog(product).type);
const validatorsWith = (gates: string): ReturnType<typeof kindValidators> =>
  kindValidators({
    rename: (text) => text,
    names: product.names,
    gates: createFeatureGates(gates),
    internal,
    checkDeviceSelector: () => undefined,
    allowPrivileged: true,
  });
const [strict, lenient] = [validatorsWith('StrictIPCIDRValidation=true'), validatorsWith('')];

const spec = (members: JsonObject): JsonObject => ({ metadata: { name: 'a', namespace: 'b', resourceVersion: '1' }, spec: members });
const service = (members: JsonObject): JsonObject =>
  spec({
    ...{ type: 'LoadBalancer', ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }], sessionAffinity: 'None' },
    ...{ externalTrafficPolicy: 'Cluster', internalTrafficPolicy: 'Cluster', allocateLoadBalancerNodePorts: true },
    ...members,
  });
const policy = (block: JsonObject): JsonObject => spec({ podSelector: {}, ingress: [{ from: [{ ipBlock: block }] }] });
const subsets = (ip: string): JsonObject => ({
  metadata: { name: 'a', namespace: 'b', resourceVersion: '1' },
  subsets: [{ addresses: [{ ip }] }],
});
const slice = (address: string): JsonObject => ({
  metadata: { name: 'a', namespace: 'b', resourceVersion: '1' },
  addressType: 'IPv4',
  endpoints: [{ addresses: [address] }],
});
const now = '2026-01-01T00:00:00Z';
const zeros = 'must not have leading 0s';
const mapped = 'must not be an IPv4-mapped IPv6 address';

const cases: readonly (readonly [kind: string, object: JsonObject, message: string])[] = [
  [
    'core.Service',
    service({ clusterIP: '010.0.0.1', clusterIPs: ['010.0.0.1'] }),
    `spec.clusterIPs[0]: Invalid value: "010.0.0.1": ${zeros}`,
  ],
  ['core.Service', service({ externalIPs: ['::ffff:1.2.3.4'] }), `spec.externalIPs[0]: Invalid value: "::ffff:1.2.3.4": ${mapped}`],
  [
    'core.Service',
    service({ loadBalancerSourceRanges: [' 10.1.0.0/8'] }),
    'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.1.0.0/8": must not have bits set beyond the prefix length',
  ],
  [
    'networking.NetworkPolicy',
    policy({ cidr: '10.0.0.0/08', except: ['::ffff:1.0.0.0/104'] }),
    `spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.0/08": ${zeros} in IP or prefix length`,
  ],
  ['core.Endpoints', subsets('01.2.3.4'), `subsets[0].addresses[0].ip: Invalid value: "01.2.3.4": ${zeros}`],
  ['discovery.EndpointSlice', slice('01.2.3.4'), `endpoints[0].addresses[0]: Invalid value: "01.2.3.4": ${zeros}`],
  [
    'core.Node',
    spec({ podCIDRs: ['10.1.0.0/8'] }),
    'spec.podCIDRs[0]: Invalid value: "10.1.0.0/8": must not have bits set beyond the prefix length',
  ],
];

const texts = (errors: readonly { readonly field: string; readonly message: string }[]): readonly string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);

test.each(cases)('rejects an ambiguous address of a %s when the gate forbids it', (kind, object, message) => {
  expect(texts(strict.get(kind)?.create(object) ?? [])).toContain(message);
  expect(texts(lenient.get(kind)?.create(object) ?? []).filter((text) => text === message)).toEqual([]);
});

test.each(cases.filter(([kind]) => kind !== 'core.Node' && kind !== 'networking.NetworkPolicy'))(
  'one that a %s has already may stay, what is new may not be so',
  (kind, object, message) => {
    const update = strict.get(kind)?.update;
    expect(texts(update?.(object, object) ?? [])).toEqual([]);
    const fresh = kind === 'core.Service' ? service({}) : kind === 'core.Endpoints' ? subsets('1.2.3.4') : slice('1.2.3.4');
    expect(texts(update?.(object, fresh) ?? [])).toContain(message);
  },
);

test('stored ranges of a policy stay valid elsewhere in it, and parsed values are still compared', () => {
  const old = policy({ cidr: '10.0.0.0/08' });
  const moved = spec({ podSelector: {}, egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/08'] } }] }] });
  expect(texts(strict.get('networking.NetworkPolicy')?.update?.(moved, old) ?? [])).toContain(
    'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "10.0.0.0/08": must be a strict subset of `cidr`',
  );
});

test('stored load balancer addresses stay valid', () => {
  const withIngress = (ip: string): JsonObject => ({ ...service({}), status: { loadBalancer: { ingress: [{ ip, ipMode: 'VIP' }] } } });
  for (const kind of ['core.Service', 'networking.Ingress']) {
    const update = strict.get(kind)?.updateStatus;
    expect(texts(update?.(withIngress('01.2.3.4'), withIngress('01.2.3.4'), now) ?? [])).toEqual([]);
    expect(texts(update?.(withIngress('01.2.3.4'), withIngress('1.2.3.4'), now) ?? [])).toEqual([
      `status.loadBalancer.ingress[0].ip: Invalid value: "01.2.3.4": ${zeros}`,
    ]);
  }
});
