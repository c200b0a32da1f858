import { expect, test } from 'vitest';
import { parseFilter } from './row-filter.ts';

const passing = (typed: string): string => {
  const { passes } = parseFilter(typed);
  return ['web-1 running', 'web-2 pending', 'db-0 running'].filter((text) => passes({ text, name: text.split(' ')[0] ?? '' })).join();
};

test('requires words, and excludes those with !', () => {
  expect(passing('WEB run')).toBe('web-1 running');
  expect(passing('!web')).toBe('db-0 running');
  expect(passing('running !db')).toBe('web-1 running');
  expect(passing('')).toBe('web-1 running,web-2 pending,db-0 running');
});

test('-f matches letters of the name in order', () => {
  expect(passing('-f w2')).toBe('web-2 pending');
});

test('-l becomes the selector of the server, and other words remain', () => {
  expect(parseFilter('-l app=web,tier!=db web')).toMatchObject({ labelSelector: 'app=web,tier!=db' });
  expect(parseFilter('-l app in (a, b) x').labelSelector).toBe('app in (a, b)');
  expect(passing('-l app=web pending')).toBe('web-2 pending');
});
