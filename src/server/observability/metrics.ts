import { type FlowController, flowMetrics, type MetricFamily } from '../../flowcontrol/index.ts';
import type { ApiResponse, FeatureGates } from '../../meta/index.ts';
import type { ConfigurationReport, Reloads } from '../configuration-report.ts';
import { type InFlightRequests, type RequestKind, requestKinds } from '../limits/in-flight.ts';
import { checksOf, type HealthCheck, healthRoots } from '../paths/health.ts';
import { type Header, uncached } from '../response/respond.ts';

/** Labels of a sample, sorted by name. */
export type Labels = Readonly<Record<string, string>>;

/** Labels of apiserver_request_total. */
export type RequestLabels = Readonly<
  Record<'code' | 'component' | 'dry_run' | 'group' | 'resource' | 'scope' | 'subresource' | 'verb' | 'version', string>
>;

interface Count {
  readonly labels: RequestLabels;
  requests: number;
}

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
}

const inFlightRequests: Family = {
  name: 'apiserver_current_inflight_requests',
  type: 'gauge',
  help: '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
};
const requests: Family = {
  name: 'apiserver_request_total',
  type: 'counter',
  help: '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
};
const deprecated: Family = {
  name: 'apiserver_requested_deprecated_apis',
  type: 'gauge',
  help: '[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
};
const features: Family = {
  name: 'kubernetes_feature_enabled',
  type: 'gauge',
  help: '[BETA] This metric records the data about the stage and enablement of a k8s feature.',
};

const auditEvents: Family = {
  name: 'apiserver_audit_event_total',
  type: 'counter',
  help: '[ALPHA] Counter of audit events generated and sent to the audit backend.',
};
const auditLevels: Family = {
  name: 'apiserver_audit_level_total',
  type: 'counter',
  help: '[ALPHA] Counter of policy levels for audit events (1 per request).',
};
const auditRejected: Family = {
  name: 'apiserver_audit_requests_rejected_total',
  type: 'counter',
  help: '[ALPHA] Counter of apiserver requests rejected due to an error in audit logging backend.',
};

const decisions: Family = {
  name: 'apiserver_authorization_decisions_total',
  type: 'counter',
  help: '[ALPHA] Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
};

/** There is one validation here, so results are never compared and both metrics stay 0. */
const validationMismatches: Family = {
  name: 'apiserver_validation_declarative_validation_mismatch_total',
  type: 'counter',
  help: '[BETA] Number of times declarative validation results differed from handwritten validation results for core types.',
};
const validationPanics: Family = {
  name: 'apiserver_validation_declarative_validation_panic_total',
  type: 'counter',
  help: '[BETA] Number of times declarative validation has panicked during validation.',
};

const health: Family = {
  name: 'kubernetes_healthcheck',
  type: 'gauge',
  help: '[STABLE] This metric records the result of a single healthcheck.',
};

/** Metrics since the start of the cluster, in the Prometheus text format (part 3.5). */
export class Metrics {
  readonly #requests = new Map<string, Count>();
  readonly #deprecated = new Map<string, number>();
  readonly #decisions = new Map<string, number>();
  readonly #gates: FeatureGates;
  readonly #configurations: readonly ConfigurationReport[];
  readonly #auditLevels = new Map<string, number>();
  #auditEvents = 0;
  #auditRejected = 0;

  constructor(gates: FeatureGates, configurations: readonly ConfigurationReport[]) {
    this.#gates = gates;
    this.#configurations = configurations;
  }

  /** Called for every request, so samples are only formatted when the metrics are read. */
  countRequest(labels: RequestLabels): void {
    const { verb, resource, subresource, group, version, code, scope, dry_run } = labels;
    const key = `${verb} ${resource}/${subresource} ${group}/${version} ${code} ${scope} ${dry_run}`;
    const count = this.#requests.get(key);
    if (count) count.requests++;
    else this.#requests.set(key, { labels, requests: 1 });
  }

  countAuditLevel(level: string): void {
    const sample = sampleOf({ level });
    this.#auditLevels.set(sample, (this.#auditLevels.get(sample) ?? 0) + 1);
  }

  countAuditEvent(): void {
    this.#auditEvents++;
  }

  countAuditRejected(): void {
    this.#auditRejected++;
  }

  noteDeprecated(labels: Labels): void {
    this.#deprecated.set(sampleOf(labels), 1);
  }

  /** Returns a counter of one authorizer's decisions. It runs at every request, so its samples are formatted in advance. */
  decisionsOf(type: string, name: string): (decision: 'allowed' | 'denied') => void {
    const samples = { allowed: sampleOf({ decision: 'allowed', name, type }), denied: sampleOf({ decision: 'denied', name, type }) };
    return (decision) => {
      const sample = samples[decision];
      this.#decisions.set(sample, (this.#decisions.get(sample) ?? 0) + 1);
    };
  }

