import { expect, test } from 'vitest';
import { sortPorts, sortSlicePorts } from './port-order.ts';

test('the ports of a slice have the order of kube-controller-manager 1.34.4', () => {
  const ports = [...'abcdefgh'].map((name, at) => ({ name, port: at + 1, protocol: 'TCP' }));
  const changed = ports.map((port) => ({
    ...port,
    ...(port.name === 'c' ? { appProtocol: 'http' } : {}),
    ...(port.name === 'd' ? { protocol: 'UDP' } : {}),
  }));
  expect(sortSlicePorts(changed).map(({ name }) => name)).toEqual([...'hgbeadfc']);
});

test('the ports of Endpoints have the order of their own hashes', () => {
  const udp = { name: 'd', port: 53, protocol: 'UDP' };
  const sctp = { name: 's', port: 54, protocol: 'SCTP' };
  expect(sortPorts([udp, sctp])).toEqual([sctp, udp]);
  expect(sortSlicePorts([sctp, udp])).toEqual([udp, sctp]);
});
