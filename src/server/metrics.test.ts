import { expect, test } from 'vitest';
import { createFeatureGates } from '../meta/index.ts';
import { answerSlis, Metrics } from './metrics.ts';

test('requests are counted by their labels, in order of name', () => {
  const metrics = new Metrics(createFeatureGates());
  const labels = { component: 'apiserver', dry_run: '', group: '', resource: 'pods', scope: 'resource', subresource: '', version: 'v1' };
  for (const code of ['200', '404', '200']) metrics.countRequest({ verb: 'GET', code, ...labels });
  const rest = 'component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",verb="GET",version="v1"';
  expect(metrics.text()).toContain(
    `# TYPE apiserver_request_total counter\napiserver_request_total{code="200",${rest}} 2\napiserver_request_total{code="404",${rest}} 1\n`,
  );
});

test('what was deprecated counts once, and is not told before', () => {
  const metrics = new Metrics(createFeatureGates());
  expect(metrics.text()).not.toContain('deprecated_apis');
  metrics.noteDeprecated({ resource: 'endpoints' });
  metrics.noteDeprecated({ resource: 'endpoints' });
  expect(metrics.text()).toContain('apiserver_requested_deprecated_apis{resource="endpoints"} 1\n');
});

test('every gate is told with its stage, of which settled ones have none', () => {
  const text = new Metrics(createFeatureGates('CBORServingAndStorage=true')).text();
  expect(text).toContain('kubernetes_feature_enabled{name="CBORServingAndStorage",stage="ALPHA"} 1\n');
  expect(text).toContain('kubernetes_feature_enabled{name="SidecarContainers",stage=""} 1\n');
});

test('health is told by root, and readiness apart', async () => {
  const { body } = await answerSlis([
    { name: 'ping', run: () => Promise.resolve(undefined) },
    { name: 'shutdown', only: '/readyz', run: () => Promise.resolve('ending') },
  ]);
  expect(String(body).split('\n').slice(2)).toEqual([
    'kubernetes_healthcheck{name="ping",type="healthz"} 1',
    'kubernetes_healthcheck{name="ping",type="livez"} 1',
    'kubernetes_healthcheck{name="ping",type="readyz"} 1',
    'kubernetes_healthcheck{name="shutdown",type="readyz"} 0',
    '',
  ]);
});
