import { aggregateErrors, notFound } from '../../meta/index.ts';
import type { authenticationv1, corev1, storagev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import type { AccessCheck } from '../access-check.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { ObjectSource } from '../object-source.ts';

/** Access to the cluster; supplied by `cluster`. */
export interface AudienceOptions {
  /** Objects of a resource, by its upstream group, version and name. */
  readonly source: (groupVersion: string, resource: string) => ObjectSource;
  readonly authorize: AccessCheck;
}

/**
 * A node may request a token for another audience only when a volume of the pod needs it, or when the node is authorized to.
 * Cf. upstream ServiceAccountNodeAudienceRestriction.
 */
export async function audienceProblem(
  { user, namespace, name }: AdmissionRequest,
  request: Decoded<authenticationv1.TokenRequest>,
  pod: Pod,
  tools: AudienceOptions,
): Promise<string | undefined> {
  const [audience = '', ...more] = request.spec?.audiences ?? [];
  if (more.length > 0) return 'node may only request 0 or 1 audiences';
  const errors: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const found = await needsAudience(volume, pod, audience, tools.source);
    if (found === true) return undefined;
    if (found !== false) errors.push(found);
  }
  const quoted = JSON.stringify(audience);
  if (errors.length > 0) return `error validating audience ${quoted}: ${aggregateErrors(errors)}`;
  const check = { verb: 'request-serviceaccounts-token-audience', group: '', version: 'v1', resource: audience, namespace, name };
  const { allowed } = await tools.authorize(user, check);
  if (allowed) return undefined;
  return `audience ${quoted} not found in pod spec volume, ${user.username} is not authorized to request tokens for this audience`;
}

type Pod = Decoded<corev1.Pod>;

/** Whether a volume needs a token of the audience, or the error that prevents the check. */
async function needsAudience(
  volume: Decoded<corev1.Volume>,
  pod: Pod,
  audience: string,
  source: AudienceOptions['source'],
): Promise<boolean | string> {
  const tokens = (volume.projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
  if (tokens.some((token) => (token.audience ?? '') === audience)) return true;
  const claim = volume.ephemeral ? `${pod.metadata?.name}-${volume.name}` : (volume.persistentVolumeClaim?.claimName ?? '');
  const driver = claim === '' ? (volume.csi?.driver ?? '') : await driverOf(claim, pod, source);
  if (typeof driver !== 'string') return driver.problem;
  if (driver === '') return false;
  const found: Decoded<storagev1.CSIDriver> | undefined = await source('storage.k8s.io/v1', 'csidrivers').find('', driver);
  if (!found) return notFound({ group: 'storage.k8s.io', name: 'csidriver' }, driver).message;
  return (found.spec?.tokenRequests ?? []).some((request) => (request.audience ?? '') === audience);
}

async function driverOf(claimName: string, pod: Pod, source: AudienceOptions['source']): Promise<string | { readonly problem: string }> {
  const claims = source('v1', 'persistentvolumeclaims');
  const claim: Decoded<corev1.PersistentVolumeClaim> | undefined = await claims.find(pod.metadata?.namespace ?? '', claimName);
  if (!claim) return { problem: notFound({ group: '', name: 'persistentvolumeclaim' }, claimName).message };
  const volumeName = claim.spec?.volumeName ?? '';
  const volume: Decoded<corev1.PersistentVolume> | undefined = await source('v1', 'persistentvolumes').find('', volumeName);
  if (!volume) return { problem: notFound({ group: '', name: 'persistentvolume' }, volumeName).message };
  return volume.spec?.csi?.driver ?? '';
}
