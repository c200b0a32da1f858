import type { Indexer } from '../../client/index.ts';
import { formatTime, type Product, parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { secretNamesOf } from './secret-names.ts';

export interface TokenObjects {
  /** Of type service-account-token. */
  readonly secrets: readonly corev1.Secret[];
  readonly accounts: Pick<Indexer<corev1.ServiceAccount>, 'get'>;
  readonly pods: readonly corev1.Pod[];
}

export interface CleanupTimes {
  readonly nowMs: number;
  /** Time without use after which a token is invalidated, and after which an invalid token is deleted. */
  readonly cleanUpMs: number;
  readonly product: Product;
}

/** A token to label as invalid since a day; without a day, to delete. */
export interface Cleanup {
  readonly secret: corev1.Secret;
  readonly invalidSince?: string;
}

const dayMs = 24 * 3_600_000;

/** The time from which on uses of tokens are certainly tracked: the start of the day after `since`. @throws Error */
export function trackedSinceMs(since: string | undefined): number {
  const startMs = dayStartMs(since ?? '');
  if (startMs === undefined) throw new Error(`the time since which tokens are tracked is not a day: ${since}`);
  return startMs + dayMs;
}

/** Cf. evaluateSATokens. */
export function planCleanup(objects: TokenObjects, times: CleanupTimes): readonly Cleanup[] {
  const { nowMs, cleanUpMs, product } = times;
  const [today, firstRecentDay] = [dayOf(nowMs), dayOf(nowMs - cleanUpMs)];
  const mounted = mountedSecrets(objects.pods);
  const candidates = objects.secrets.filter(
    (secret) => !isRecent(secret, times) && isGenerated(secret, objects, product) && !mounted(secret),
  );
  return candidates.flatMap((secret): readonly Cleanup[] => {
    const since = secret.metadata.labels?.[product.rename('kubernetes.io/legacy-token-invalid-since')];
    if (since === undefined || dayStartMs(since) === undefined) return [{ secret, invalidSince: today }];
    return since >= firstRecentDay ? [] : [{ secret }];
  });
}

/** Whether a token was created or used within the period, or it is unknown when. */
function isRecent({ metadata }: corev1.Secret, { nowMs, cleanUpMs, product }: CleanupTimes): boolean {
  const { creationTimestamp, deletionTimestamp, labels } = metadata;
  if (deletionTimestamp !== undefined || parseTime(creationTimestamp ?? formatTime(nowMs)) >= nowMs - cleanUpMs) return true;
  const lastUsed = labels?.[product.rename('kubernetes.io/legacy-token-last-used')];
  if (lastUsed === undefined) return false;
  return dayStartMs(lastUsed) === undefined || lastUsed >= dayOf(nowMs - cleanUpMs);
}

/** Whether a service account lists the secret, as it does with the tokens that were generated for it. */
function isGenerated({ metadata }: corev1.Secret, { accounts }: TokenObjects, product: Product): boolean {
  const { namespace, name = '', annotations } = metadata;
  const account = accounts.get(`${namespace}/${annotations?.[product.rename('kubernetes.io/service-account.name')] ?? ''}`);
  const uid = annotations?.[product.rename('kubernetes.io/service-account.uid')] ?? '';
  if (!account || (uid !== '' && uid !== account.metadata.uid)) return false;
  return (account.secrets ?? []).some((reference) => reference.name === name);
}

function mountedSecrets(pods: readonly corev1.Pod[]): (secret: corev1.Secret) => boolean {
  const names = new Set(pods.flatMap((pod) => secretNamesOf(pod).map((secret) => `${pod.metadata.namespace}/${secret}`)));
  return ({ metadata: { namespace, name } }) => names.has(`${namespace}/${name}`);
}

function dayOf(ms: number): string {
  return formatTime(ms).slice(0, 10);
}

/** Undefined for a text that is not a day. */
function dayStartMs(day: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) || dayOf(ms) !== day ? undefined : ms;
}
