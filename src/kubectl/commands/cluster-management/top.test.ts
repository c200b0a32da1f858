import { expect, test } from 'vitest';
import { nodeTable, podTable, usageOf } from './top-tables.ts';

const usage = (cpu: string, memory: string): object => ({ cpu, memory });
const podMetrics = (namespace: string, name: string, ...usages: readonly object[]): Record<string, never> =>
  ({ metadata: { namespace, name }, containers: usages.map((one, index) => ({ name: `c${index}`, usage: one })) }) as never;
const pods = [podMetrics('b', 'web', usage('1500000n', '3000Ki'), usage('100m', '64Mi')), podMetrics('a', 'zoo', usage('0', '1Mi'))];
const options = { sortBy: '', headers: true, containers: false, namespaces: false, sum: false } as const;
const lines = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());

test('pods by name, with rounded amounts', () => {
  expect(podTable(pods, options)).toBe(
    'NAME   CPU(cores)   MEMORY(bytes)   \nweb    102m         66Mi            \nzoo    0m           1Mi             \n',
  );
});

test.each([
  [
    { namespaces: true },
    ['NAMESPACE   NAME   CPU(cores)   MEMORY(bytes)', 'a           zoo    0m           1Mi', 'b           web    102m         66Mi'],
  ],
  [{ sortBy: 'cpu', headers: false }, ['web   102m   66Mi', 'zoo   0m     1Mi']],
  [{ containers: true, headers: false }, ['web   c0    2m     2Mi', 'web   c1    100m   64Mi', 'zoo   c0    0m     1Mi']],
  [{ sum: true, headers: false }, ['web   102m       66Mi', 'zoo   0m         1Mi', '      ________   ________', '      102m       67Mi']],
] as const)('pods with %j', (change, expected) => {
  expect(lines(podTable(pods, { ...options, ...change }))).toEqual(expected);
});

test('nodes with their shares, those without metrics last', () => {
  const metrics = [{ metadata: { name: 'node-1' }, usage: usage('250m', '1Gi') }] as never;
  const whole = usageOf(usage('4', '8Gi'));
  const available = new Map([
    ['node-2', whole],
    ['node-1', whole],
  ]);
  expect(lines(nodeTable(metrics, available, options))).toEqual([
    'NAME     CPU(cores)   CPU(%)      MEMORY(bytes)   MEMORY(%)',
    'node-1   250m         6%          1024Mi          12%',
    'node-2   <unknown>    <unknown>   <unknown>       <unknown>',
  ]);
});
