import { flowMetrics } from '../../../flowcontrol/index.ts';
import { type ApiResponse, buildInfo, type MetricFamily, type MetricSample, metricsText, versionInfo } from '../../../meta/index.ts';
import { requestKinds } from '../../limits/in-flight.ts';
import { checksOf, type HealthCheck, healthRoots } from '../../paths/health.ts';
import { type Header, uncached } from '../../response/respond.ts';
import type { ServerDependencies } from '../../server-dependencies.ts';
import type { Metrics } from './metrics.ts';
import { storageMetrics } from './storage-metrics.ts';

/** `/metrics` (part 3.5). */
export async function answerMetrics(server: ServerDependencies): Promise<ApiResponse> {
  const { metrics, inFlight, flowControl, store, catalog, hostMetrics, disabledMetrics } = server;
  const families = [
    ...metrics.families(),
    ...(flowControl ? flowMetrics(flowControl.levels) : []),
    {
      name: 'apiserver_current_inflight_requests',
      type: 'gauge',
      help: '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
      samples: requestKinds.map((kind) => ({ labels: { request_kind: kind }, value: inFlight.highest(kind) })),
    } as const,
    ...(await storageMetrics(store, catalog)),
    buildInfo(versionInfo(server.emulatedMinor)),
    compatibilityInfo(server),
    unavailableServices(server),
    ...(await hostMetrics()),
  ];
  const enabled = families.filter(({ name }) => !disabledMetrics.has(name));
  return asMetrics(metricsText([...enabled, ...registrationFamilies(families, enabled)]), metrics);
}

/** `/metrics/slis`: the result of each health check, and how often requests had which result. */
export async function answerSlis(checks: readonly HealthCheck[], metrics: Metrics): Promise<ApiResponse> {
  const samples: MetricSample[] = [];
  for (const root of healthRoots) {
    for (const { name, run, isUnlisted } of checksOf(root, checks)) {
      if (isUnlisted && (await run()) === undefined) continue;
      samples.push({ labels: { name, type: root.slice(1) }, value: Number((await run()) === undefined) });
    }
  }
  return asMetrics(
    metricsText([
      { name: 'kubernetes_healthcheck', type: 'gauge', help: '[STABLE] This metric records the result of a single healthcheck.', samples },
      {
        name: 'kubernetes_healthchecks_total',
        type: 'counter',
        help: '[STABLE] This metric records the results of all healthcheck.',
        samples: metrics.healthChecks,
      },
      metrics.startTime('[ALPHA] '),
    ]),
    metrics,
  );
}

/** By the names of APIService objects: those of this server are available, and its own API group has none. */
function unavailableServices({ catalog, aggregated, product }: ServerDependencies): MetricFamily {
  const registration = product.rename('apiregistration.k8s.io/').slice(0, -1);
  const own = catalog.groups.filter(({ name }) => name !== registration);
  const sampleOf = (group: string, version: string, value: number): MetricSample => ({ labels: { name: `${version}.${group}` }, value });
  return {
    name: 'aggregator_unavailable_apiservice',
    type: 'gauge',
    help: '[ALPHA] Gauge of APIServices which are marked as unavailable broken down by APIService name.',
    samples: [
      ...own.flatMap(({ name, versions }) => versions.map((version) => sampleOf(name, version, 0))),
      ...aggregated.versions.map(({ group, version, isAvailable }) => sampleOf(group, version, isAvailable ? 0 : 1)),
    ],
  };
}

/** Cf. component-base metrics/prometheus/compatversion. */
function compatibilityInfo({ emulatedMinor }: ServerDependencies): MetricFamily {
  const { gitVersion, emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor } = versionInfo(emulatedMinor);
  const labels = {
    binary: gitVersion.slice(1),
    component: 'kube',
    emulation: `${emulationMajor}.${emulationMinor}`,
    min_compat: `${minCompatibilityMajor}.${minCompatibilityMinor}`,
  };
  return {
    name: 'version_info',
    type: 'gauge',
    help: '[ALPHA] Provides the compatibility version info of the component. The component label is the name of the component, usually kube, but is relevant for aggregated-apiservers.',
    samples: [{ labels, value: 1 }],
  };
}

/** Cf. component-base metrics/registry.go. No metric of this release is hidden. */
function registrationFamilies(all: readonly MetricFamily[], enabled: readonly MetricFamily[]): readonly MetricFamily[] {
  const counter = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
    name,
    type: 'counter',
    help,
    samples,
  });
  const levels = ['ALPHA', 'BETA', 'STABLE'].map((level) => ({
    labels: { deprecated_version: '', stability_level: level },
    value: enabled.filter(({ help }) => help.startsWith(`[${level}]`)).length,
  }));
  return [
    counter('disabled_metrics_total', '[BETA] The count of disabled metrics.', [{ labels: {}, value: all.length - enabled.length }]),
    counter('hidden_metrics_total', '[BETA] The count of hidden metrics.', [{ labels: {}, value: 0 }]),
    counter(
      'registered_metrics_total',
      '[BETA] The count of registered metrics broken by stability level and deprecation version.',
      levels,
    ),
  ];
}

function asMetrics(body: string, { startedMs }: Metrics): ApiResponse {
  const type: Header = ['content-type', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'];
  const started: Header = ['process-start-time-unix', String(Math.floor(startedMs / 1000))];
  return { status: 200, headers: [uncached, type, started], body };
}
