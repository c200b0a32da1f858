import type { AdmissionStep, PolicyCheckLabels, WebhookLabels } from '../../../admission/index.ts';
import type { Clock } from '../../../env/index.ts';
import { type FeatureGates, getOrAdd, Histogram, type MetricFamily, type MetricSample, processStart } from '../../../meta/index.ts';
import type { ConfigurationReport, Reloads } from '../../configuration-report.ts';
import type { HealthLabels } from '../../paths/health.ts';
import { AccessMetrics } from './access-metrics.ts';

type Labels = MetricSample['labels'];

/** Labels of apiserver_longrunning_requests. */
export type RequestLabels = Readonly<Record<'component' | 'group' | 'resource' | 'scope' | 'subresource' | 'verb' | 'version', string>>;

/** Labels of apiserver_request_total. */
export type ResponseLabels = RequestLabels & Readonly<Record<'code' | 'dry_run', string>>;

/** The requests with the same labels. */
export interface RequestCount {
  readonly labels: ResponseLabels;
  requests: number;
  /** In seconds. */
  readonly durations: Histogram;
}

interface LongRunning {
  readonly labels: RequestLabels;
  requests: number;
}

interface LabeledHistogram {
  readonly labels: Labels;
  readonly values: Histogram;
}

/** A queue of a control loop of this server. */
interface MeteredQueue {
  readonly name: string;
  readonly queue: { readonly length: number };
}

/** In seconds. Cf. k8s.io/apiserver endpoints/metrics requestLatencies. */
const durationBounds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60] as const;
/** In bytes: 1 kB to 1 GB. Cf. k8s.io/apiserver endpoints/metrics responseSizes. */
const sizeBounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] as const;
/** In seconds. Cf. k8s.io/apiserver admission/metrics. */
const admissionBounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5] as const;
const webhookBounds = [...admissionBounds, 10, 25] as const;
/** In seconds. Cf. k8s.io/apiserver admission/plugin/policy/validating/metrics. */
const policyBounds = [0.0000005, 0.001, 0.01, 0.1, 1] as const;

export interface MetricsOptions {
  readonly gates: FeatureGates;
  readonly configurations: readonly ConfigurationReport[];
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
}

/** What the server counts from its start, at the cost of an addition per request: samples are made when the metrics are read. */
export class Metrics {
  readonly #requests = new Map<string, RequestCount>();
  readonly #longRunning = new Map<string, LongRunning>();
  readonly #deprecated = new Map<string, Labels>();
  readonly #decisions: { readonly labels: Labels; value: number }[] = [];
  readonly #responseSizes = new Map<string, LabeledHistogram>();
  readonly #admissionPlugins = new Map<string, LabeledHistogram>();
  readonly #admissionSteps = new Map<string, LabeledHistogram>();
  readonly #webhooks = new Map<string, LabeledHistogram>();
  readonly #policyChecks = new Map<string, LabeledHistogram>();
  readonly #healthChecks = new Map<string, { readonly labels: HealthLabels; value: number }>();
  readonly #ownRequests = new Map<string, { readonly labels: Labels; value: number }>();
  readonly #queues: MeteredQueue[] = [];
  readonly #gates: FeatureGates;
  readonly #configurations: readonly ConfigurationReport[];
  readonly startedMs: number;
  readonly #auditLevels = new Map<string, number>();
  readonly access: AccessMetrics;
  #auditEvents = 0;
  #auditRejected = 0;

  constructor({ gates, configurations, clock }: MetricsOptions) {
    this.#gates = gates;
    this.#configurations = configurations;
    // The server is created at its start.
    this.startedMs = clock.nowMs();
    this.access = new AccessMetrics(clock);
  }

