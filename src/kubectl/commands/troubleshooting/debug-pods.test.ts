import { expect, test } from 'vitest';
import { type DebugContainer, nodeDebugPod, type PodCopyOptions, podCopy } from './debug-pods.ts';

const debug: DebugContainer = { image: 'busybox', imagePullPolicy: '', env: [], words: [], argumentsOnly: false, stdin: false, tty: false };
const options: PodCopyOptions = { name: 'copy', container: 'debugger', shareProcesses: undefined, sameNode: false, images: {} };
const pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u', labels: { app: 'web' }, annotations: { a: 'b' } },
  spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'nginx', args: ['-g'] }], ephemeralContainers: [{ name: 'e' }] },
  status: { phase: 'Running' },
};
const added = { name: 'debugger', image: 'busybox', resources: {}, terminationMessagePolicy: 'File' };

test('a copy has another name, no labels, no node, and the debug container', () => {
  expect(podCopy(pod, options, debug)).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'copy', namespace: 'default', annotations: { a: 'b' } },
    spec: { containers: [...pod.spec.containers, added] },
  });
});

test.each<[string, Partial<PodCopyOptions>, Partial<DebugContainer>, object]>([
  ['on the same node', { sameNode: true }, {}, { nodeName: 'node-1', containers: [...pod.spec.containers, added] }],
  ['with shared processes', { shareProcesses: true }, {}, { shareProcessNamespace: true, containers: [...pod.spec.containers, added] }],
  [
    'with other images only',
    { container: '', images: { '*': 'debian' } },
    { image: '' },
    { containers: [{ ...pod.spec.containers[0], image: 'debian' }] },
  ],
  [
    'with another command of its container',
    { container: 'c' },
    { image: '', words: ['sh'], stdin: true, tty: true },
    { containers: [{ name: 'c', image: 'nginx', command: ['sh'], stdin: true, tty: true }] },
  ],
  [
    'with other arguments of its container',
    { container: 'c' },
    { words: ['-v'], argumentsOnly: true },
    { containers: [{ name: 'c', image: 'busybox', args: ['-v'] }] },
  ],
])('a copy %s', (_, optionChange, debugChange, spec) => {
  expect(podCopy(pod, { ...options, ...optionChange }, { ...debug, ...debugChange })['spec']).toEqual(spec);
});

test('rejects a new container without an image', () => {
  expect(() => podCopy(pod, options, { ...debug, image: '' })).toThrow('you must specify image when creating new container');
});

test('a pod on a node mounts its file system and tolerates all taints', () => {
  expect(nodeDebugPod('node-1', 'node-debugger-node-1-abcde', 'debugger', { ...debug, words: ['sh'] })).toMatchObject({
    metadata: { name: 'node-debugger-node-1-abcde' },
    spec: {
      nodeName: 'node-1',
      hostPID: true,
      tolerations: [{ operator: 'Exists' }],
      volumes: [{ name: 'host-root', hostPath: { path: '/' } }],
      containers: [{ name: 'debugger', command: ['sh'], volumeMounts: [{ name: 'host-root', mountPath: '/host' }] }],
    },
  });
});
