import { expect, test } from 'vitest';
import { printYaml } from '../../../codec/index.ts';
import { yamlLines } from './yaml-lines.ts';

const value = {
  kind: 'Pod',
  metadata: { labels: { app: 'web' }, finalizers: ['a', 'b'] },
  spec: {
    containers: [{ name: 'a', ports: [{ port: 80 }], args: ['x: y', 'yes'] }, { name: 'b' }],
    empty: {},
    none: [],
    text: 'one\ntwo\n',
  },
};

test('returns the lines of the whole object, each with its field', () => {
  const lines = yamlLines(value, printYaml);
  expect(`${lines.map(({ text }) => text).join('\n')}\n`).toBe(printYaml(value));
  const at = (part: string): unknown => lines.find(({ text }) => text.includes(part))?.path;
  expect(at('port: 80')).toEqual(['spec', 'containers', 0, 'ports', 0, 'port']);
  expect(at('app: web')).toEqual(['metadata', 'labels', 'app']);
  expect(at('two')).toEqual(['spec', 'text']);
  expect(at('- b')).toEqual(['metadata', 'finalizers', 1]);
});
