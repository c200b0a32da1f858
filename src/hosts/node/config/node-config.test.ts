import { expect, test } from 'vitest';
import { readNodeConfig } from './node-config.ts';

test('reads Node objects', () => {
  const text = `
# The nodes.
---
kind: Node
apiVersion: v1
metadata: {name: a, labels: {topology.kubernetes.io/zone: z1}, annotations: {note: x}}
spec: {taints: [{key: gpu, value: "yes", effect: NoSchedule}]}
status: {capacity: {cpu: 8, memory: 16Gi}, runtimeHandlers: [{name: ''}, {name: runsc}]}
---
kind: NodeList
items: [{kind: Node, metadata: {name: b}}]
`;
  expect(readNodeConfig(text, 'f')).toEqual([
    {
      name: 'a',
      labels: { 'topology.kubernetes.io/zone': 'z1' },
      annotations: { note: 'x' },
      taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
      capacity: { cpu: '8', memory: '16Gi' },
      runtimeHandlers: ['runsc'],
    },
    { name: 'b', labels: {}, annotations: {}, taints: [], capacity: {} },
  ]);
});

test.each([
  ['kind: Pod', '--node-config f: only objects of kind Node are expected'],
  ['kind: Node', '--node-config f: "" is not the name of a node'],
  ['{kind: Node, metadata: {name: a}, status: {capacity: {cpu: many}}}', '--node-config f: capacity cpu of node a is not a quantity'],
  ['{kind: List, items: [{kind: Node, metadata: {name: a}}, {kind: Node, metadata: {name: a}}]}', '--node-config f: node a exists twice'],
])('refuses %s', (text, message) => {
  expect(() => readNodeConfig(text, 'f')).toThrow(message);
});