  /** `inFlight`: the highest number of requests in flight in the last second. */
  text(inFlight: ReadonlyMap<RequestKind, number> = new Map(), flows: readonly MetricFamily[] = []): string {
    return [
      ...plainLines(auditEvents, this.#auditEvents),
      ...familyLines(auditLevels, this.#auditLevels),
      ...plainLines(auditRejected, this.#auditRejected),
      ...this.#configurations.flatMap(configurationLines),
      ...familyLines(decisions, this.#decisions),
      ...familyLines(inFlightRequests, new Map([...inFlight].map(([kind, count]) => [sampleOf({ request_kind: kind }), count]))),
      ...flows.flatMap(sampleLines),
      ...familyLines(requests, new Map([...this.#requests.values()].map((count) => [sampleOf(count.labels), count.requests]))),
      ...familyLines(deprecated, this.#deprecated),
      ...plainLines(validationMismatches, 0),
      ...plainLines(validationPanics, 0),
      ...familyLines(features, featureSamples(this.#gates)),
      '',
    ].join('\n');
  }
}

function featureSamples(gates: FeatureGates): ReadonlyMap<string, number> {
  return new Map(gates.all().map(({ name, stage, enabled }) => [sampleOf({ name, stage: stage === 'GA' ? '' : stage }), enabled ? 1 : 0]));
}

/** Reloads and hash of a configuration file. */
function configurationLines({ of, serverHash, contentHash, reloads }: ConfigurationReport): readonly string[] {
  const family = (name: string, type: Family['type'], help: string): Family => ({
    name: `apiserver_${of}_config_controller_${name}`,
    type,
    help: `[ALPHA] ${help} apiserver identity.`,
  });
  const byStatus = (value: (of: Reloads) => number): ReadonlyMap<string, number> =>
    new Map([...reloads].map(([status, one]) => [sampleOf({ apiserver_id_hash: serverHash, status }), value(one)]));
  const configuration = `${of} configuration`;
  return [
    ...familyLines(
      family(
        'automatic_reload_last_timestamp_seconds',
        'gauge',
        `Timestamp of the last automatic reload of ${configuration} split by status and`,
      ),
      byStatus(({ lastMs }) => lastMs / 1000),
    ),
    ...familyLines(
      family('automatic_reloads_total', 'counter', `Total number of automatic reloads of ${configuration} split by status and`),
      byStatus(({ count }) => count),
    ),
    ...familyLines(
      family('last_config_info', 'gauge', `Information about the last applied ${configuration} with hash as label, split by`),
      new Map([[sampleOf({ apiserver_id_hash: serverHash, hash: contentHash }), 1]]),
    ),
  ];
}

function sampleOf(labels: Labels): string {
  const names = Object.keys(labels).sort();
  return names.map((name) => `${name}=${JSON.stringify(labels[name])}`).join(',');
}

/** A family without samples is omitted. */
function familyLines({ name, type, help }: Family, samples: ReadonlyMap<string, number>): readonly string[] {
  if (samples.size === 0) return [];
  const lines = [...samples].map(([labels, value]) => `${name}{${labels}} ${numberText(value)}`).sort();
  return [...headLines({ name, type, help }), ...lines];
}

/** A family without samples is omitted. The samples of a histogram are in order. */
function sampleLines({ samples, ...family }: MetricFamily): readonly string[] {
  if (samples.length === 0) return [];
  const lines = samples.map(({ suffix = '', labels, value }) => `${family.name}${suffix}{${sampleOf(labels)}} ${numberText(value)}`);
  return [...headLines(family), ...(family.type === 'histogram' ? lines : lines.sort())];
}

/** A family of one sample without labels. */
function plainLines(family: Family, value: number): readonly string[] {
  return [...headLines(family), `${family.name} ${numberText(value)}`];
}

function headLines({ name, type, help }: Pick<MetricFamily, 'name' | 'type' | 'help'>): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** As Go writes floats: `1.7953260074552662e+09`. */
function numberText(value: number): string {
  if (value < 1e6 || (Number.isInteger(value) && value < 1e21)) return String(value);
  return value.toExponential().replace(/e\+(\d)$/, 'e+0$1');
}

export function answerMetrics(metrics: Metrics, inFlight: InFlightRequests, flowControl: FlowController | undefined): ApiResponse {
  const highest = new Map(requestKinds.map((kind) => [kind, inFlight.highest(kind)]));
  return asMetrics(metrics.text(highest, flowControl && flowMetrics(flowControl.levels)));
}

/** The metrics of `/metrics/slis`: the result of each health check. */
export async function answerSlis(checks: readonly HealthCheck[]): Promise<ApiResponse> {
  const samples = new Map<string, number>();
  for (const root of healthRoots) {
    for (const { name, run, isUnlisted } of checksOf(root, checks)) {
      if (isUnlisted && (await run()) === undefined) continue;
      samples.set(sampleOf({ name, type: root.slice(1) }), (await run()) === undefined ? 1 : 0);
    }
  }
  return asMetrics([...familyLines(health, samples), ''].join('\n'));
}

function asMetrics(body: string): ApiResponse {
  const type: Header = ['content-type', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'];
  return { status: 200, headers: [uncached, type], body };
}
