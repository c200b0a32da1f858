import { expect, test } from 'vitest';
import { emptyPlace, linkToPlace } from './explore/place.ts';
import { parseRoute, routeTo } from './routes.ts';

test('parses the link to a screen', () => {
  expect(parseRoute(routeTo('requests', 'a b/c%'))).toEqual({ screen: 'requests', id: 'a b/c%' });
  expect(parseRoute(routeTo('files', '/home/me/shop.yaml'))).toEqual({ screen: 'files', path: '/home/me/shop.yaml' });
  expect(parseRoute(routeTo('console', '', { line: 'kubectl get po -l a=b | wc -l' }))).toEqual({
    screen: 'console',
    line: 'kubectl get po -l a=b | wc -l',
  });
  expect(parseRoute(routeTo('settings'))).toEqual({ screen: 'settings' });
  expect(parseRoute(routeTo('explore'))).toEqual({ screen: 'explore', place: emptyPlace });
  const query = { verb: 'get', user: 'system:node:a&b' };
  expect(parseRoute(routeTo('access', 'who-can', query))).toEqual({ screen: 'access', view: 'who-can', query });
});

test('parses the link to an object completely', () => {
  const web = { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'default', name: 'web', query: { tab: 'yaml' } };
  expect(linkToPlace(web)).toBe('#/o/apps/v1/deployments/default/web?tab=yaml');
  const odd = { ...web, group: '', resource: 'nodes', namespace: '', name: 'a/b:c?d%', query: {} };
  for (const place of [web, odd, { ...web, name: '' }, { ...odd, name: '' }]) {
    expect(parseRoute(linkToPlace(place))).toEqual({ screen: 'explore', place });
  }
});

test('recognizes addresses without a screen', () => {
  expect(['', '#', '#/nowhere', '#/%'].map((hash) => parseRoute(hash).screen)).toEqual(['console', 'console', 'unknown', 'unknown']);
  expect(parseRoute('#/requests/%')).toEqual({ screen: 'requests', id: '%' });
});
