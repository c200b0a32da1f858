import { expect, test } from 'vitest';
import { readRoute, routeTo } from './routes.ts';

test('a link to a screen is read as that screen', () => {
  expect(readRoute(routeTo('requests', 'a b/c%'))).toEqual({ screen: 'requests', id: 'a b/c%' });
  expect(readRoute(routeTo('files', '/home/me/shop.yaml'))).toEqual({ screen: 'files', path: '/home/me/shop.yaml' });
  expect(readRoute(routeTo('settings'))).toEqual({ screen: 'settings' });
});

test('whatever is no screen is the console', () => {
  expect(['', '#', '#/nowhere', '#/%'].map((hash) => readRoute(hash).screen)).toEqual(['console', 'console', 'console', 'console']);
  expect(readRoute('#/requests/%')).toEqual({ screen: 'requests', id: '%' });
});
