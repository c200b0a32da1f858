import { createHash } from 'node:crypto';
import { getOrAdd, Histogram, type MetricFamily, type MetricSample } from '../../../../meta/index.ts';

type Labels = MetricSample['labels'];

/** In seconds: 0.1 ms to 52 s. */
const latencyBounds = Array.from({ length: 20 }, (_, index) => 0.0001 * 2 ** index);

interface Used {
  readonly labels: Labels;
  count: number;
  lastMs: number;
}

/** Calls of KMS plugins, and their keys. Cf. k8s.io/apiserver storage/value/encrypt/envelope/metrics. */
export class KmsMetrics {
  readonly #serverHash: string;
  readonly #latencies = new Map<string, { readonly labels: Labels; readonly seconds: Histogram }>();
  readonly #uses = new Map<string, Used>();
  readonly #statuses = new Map<string, Used>();
  readonly #invalid = new Map<string, Used>();
  readonly #sources = new Map<string, number>();

  /** `serverHash`: of the server's identity. */
  constructor(serverHash: string) {
    this.#serverHash = serverHash;
  }

  observeCall(provider: string, method: string, code: string, seconds: number): void {
    const labels = { provider_name: provider, method_name: `/v2.KeyManagementService/${method}`, grpc_status_code: code };
    getOrAdd(this.#latencies, `${method} ${code} ${provider}`, () => ({ labels, seconds: new Histogram(latencyBounds) })).seconds.observe(
      seconds,
    );
  }

  countUse(provider: string, transformation: 'from_storage' | 'to_storage', keyId: string, nowMs: number): void {
    count(this.#uses, nowMs, `${transformation} ${provider} ${keyId}`, () => ({
      ...this.#keyLabels(provider, keyId),
      transformation_type: transformation,
    }));
  }

  /** A status with a valid key id. */
  countStatus(provider: string, keyId: string, nowMs: number): void {
    count(this.#statuses, nowMs, `${provider} ${keyId}`, () => this.#keyLabels(provider, keyId));
  }

  countInvalidKeyId(provider: string, code: string, nowMs: number): void {
    count(this.#invalid, nowMs, `${provider} ${code}`, () => ({ provider_name: provider, error: code }));
  }

  setSources(provider: string, sources: number): void {
    this.#sources.set(provider, sources);
  }

  families(): readonly MetricFamily[] {
    const family = (name: string, type: MetricFamily['type'], help: string, samples: readonly MetricSample[]): MetricFamily => ({
      name: `apiserver_envelope_encryption_${name}`,
      type,
      help: `[ALPHA] ${help}`,
      samples,
    });
    const counts = (all: ReadonlyMap<string, Used>): readonly MetricSample[] =>
      [...all.values()].map(({ labels, count: value }) => ({ labels, value }));
    const times = (all: ReadonlyMap<string, Used>): readonly MetricSample[] =>
      [...all.values()].map(({ labels, lastMs }) => ({ labels, value: lastMs / 1000 }));
    const cacheHelp =
      'Number of records in data encryption key (DEK) source cache. On a restart, this value is an approximation of the number of decrypt RPC calls the server will make to the KMS plugin.';
    return [
      family(
        'dek_source_cache_size',
        'gauge',
        cacheHelp,
        [...this.#sources].map(([provider, value]) => ({ labels: { provider_name: provider }, value })),
      ),
      family('invalid_key_id_from_status_total', 'counter', invalidHelp, counts(this.#invalid)),
      family('key_id_hash_last_timestamp_seconds', 'gauge', 'The last time in seconds when a keyID was used.', times(this.#uses)),
      family(
        'key_id_hash_status_last_timestamp_seconds',
        'gauge',
        'The last time in seconds when a keyID was returned by the Status RPC call.',
        times(this.#statuses),
      ),
      family(
        'key_id_hash_total',
        'counter',
        'Number of times a keyID is used split by transformation type, provider, and apiserver identity.',
        counts(this.#uses),
      ),
      family(
        'kms_operations_latency_seconds',
        'histogram',
        'KMS operation duration with gRPC error code status total.',
        [...this.#latencies.values()].flatMap(({ labels, seconds }) => seconds.samples(labels)),
      ),
    ];
  }

  #keyLabels(provider: string, keyId: string): Labels {
    return { apiserver_id_hash: this.#serverHash, key_id_hash: hashOf(keyId), provider_name: provider };
  }
}

const invalidHelp = 'Number of times an invalid keyID is returned by the Status RPC call split by error.';

function count(all: Map<string, Used>, nowMs: number, key: string, labels: () => Labels): void {
  const used = getOrAdd(all, key, () => ({ labels: labels(), count: 0, lastMs: 0 }));
  used.count++;
  used.lastMs = nowMs;
}

/** Cf. kmsv2.GetHashIfNotEmpty. */
export function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
