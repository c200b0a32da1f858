import { expect, test } from 'vitest';
import { createMemoryLog } from '../env/index.ts';
import { productByName } from '../meta/index.ts';
import { createDescribeTypeLoader } from './load-describe-type.ts';

const product = productByName('kubernetes');

test('loads the descriptions once', async () => {
  let loads = 0;
  const load = createDescribeTypeLoader(async () => ({ g: { A: { '': `Load ${++loads}.` } } }), product, createMemoryLog());
  const [first, second] = await Promise.all([load(), load()]);
  expect([first('g/v1.A'), second('g/v1.A'), (await load())('g/v1.A')]).toEqual(['Load 1.', 'Load 1.', 'Load 1.']);
});

test('logs a failure, describes nothing, and tries again', async () => {
  const log = createMemoryLog();
  const results = [Promise.reject(new Error('offline')), Promise.resolve({ g: { A: { '': 'About A.' } } })];
  const load = createDescribeTypeLoader(() => results.shift() ?? Promise.reject(new Error('no more results')), product, log);
  expect((await load())('g/v1.A')).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: 'warn', event: 'the descriptions of OpenAPI documents cannot be loaded' }]);
  expect((await load())('g/v1.A')).toBe('About A.');
});
