import { expect, test } from 'vitest';
import { createMemoryLog } from '../env/index.ts';
import { productByName } from '../meta/index.ts';
import { createDescriptionLoader } from './load-descriptions.ts';

const product = productByName('kubernetes');

test('loads the descriptions once', async () => {
  let loads = 0;
  const { loadDescribeType: load } = createDescriptionLoader(
    async () => ({ g: { A: { '': `Load ${++loads}.` } } }),
    product,
    createMemoryLog(),
  );
  const [first, second] = await Promise.all([load(), load()]);
  expect([first('g/v1.A'), second('g/v1.A'), (await load())('g/v1.A')]).toEqual(['Load 1.', 'Load 1.', 'Load 1.']);
});

test('logs a failure, describes nothing, and tries again', async () => {
  const log = createMemoryLog();
  const results = [Promise.reject(new Error('offline')), Promise.resolve({ g: { A: { '': 'About A.' } } })];
  const { loadDescribeType: load } = createDescriptionLoader(
    () => results.shift() ?? Promise.reject(new Error('no more results')),
    product,
    log,
  );
  expect((await load())('g/v1.A')).toBeUndefined();
  expect(log.lines).toMatchObject([{ level: 'warn', event: 'the descriptions of types and columns cannot be loaded' }]);
  expect((await load())('g/v1.A')).toBe('About A.');
});

test('a table without descriptions has them once they can be loaded', async () => {
  const results = [Promise.reject(new Error('offline')), Promise.resolve({ columns: { Pod: { IP: 'Address of the pod.' } } })];
  const load = () => results.shift() ?? Promise.reject(new Error('no more results'));
  const { loadDescribeColumn } = createDescriptionLoader(load, product, createMemoryLog());
  expect((await loadDescribeColumn())('Pod', 'IP')).toBe('');
  expect((await loadDescribeColumn())('Pod', 'IP')).toBe('Address of the pod.');
});
