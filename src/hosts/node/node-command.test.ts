import { expect, test } from 'vitest';
import { nodeCommand } from './node-command.ts';

test.each([
  ['start', 'running'],
  ['stop', 'stopped'],
  ['shutdown', 'shutting-down'],
])('tabplane node %s', (verb, state) => {
  const args = ['annotate', 'node', 'node-2', `node.tabplane.dev/state=${state}`, '--overwrite', '--kubeconfig', 'kc'];
  expect(nodeCommand([verb, 'node-2', '--kubeconfig', 'kc'])).toEqual(args);
});

test.each([[[]], [['stop']], [['stop', '--kubeconfig']], [['restart', 'node-1']], [['constructor', 'node-1']]])('refuses %j', (words) => {
  expect(() => nodeCommand(words)).toThrow('Usage: tabplane node start|stop|shutdown NAME');
});
