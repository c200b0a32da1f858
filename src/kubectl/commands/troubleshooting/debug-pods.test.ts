import { expect, test } from 'vitest';
import { type DebugContainer, nodeDebugPod, type PodCopyOptions, podCopy } from './debug-pods.ts';
import { applyProfile, type RetainedParts } from './debug-profiles.ts';

const debug: DebugContainer = { image: 'busybox', imagePullPolicy: '', env: [], words: [], argumentsOnly: false, stdin: false, tty: false };
const options: PodCopyOptions = { name: 'copy', container: 'debugger', shareProcesses: undefined, sameNode: false, images: {} };
const pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u', labels: { app: 'web' }, annotations: { a: 'b' } },
  spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'nginx', args: ['-g'] }], ephemeralContainers: [{ name: 'e' }] },
  status: { phase: 'Running' },
};
const retainNothing: RetainedParts = {
  labels: false,
  annotations: false,
  liveness: false,
  readiness: false,
  startup: false,
  initContainers: false,
};
const added = { name: 'debugger', image: 'busybox', resources: {}, terminationMessagePolicy: 'File' };

test('a copy has another name, no node, and the debug container', () => {
  expect(podCopy(pod, options, debug)).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'copy', namespace: 'default', labels: { app: 'web' }, annotations: { a: 'b' } },
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

test('a pod on a node mounts its file system with the profile legacy, and tolerates all taints', () => {
  const made = nodeDebugPod('node-1', 'node-debugger-node-1-abcde', 'debugger', { ...debug, words: ['sh'] });
  expect(applyProfile('legacy', made, 'debugger', 'node', retainNothing)).toMatchObject({
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

test('a copy has no labels with the profile legacy, and no annotations either with others', () => {
  const copy = podCopy(pod, options, debug);
  expect(applyProfile('legacy', copy, 'debugger', 'copy', retainNothing)['metadata']).toEqual({
    name: 'copy',
    namespace: 'default',
    annotations: { a: 'b' },
  });
  const general = applyProfile('general', copy, 'debugger', 'copy', retainNothing);
  expect(general['metadata']).toEqual({ name: 'copy', namespace: 'default' });
  expect(general['spec']).toMatchObject({
    shareProcessNamespace: true,
    containers: [{ name: 'c' }, { name: 'debugger', securityContext: { capabilities: { add: ['SYS_PTRACE'] } } }],
  });
});
