import { expect, test } from 'vitest';
import { isNodeHelp, nodeCommand, nodeUsage } from './node-command.ts';

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

test('the help is printed for --help, -h, help and no arguments', () => {
  for (const words of [[], ['--help'], ['help'], ['stop', '-h'], ['stop', 'node-1', '--help']])
    expect(isNodeHelp(words), `${words}`).toBe(true);
  for (const words of [['stop', 'node-1'], ['stop'], ['start', 'help']]) expect(isNodeHelp(words), `${words}`).toBe(false);
  expect(nodeUsage).toMatch(/^Usage: tabplane node start\|stop\|shutdown NAME/);
});
