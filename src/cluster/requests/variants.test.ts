import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

/**
 * One valid object of each kind with one change at a time, and the real server's errors for the rejected ones. Values were generated
 * from the types of the catalog, for every field.
 */
interface Variants {
  readonly version: string;
  readonly resource: string;
  /** Path of the collection. */
  readonly path: string;
  readonly base: JsonObject;
  readonly cases: readonly Variant[];
}

interface Variant {
  readonly path: readonly (string | number)[];
  /** Absent: the field is removed. */
  readonly value?: Json;
  readonly status: number;
  /** `field: message` of each cause, or the message without causes. */
  readonly told: readonly string[];
}

const file = new URL('../../../test/facts/variants/variants.json.gz', import.meta.url);
const recorded = JSON.parse(gunzipSync(readFileSync(file)).toString()) as readonly Variants[];
/** Feature gates that were on when alpha and beta kinds were recorded. */
const gates =
  'ClusterTrustBundle=true,ClusterTrustBundleProjection=true,PodCertificateRequest=true,StorageVersionMigrator=true,InformerResourceVersion=true,' +
  'MutatingAdmissionPolicy=true,StorageVersionAPI=true,CoordinatedLeaderElection=true,DRADeviceTaints=true,DRAPartitionableDevices=true,' +
  'DRADeviceBindingConditions=true,DRAConsumableCapacity=true,DRAExtendedResource=true,DRAResourceClaimDeviceStatus=true';

const met = new Set<string>();
const clusters = new Map<boolean, TestCluster>();
const isLater = (version: string): boolean => /alpha|beta/.test(version);

beforeAll(async () => {
  for (const later of [false, true]) {
    const running = await startTestCluster(later ? { runtimeConfig: new Map([['api/all', 'true']]) } : {}, later ? gates : '');
    await running.send('POST', '/api/v1/namespaces', { metadata: { name: 'kinds' } });
    await running.send('POST', '/api/v1/namespaces/kinds/serviceaccounts', { metadata: { name: 'default' } });
    clusters.set(later, running);
  }
});

function changed(base: JsonObject, { path, value }: Variant): JsonObject {
  const copy = structuredClone(base) as Record<string | number, Json>;
  let parent = copy;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, Json>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy as JsonObject;
}

interface Refusal {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

async function answerOf({ path, base, version }: Variants, variant: Variant): Promise<string> {
  const running = clusters.get(isLater(version));
  const response = await running?.send('POST', `${path}?dryRun=All&fieldValidation=Strict`, changed(base, variant));
  if (!response || response.status < 400) return 'accepted';
  const { message, details } = bodyOf(response) as Refusal;
  const told = details?.causes ? details.causes.map((cause) => `${cause.field}: ${cause.message}`) : [message];
  return answerText(response.status, told);
}

/** Go iterates over maps in random order. */
function answerText(status: number, told: readonly (string | undefined)[]): string {
  return JSON.stringify([status, [...told].sort()]);
}

/** Known differences from the real server's messages, by reason. */
const known: readonly (readonly [reason: string, is: (variant: Variant) => boolean])[] = [];

test('covers nearly every kind that can be created', () => {
  expect(recorded.length).toBeGreaterThan(75);
  expect(recorded.flatMap(({ cases }) => cases).length).toBeGreaterThan(4_500);
});

test.each(recorded.map((one) => [`${one.version} ${one.resource}`, one] as const))(
  'rejects each invalid value in a %s like the real server',
  async (kind, one) => {
    const others: string[] = [];
    for (const variant of one.cases) {
      const answer = await answerOf(one, variant);
      const wanted = answerText(variant.status, variant.told);
      if (answer === wanted) continue;
      const reason = known.find(([, is]) => is(variant))?.[0];
      if (reason !== undefined) {
        met.add(reason);
        continue;
      }
      const what = `${variant.path.join('.')} = ${JSON.stringify(variant.value)}`;
      others.push(`${what}\n    wanted ${wanted.slice(0, 400)}\n    got    ${answer.slice(0, 400)}`);
    }
    expect(others.join('\n'), kind).toBe('');
  },
);

test('still has the known differences', () => {
  expect([...met].sort()).toEqual(known.map(([reason]) => reason).sort());
});
