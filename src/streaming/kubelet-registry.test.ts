import { expect, test } from 'vitest';
import type { KubeletApi } from './kubelet-api.ts';
import { createKubeletRegistry } from './kubelet-registry.ts';

const kubelet = (): KubeletApi => {
  const unused = (): Promise<never> => Promise.reject(new Error('not used'));
  return { containerLogs: unused, exec: unused, attach: unused, portForward: unused, http: unused };
};

test('a kubelet is reachable by the name of its node until it is unregistered', () => {
  const kubelets = createKubeletRegistry();
  const one = kubelet();
  const unregister = kubelets.register('node-1', one);
  expect(kubelets.kubeletOf('node-1')).toBe(one);
  expect(kubelets.kubeletOf('node-2')).toBeUndefined();
  unregister();
  expect(kubelets.kubeletOf('node-1')).toBeUndefined();
});

test('the end of a replaced kubelet leaves its successor registered', () => {
  const kubelets = createKubeletRegistry();
  const unregister = kubelets.register('node-1', kubelet());
  const successor = kubelet();
  kubelets.register('node-1', successor);
  unregister();
  expect(kubelets.kubeletOf('node-1')).toBe(successor);
});
