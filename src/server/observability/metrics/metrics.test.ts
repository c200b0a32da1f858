import { expect, test } from 'vitest';
import { createManualClock } from '../../../env/index.ts';
import { createFeatureGates, metricsText } from '../../../meta/index.ts';
import type { ConfigurationReport } from '../../configuration-report.ts';
import { answerHealth, type HealthCheck } from '../../paths/health.ts';
import { answerSlis } from './answer-metrics.ts';
import { Metrics } from './metrics.ts';

const createMetrics = (gates = '', configurations: readonly ConfigurationReport[] = []): Metrics =>
  new Metrics({ gates: createFeatureGates(gates), configurations, clock: createManualClock(0) });
const textOf = (metrics: Metrics): string => metricsText(metrics.families());

test('requests are counted by their labels, in order of name', () => {
  const metrics = createMetrics();
  const labels = { component: 'apiserver', dry_run: '', group: '', resource: 'pods', scope: 'resource', subresource: '', version: 'v1' };
  for (const code of ['200', '404', '200']) metrics.countRequest({ verb: 'GET', code, ...labels });
  const rest = 'component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",verb="GET",version="v1"';
  expect(textOf(metrics)).toContain(
    `# TYPE apiserver_request_total counter\napiserver_request_total{code="200",${rest}} 2\napiserver_request_total{code="404",${rest}} 1\n`,
  );
});

test('counts a deprecated resource once, and reports none before', () => {
  const metrics = createMetrics();
  expect(textOf(metrics)).not.toContain('deprecated_apis');
  metrics.noteDeprecated({ resource: 'endpoints' });
  metrics.noteDeprecated({ resource: 'endpoints' });
  expect(textOf(metrics)).toContain('apiserver_requested_deprecated_apis{resource="endpoints"} 1\n');
});

test('reports every feature gate with its stage, which is empty for GA', () => {
  const text = textOf(createMetrics('CBORServingAndStorage=true'));
  expect(text).toContain('kubernetes_feature_enabled{name="CBORServingAndStorage",stage="ALPHA"} 1\n');
  expect(text).toContain('kubernetes_feature_enabled{name="SidecarContainers",stage=""} 1\n');
});

test('reports health checks by root, and readiness separately', async () => {
  const checks: readonly HealthCheck[] = [
    { name: 'ping', run: () => Promise.resolve(undefined) },
    { name: 'shutdown', only: '/readyz', run: () => Promise.resolve('ending') },
  ];
  const metrics = createMetrics();
  for (const path of ['/readyz', '/readyz', '/livez', '/livez/ping'])
    await answerHealth(path, new URLSearchParams(), checks, (labels) => metrics.countHealthCheck(labels));
  const { body } = await answerSlis(checks, metrics);
  expect(String(body).split('\n').slice(2)).toEqual([
    'kubernetes_healthcheck{name="ping",type="healthz"} 1',
    'kubernetes_healthcheck{name="ping",type="livez"} 1',
    'kubernetes_healthcheck{name="ping",type="readyz"} 1',
    'kubernetes_healthcheck{name="shutdown",type="readyz"} 0',
    '# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.',
    '# TYPE kubernetes_healthchecks_total counter',
    'kubernetes_healthchecks_total{name="ping",status="success",type="livez"} 1',
    'kubernetes_healthchecks_total{name="ping",status="success",type="readyz"} 2',
    'kubernetes_healthchecks_total{name="shutdown",status="error",type="readyz"} 2',
    '# HELP process_start_time_seconds [ALPHA] Start time of the process since unix epoch in seconds.',
    '# TYPE process_start_time_seconds gauge',
    'process_start_time_seconds 0',
    '',
  ]);
});

test('reports a reloaded configuration by its hash and the result of the reload', () => {
  const reloads = new Map([['failure', { count: 2, lastMs: 1_795_326_007_455.25 }]] as const);
  const report = { of: 'authorization', serverHash: 'sha256:a', contentHash: 'sha256:b', reloads } as const;
  const lines = textOf(createMetrics('', [report])).split('\n');
  const name = 'apiserver_authorization_config_controller';
  expect(lines).toContain(`${name}_automatic_reloads_total{apiserver_id_hash="sha256:a",status="failure"} 2`);
  expect(lines).toContain(
    `${name}_automatic_reload_last_timestamp_seconds{apiserver_id_hash="sha256:a",status="failure"} 1.79532600745525e+09`,
  );
  expect(lines).toContain(`${name}_last_config_info{apiserver_id_hash="sha256:a",hash="sha256:b"} 1`);
});

test('audit is counted from the start, its levels once there are any', () => {
  const metrics = createMetrics();
  expect(textOf(metrics)).toContain('apiserver_audit_event_total 0\n');
  expect(textOf(metrics)).not.toContain('apiserver_audit_level_total');
  metrics.countAuditLevel('Metadata');
  metrics.countAuditRejected();
  expect(textOf(metrics)).toContain('apiserver_audit_level_total{level="Metadata"} 1\n');
  expect(textOf(metrics)).toContain('apiserver_audit_requests_rejected_total 1\n');
});

