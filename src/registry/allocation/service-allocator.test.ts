import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, StatusError } from '../../meta/index.ts';
import { context } from './context.test-support.ts';
import { ServiceAllocator } from './service-allocator.ts';
import { withoutTypeDependentFields } from './service-update.ts';

const service = (spec: JsonObject, name = 'web'): ApiObject => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name, namespace: 'd' },
  spec,
});
const specOf = (object: ApiObject): JsonObject => object['spec'] as JsonObject;
const port = { port: 80, protocol: 'TCP', targetPort: 80 };
const plain = { type: 'ClusterIP', selector: { app: 'web' }, ports: [port] };
const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
};

test('allocates an address above the reserved ones for a new Service', () => {
  const { object } = new ServiceAllocator().allocate(service(plain), undefined, context);
  expect(specOf(object)).toMatchObject({
    clusterIP: '10.96.1.1',
    clusterIPs: ['10.96.1.1'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
  });
});

test('an address is claimed by one write at a time, and free again after a failed write', () => {
  const allocator = new ServiceAllocator();
  const first = allocator.allocate(service(plain), undefined, context);
  const second = allocator.allocate(service(plain, 'b'), undefined, context);
  expect(specOf(second.object)['clusterIP']).toBe('10.96.1.2');
  first.end();
  expect(specOf(allocator.allocate(service(plain, 'c'), undefined, context).object)['clusterIP']).toBe('10.96.1.1');
});

test('a stored Service holds its address until it is deleted', () => {
  const allocator = new ServiceAllocator();
  const requested = { ...plain, clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] };
  allocator.updateService('/a', service(requested));
  const refused = messageOf(() => allocator.allocate(service(requested, 'b'), undefined, context));
  expect(refused).toBe(
    'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.9"]: failed to allocate IP 10.96.0.9: provided IP is already allocated',
  );
  allocator.updateService('/a', undefined);
  expect(specOf(allocator.allocate(service(requested, 'b'), undefined, context).object)['clusterIP']).toBe('10.96.0.9');
});

test('allocates no address for headless and ExternalName Services', () => {
  const allocator = new ServiceAllocator();
  const headless = allocator.allocate(service({ ...plain, clusterIP: 'None' }), undefined, context);
  expect(specOf(headless.object)).toMatchObject({ clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] });
  const external = allocator.allocate(service({ type: 'ExternalName', externalName: 'x.example.com' }), undefined, context);
  expect(specOf(external.object)).toEqual({ type: 'ExternalName', externalName: 'x.example.com' });
});

test('allocates node ports, retains them by name in updates, and shares them between the protocols of a port', () => {
  const allocator = new ServiceAllocator();
  const ports = [
    { name: 'a', port: 53, protocol: 'TCP' },
    { name: 'b', port: 53, protocol: 'UDP' },
    { name: 'c', port: 80, protocol: 'TCP' },
  ];
  const made = allocator.allocate(service({ ...plain, type: 'NodePort', ports }), undefined, context).object;
  expect(specOf(made)['ports']).toMatchObject([{ nodePort: 30086 }, { nodePort: 30086 }, { nodePort: 30087 }]);
  allocator.updateService('/a', made);
  const moved = { ...plain, type: 'NodePort', ports: [{ name: 'c', port: 81, protocol: 'TCP' }] };
  const updated = allocator.allocate(service(moved), made, context).object;
  expect(specOf(updated)['ports']).toMatchObject([{ port: 81, nodePort: 30087 }]);
  expect(specOf(updated)['clusterIP']).toBe(specOf(made)['clusterIP']);
});

test('refuses a node port out of range or in use with the message of kube-apiserver', () => {
  const allocator = new ServiceAllocator();
  const requested = (nodePort: number): ApiObject => service({ ...plain, type: 'NodePort', ports: [{ ...port, nodePort }] }, 'b');
  expect(messageOf(() => allocator.allocate(requested(5), undefined, context))).toContain(
    'spec.ports[0].nodePort: Invalid value: 5: provided port is not in the valid range. The range of valid ports is 30000-32767',
  );
  allocator.updateService('/a', requested(30001));
  expect(messageOf(() => allocator.allocate(requested(30001), undefined, context))).toContain(
    'Invalid value: 30001: provided port is already allocated',
  );
});

test('a change of type drops and releases allocated values', () => {
  const old = { ...plain, clusterIP: '10.96.1.1', clusterIPs: ['10.96.1.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
  expect(withoutTypeDependentFields({ ...old, type: 'ExternalName', externalName: 'x' }, old)).toEqual({
    ...plain,
    type: 'ExternalName',
    externalName: 'x',
  });
  const nodePort = { ...plain, type: 'NodePort', ports: [{ ...port, nodePort: 30001 }], externalTrafficPolicy: 'Cluster' };
  expect(withoutTypeDependentFields({ ...nodePort, type: 'ClusterIP' }, nodePort)).toEqual(plain);
});

test('a load balancer that disables node port allocation retains its node ports, and an unknown type drops nothing', () => {
  const balanced = { ...plain, type: 'LoadBalancer', ports: [{ ...port, nodePort: 30001 }], allocateLoadBalancerNodePorts: true };
  const wanted = { ...balanced, allocateLoadBalancerNodePorts: false };
  expect(withoutTypeDependentFields(wanted, balanced)).toEqual(wanted);
  const old = { ...plain, clusterIP: '10.96.1.1', clusterIPs: ['10.96.1.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
  const strange = { ...old, type: 'Other' };
  expect(withoutTypeDependentFields(strange, old)).toEqual(strange);
});

test('an update of a load balancer without node port allocation claims requested node ports only', () => {
  const allocator = new ServiceAllocator();
  allocator.updateService('/other', service({ ...plain, type: 'NodePort', ports: [{ ...port, nodePort: 30001 }] }, 'other'));
  const balanced = { ...plain, type: 'LoadBalancer', allocateLoadBalancerNodePorts: false };
  const updated = (ports: readonly JsonObject[]) => allocator.allocate(service({ ...balanced, ports }), service(balanced), context);
  expect(specOf(updated([port]).object)['ports']).toEqual([port]);
  expect(messageOf(() => updated([{ ...port, nodePort: 30001 }]))).toContain('provided port is already allocated');
  const twice = [30005, 30005].map((nodePort, index) => ({ ...port, port: 80 + index, name: `p${index}`, nodePort }));
  expect(messageOf(() => updated(twice))).toBe('duplicate nodePort: {TCP 30005}');
});
