import type { Clock } from '../../../env/index.ts';
import { getOrAdd, Histogram, type MetricFamily } from '../../../meta/index.ts';
import type { WriteContext } from '../../../registry/index.ts';

/** In seconds. Cf. k8s.io/apiserver endpoints/filters/metrics.go. */
const accessBounds = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);
/** The default of Prometheus' clients, in seconds. */
const defaultBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Names that are shown; others could be too many. Cf. compressUsername. */
const shownUsers: ReadonlySet<string> = new Set(['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default']);

interface Attempts {
  count: number;
  readonly seconds: Histogram;
}

/** The results of authentication or authorization. */
class AttemptCounts {
  readonly #byResult = new Map<string, Attempts>();

  observe(result: string, seconds: number): void {
    const attempts = getOrAdd(this.#byResult, result, () => ({ count: 0, seconds: new Histogram(accessBounds) }));
    attempts.count++;
    attempts.seconds.observe(seconds);
  }

  families(counter: string, help: string, what: string): readonly MetricFamily[] {
    const all = [...this.#byResult];
    return [
      { name: counter, type: 'counter', help, samples: all.map(([result, { count }]) => ({ labels: { result }, value: count })) },
      {
        name: `${what.toLowerCase()}_duration_seconds`,
        type: 'histogram',
        help: `[ALPHA] ${what} duration in seconds broken out by result.`,
        samples: all.flatMap(([result, { seconds }]) => seconds.samples({ result })),
      },
    ];
  }
}

/** What authentication, authorization and validation rules have done. */
export class AccessMetrics {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #authentications = new AttemptCounts();
  readonly #authorizations = new AttemptCounts();
  readonly #users = new Map<string, number>();
  readonly #compilations = new Histogram(defaultBounds);
  readonly #evaluations = new Histogram(defaultBounds);
  /** Measures the validation rules of custom resources. */
  readonly ruleTimer: NonNullable<WriteContext['ruleTimer']>;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
    this.ruleTimer = { compilation: () => this.#start(this.#compilations), evaluation: () => this.#start(this.#evaluations) };
  }

  /** `username`: undefined when the request is not authenticated. */
  observeAuthentication(result: 'success' | 'failure' | 'error', username: string | undefined, startMs: number): void {
    this.#authentications.observe(result, this.#secondsSince(startMs));
    if (username === undefined) return;
    const shown = shownUsers.has(username) ? username : username.includes('@') ? 'email_id' : 'other';
    this.#users.set(shown, (this.#users.get(shown) ?? 0) + 1);
  }

  observeAuthorization(result: 'allowed' | 'denied' | 'no-opinion' | 'error', startMs: number): void {
    this.#authorizations.observe(result, this.#secondsSince(startMs));
  }

  families(): readonly MetricFamily[] {
    return [
      ...this.#authentications.families('authentication_attempts', '[ALPHA] Counter of authenticated attempts.', 'Authentication'),
      ...this.#authorizations.families(
        'authorization_attempts_total',
        "[ALPHA] Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
        'Authorization',
      ),
      {
        name: 'authenticated_user_requests',
        type: 'counter',
        help: '[ALPHA] Counter of authenticated requests broken out by username.',
        samples: [...this.#users].map(([username, value]) => ({ labels: { username }, value })),
      },
      ruleFamily('compilation', this.#compilations),
      ruleFamily('evaluation', this.#evaluations),
    ];
  }

  #secondsSince(startMs: number): number {
    return (this.#clock.monotonicMs() - startMs) / 1000;
  }

  #start(histogram: Histogram): () => void {
    const startMs = this.#clock.monotonicMs();
    return () => histogram.observe(this.#secondsSince(startMs));
  }
}

function ruleFamily(what: 'compilation' | 'evaluation', seconds: Histogram): MetricFamily {
  const help = `[BETA] CEL ${what} time in seconds.`;
  return { name: `apiserver_cel_${what}_duration_seconds`, type: 'histogram', help, samples: seconds.allSamples({}) };
}