test('the counters of declarative validation are there, at nothing', () => {
  expect(textOf(createMetrics())).toContain(
    '# HELP apiserver_validation_declarative_validation_mismatch_total [BETA] Number of times declarative validation results differed from handwritten validation results for core types.\n' +
      '# TYPE apiserver_validation_declarative_validation_mismatch_total counter\n' +
      'apiserver_validation_declarative_validation_mismatch_total 0\n' +
      '# HELP apiserver_validation_declarative_validation_panic_total [BETA] Number of times declarative validation has panicked during validation.\n' +
      '# TYPE apiserver_validation_declarative_validation_panic_total counter\n' +
      'apiserver_validation_declarative_validation_panic_total 0\n',
  );
});

test('the duration of a request is counted whatever its code, and a request that lasts until it ends', () => {
  const metrics = createMetrics();
  const labels = { component: 'apiserver', dry_run: '', group: '', resource: 'pods', scope: 'resource', subresource: '', version: 'v1' };
  for (const code of ['200', '404']) metrics.countRequest({ verb: 'GET', code, ...labels }).durations.observe(0.5);
  const end = metrics.startLongRunning({ verb: 'WATCH', ...labels });
  const rest = 'component="apiserver",group="",resource="pods",scope="resource",subresource="",verb="WATCH",version="v1"';
  expect(textOf(metrics)).toContain(`apiserver_longrunning_requests{${rest}} 1\n`);
  end();
  expect(textOf(metrics)).toContain(`apiserver_longrunning_requests{${rest}} 0\n`);
  expect(textOf(metrics)).toMatch(/apiserver_request_duration_seconds_bucket\{[^}]*le="0\.4",.*\} 0\n/);
  expect(textOf(metrics)).toMatch(/apiserver_request_duration_seconds_count\{.*verb="GET".*\} 2\n/);
});

test('families are in order of name, with the steps of admission, the depth of queues and the requests of the server itself', () => {
  const metrics = createMetrics();
  metrics.observeAdmissionStep('validate', 'CREATE', true, 0.01);
  metrics.addQueue('autoregister', { length: 3 });
  metrics.countOwnRequest('GET', 404, '127.0.0.1:6443');
  const text = textOf(metrics);
  const count = 'apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="true",type="validate"} 1';
  const lines = [
    count,
    'rest_client_requests_total{code="404",host="127.0.0.1:6443",method="GET"} 1',
    'workqueue_depth{name="autoregister"} 3',
  ];
  expect(text.split('\n').filter((line) => lines.includes(line))).toEqual(lines);
});

test.each([
  [0, '0'],
  [999_999, '999999'],
  [1_000_000, '1e+06'],
  [406_990_848, '4.06990848e+08'],
  [0.000_1, '0.0001'],
  [0.000_05, '5e-05'],
])('the value %s is written as %s', (value, text) => {
  const family = { name: 'a', type: 'gauge', help: 'b', samples: [{ labels: {}, value }] } as const;
  expect(metricsText([family])).toBe(`# HELP a b\n# TYPE a gauge\na ${text}\n`);
});

test('authentication and authorization are counted by result, and authenticated users by names that are known', () => {
  const clock = createManualClock(0);
  const { access } = createMetrics();
  for (const username of ['admin', 'kubelet', 'carol@example.com', 'carol', 'admin'])
    access.observeAuthentication('success', username, clock.monotonicMs());
  access.observeAuthentication('error', undefined, clock.monotonicMs());
  access.observeAuthorization('no-opinion', -3);
  const lines = metricsText(access.families()).split('\n');
  expect(lines.filter((line) => /^(authentication_attempts|authenticated_user_requests|authorization_attempts_total)/.test(line))).toEqual([
    'authenticated_user_requests{username="admin"} 2',
    'authenticated_user_requests{username="email_id"} 1',
    'authenticated_user_requests{username="kubelet"} 1',
    'authenticated_user_requests{username="other"} 1',
    'authentication_attempts{result="error"} 1',
    'authentication_attempts{result="success"} 5',
    'authorization_attempts_total{result="no-opinion"} 1',
  ]);
  expect(lines).toContain('authorization_duration_seconds_bucket{le="0.002",result="no-opinion"} 0');
  expect(lines).toContain('authorization_duration_seconds_bucket{le="0.004",result="no-opinion"} 1');
  expect(lines).toContain('authentication_duration_seconds_count{result="success"} 5');
});

test('validation rules are measured, and shown with zeros before', async () => {
  const clock = createManualClock(0);
  const metrics = new Metrics({ gates: createFeatureGates(), configurations: [], clock });
  expect(textOf(metrics)).toContain(
    '\napiserver_cel_compilation_duration_seconds_sum 0\napiserver_cel_compilation_duration_seconds_count 0\n',
  );
  const end = metrics.access.ruleTimer.evaluation();
  await clock.advance(20);
  end();
  const text = textOf(metrics);
  expect(text).toContain('apiserver_cel_evaluation_duration_seconds_bucket{le="0.01"} 0\n');
  expect(text).toContain('apiserver_cel_evaluation_duration_seconds_bucket{le="0.025"} 1\n');
  expect(text).toContain('# HELP apiserver_cel_evaluation_duration_seconds [BETA] CEL evaluation time in seconds.\n');
});