  /** Called for every request. */
  countRequest(labels: ResponseLabels): RequestCount {
    const key = `${keyOf(labels)} ${labels.code} ${labels.dry_run}`;
    const count = getOrAdd(this.#requests, key, () => ({ labels, requests: 0, durations: new Histogram(durationBounds) }));
    count.requests++;
    return count;
  }

  /** Counts a request that lasts; the returned function ends it. */
  startLongRunning(labels: RequestLabels): () => void {
    const count = getOrAdd(this.#longRunning, keyOf(labels), () => ({ labels: requestLabels(labels), requests: 0 }));
    count.requests++;
    return () => {
      count.requests--;
    };
  }

  /** Called for every response to a GET or LIST. */
  observeResponseSize(labels: RequestLabels, bytes: number): void {
    observe(this.#responseSizes, keyOf(labels), { labels: () => requestLabels(labels), bounds: sizeBounds }, bytes);
  }

  observeAdmissionStep(step: AdmissionStep, operation: string, rejected: boolean, seconds: number): void {
    const labels = (): Labels => ({ operation, rejected: String(rejected), type: step });
    observe(this.#admissionSteps, `${step} ${operation} ${rejected}`, { labels, bounds: admissionBounds }, seconds);
  }

  /** Called for every plugin that handles a write. */
  observeAdmissionPlugin(name: string, step: AdmissionStep, operation: string, rejected: boolean, seconds: number): void {
    const labels = (): Labels => ({ name, operation, rejected: String(rejected), type: step });
    observe(this.#admissionPlugins, `${name} ${step} ${operation} ${rejected}`, { labels, bounds: admissionBounds }, seconds);
  }

  observeWebhook(labels: WebhookLabels, seconds: number): void {
    observe(this.#webhooks, JSON.stringify(labels), { labels: () => labels, bounds: webhookBounds }, seconds);
  }

  observePolicyCheck(labels: PolicyCheckLabels, seconds: number): void {
    observe(this.#policyChecks, JSON.stringify(labels), { labels: () => labels, bounds: policyBounds }, seconds);
  }

  countHealthCheck(labels: HealthLabels): void {
    getOrAdd(this.#healthChecks, JSON.stringify(labels), () => ({ labels, value: 0 })).value++;
  }

  get healthChecks(): readonly MetricSample[] {
    return [...this.#healthChecks.values()];
  }

  /** A request of the server to itself. */
  countOwnRequest(method: string, code: number, host: string): void {
    getOrAdd(this.#ownRequests, `${method} ${code}`, () => ({ labels: { code: String(code), host, method }, value: 0 })).value++;
  }

  addQueue(name: string, queue: MeteredQueue['queue']): void {
    this.#queues.push({ name, queue });
  }

  countAuditLevel(level: string): void {
    this.#auditLevels.set(level, (this.#auditLevels.get(level) ?? 0) + 1);
  }

  countAuditEvent(): void {
    this.#auditEvents++;
  }

  countAuditRejected(): void {
    this.#auditRejected++;
  }

  noteDeprecated(labels: Labels): void {
    this.#deprecated.set(JSON.stringify(labels), labels);
  }

  /** Returns a counter of one authorizer's decisions. */
  decisionsOf(type: string, name: string): (decision: 'allowed' | 'denied') => void {
    const [allowed, denied] = (['allowed', 'denied'] as const).map((decision) => ({ labels: { decision, name, type }, value: 0 }));
    this.#decisions.push(...[allowed, denied].flatMap((count) => count ?? []));
    return (decision) => {
      const count = decision === 'allowed' ? allowed : denied;
      if (count) count.value++;
    };
  }

  families(): readonly MetricFamily[] {
    return [
      ...this.#auditFamilies(),
      ...this.#requestFamilies(),
      ...this.access.families(),
      ...this.#configurations.flatMap(configurationFamilies),
      {
        name: 'apiserver_authorization_decisions_total',
        type: 'counter',
        help: '[ALPHA] Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
        samples: this.#decisions.filter(({ value }) => value > 0),
      },
      {
        name: 'apiserver_admission_step_admission_duration_seconds',
        type: 'histogram',
        help: '[STABLE] Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
        samples: samplesOf(this.#admissionSteps),
      },
      {
        name: 'apiserver_admission_controller_admission_duration_seconds',
        type: 'histogram',
        help: '[STABLE] Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
        samples: samplesOf(this.#admissionPlugins),
      },
      {
        name: 'apiserver_admission_webhook_admission_duration_seconds',
        type: 'histogram',
        help: '[STABLE] Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
        samples: samplesOf(this.#webhooks),
      },
      {
        name: 'apiserver_validating_admission_policy_check_duration_seconds',
        type: 'histogram',
        help: '[BETA] Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
        samples: samplesOf(this.#policyChecks),
      },
      {
        name: 'apiserver_validating_admission_policy_check_total',
        type: 'counter',
        help: '[BETA] Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
        samples: [...this.#policyChecks.values()].map(({ labels, values }) => ({ labels, value: values.count })),
      },
      // There is one validation here, so results are never compared.
      plainFamily(
        'apiserver_validation_declarative_validation_mismatch_total',
        '[BETA] Number of times declarative validation results differed from handwritten validation results for core types.',
      ),
      plainFamily(
        'apiserver_validation_declarative_validation_panic_total',
        '[BETA] Number of times declarative validation has panicked during validation.',
      ),
      {
        name: 'kubernetes_feature_enabled',
        type: 'gauge',
        help: '[BETA] This metric records the data about the stage and enablement of a k8s feature.',
        samples: this.#gates.all().map(({ name, stage, enabled }) => ({
          labels: { name, stage: stage === 'GA' ? '' : stage },
          value: Number(enabled),
        })),
      },
      this.startTime(''),
      {
        name: 'rest_client_requests_total',
        type: 'counter',
        help: '[ALPHA] Number of HTTP requests, partitioned by status code, method, and host.',
        samples: [...this.#ownRequests.values()],
      },
      {
        name: 'workqueue_depth',
        type: 'gauge',
        help: '[ALPHA] Current depth of workqueue',
        samples: this.#queues.map(({ name, queue }) => ({ labels: { name }, value: queue.length })),
      },
    ];
  }

  startTime(stability: '' | '[ALPHA] '): MetricFamily {
    return processStart(this.startedMs, stability);
  }

  /** Drops the values that have labels, except gauges. */
  reset(): void {
    for (const counts of [
      this.#requests,
      this.#responseSizes,
      this.#admissionPlugins,
      this.#admissionSteps,
      this.#webhooks,
      this.#policyChecks,
      this.#ownRequests,
      this.#auditLevels,
    ])
      counts.clear();
    for (const count of this.#decisions) count.value = 0;
  }

  resetHealthChecks(): void {
    this.#healthChecks.clear();
  }

  #requestFamilies(): readonly MetricFamily[] {
    const counts = [...this.#requests.values()];
    return [
      {
        name: 'apiserver_request_total',
        type: 'counter',
        help: '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
        samples: counts.map(({ labels, requests }) => ({ labels, value: requests })),
      },
      {
        name: 'apiserver_request_duration_seconds',
        type: 'histogram',
        help: '[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
        samples: durationSamples(counts),
      },
      {
        name: 'apiserver_response_sizes',
        type: 'histogram',
        help: '[STABLE] Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
        samples: samplesOf(this.#responseSizes),
      },
      {
        name: 'apiserver_longrunning_requests',
        type: 'gauge',
        help: '[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
        samples: [...this.#longRunning.values()].map(({ labels, requests }) => ({ labels, value: requests })),
      },
      {
        name: 'apiserver_requested_deprecated_apis',
        type: 'gauge',
        help: '[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
        samples: [...this.#deprecated.values()].map((labels) => ({ labels, value: 1 })),
      },
    ];
  }

  #auditFamilies(): readonly MetricFamily[] {
    return [
      plainFamily(
        'apiserver_audit_event_total',
        '[ALPHA] Counter of audit events generated and sent to the audit backend.',
        this.#auditEvents,
      ),
      {
        name: 'apiserver_audit_level_total',
        type: 'counter',
        help: '[ALPHA] Counter of policy levels for audit events (1 per request).',
        samples: [...this.#auditLevels].map(([level, value]) => ({ labels: { level }, value })),
      },
      plainFamily(
        'apiserver_audit_requests_rejected_total',
        '[ALPHA] Counter of apiserver requests rejected due to an error in audit logging backend.',
        this.#auditRejected,
      ),
    ];
  }
}

const keyOf = ({ verb, resource, subresource, group, version, scope }: RequestLabels): string =>
  `${verb} ${resource}/${subresource} ${group}/${version} ${scope}`;

/** Without the labels that only responses have. */
function requestLabels({ component, group, resource, scope, subresource, verb, version }: RequestLabels): RequestLabels {
  return { component, group, resource, scope, subresource, verb, version };
}

/** Adds a value to the histogram of a key; labels and bounds are those of a new histogram. */
function observe(
  histograms: Map<string, LabeledHistogram>,
  key: string,
  { labels, bounds }: { readonly labels: () => Labels; readonly bounds: readonly number[] },
  value: number,
): void {
  getOrAdd(histograms, key, () => ({ labels: labels(), values: new Histogram(bounds) })).values.observe(value);
}

function samplesOf(histograms: ReadonlyMap<string, LabeledHistogram>): readonly MetricSample[] {
  return [...histograms.values()].flatMap(({ labels, values }) => values.samples(labels));
}

/** A counter without labels. */
function plainFamily(name: string, help: string, value = 0): MetricFamily {
  return { name, type: 'counter', help, samples: [{ labels: {}, value }] };
}

/** The durations of requests with any code. */
function durationSamples(counts: readonly RequestCount[]): readonly MetricSample[] {
  const byLabels = new Map<string, { readonly labels: Labels; readonly durations: Histogram }>();
  for (const { labels: all, durations } of counts) {
    const { code: _, ...labels } = all;
    const key = JSON.stringify(labels);
    getOrAdd(byLabels, key, () => ({ labels, durations: new Histogram(durationBounds) })).durations.add(durations);
  }
  return [...byLabels.values()].flatMap(({ labels, durations }) => durations.samples(labels));
}

/** Reloads and hash of a configuration file. */
function configurationFamilies({ of, serverHash, contentHash, reloads }: ConfigurationReport): readonly MetricFamily[] {
  const family = (name: string, type: 'counter' | 'gauge', help: string, samples: readonly MetricSample[]): MetricFamily => ({
    name: `apiserver_${of}_config_controller_${name}`,
    type,
    help: `[${name.startsWith('automatic') && of !== 'encryption' ? 'BETA' : 'ALPHA'}] ${help} apiserver identity.`,
    samples,
  });
  const byStatus = (value: (of: Reloads) => number): readonly MetricSample[] =>
    [...reloads].map(([status, one]) => ({ labels: { apiserver_id_hash: serverHash, status }, value: value(one) }));
  const configuration = `${of} configuration`;
  return [
    family(
      'automatic_reload_last_timestamp_seconds',
      'gauge',
      `Timestamp of the last automatic reload of ${configuration} split by status and`,
      byStatus(({ lastMs }) => lastMs / 1000),
    ),
    family(
      'automatic_reloads_total',
      'counter',
      `Total number of automatic reloads of ${configuration} split by status and`,
      byStatus(({ count }) => count),
    ),
    family('last_config_info', 'gauge', `Information about the last applied ${configuration} with hash as label, split by`, [
      { labels: { apiserver_id_hash: serverHash, hash: contentHash }, value: 1 },
    ]),
  ];
}
