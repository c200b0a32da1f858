import { type ApiObject, aggregateErrors, type JsonObject, notFound, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';
import type { AdmissionRequest, AdmissionUser } from '../admission.ts';
import { specOf } from '../object-accessors.ts';
import type { ObjectSource } from '../object-source.ts';

/** Access to the cluster; supplied by `cluster`. */
export interface AudienceOptions {
  /** Objects of a resource, by its upstream group, version and name. */
  readonly source: (groupVersion: string, resource: string) => ObjectSource;
  /** Whether a user is authorized for a resource of the core group. */
  readonly isAuthorized: (
    user: AdmissionUser,
    attributes: { readonly verb: string; readonly resource: string; readonly namespace: string; readonly name: string },
  ) => Promise<boolean>;
}

/**
 * A node may request a token for another audience only when a volume of the pod needs it, or when the node is authorized to.
 * Cf. upstream ServiceAccountNodeAudienceRestriction.
 */
export async function audienceProblem(
  { user, namespace, name }: AdmissionRequest,
  request: ApiObject,
  pod: ApiObject,
  tools: AudienceOptions,
): Promise<string | undefined> {
  const [audience = '', ...more] = textsAt(specOf(request), 'audiences');
  if (more.length > 0) return 'node may only request 0 or 1 audiences';
  const errors: string[] = [];
  for (const volume of objectsAt(specOf(pod), 'volumes')) {
    const found = await needsAudience(volume, pod, audience, tools.source);
    if (found === true) return undefined;
    if (found !== false) errors.push(found);
  }
  const quoted = JSON.stringify(audience);
  if (errors.length > 0) return `error validating audience ${quoted}: ${aggregateErrors(errors)}`;
  if (await tools.isAuthorized(user, { verb: 'request-serviceaccounts-token-audience', resource: audience, namespace, name }))
    return undefined;
  return `audience ${quoted} not found in pod spec volume, ${user.username} is not authorized to request tokens for this audience`;
}

/** Whether a volume needs a token of the audience, or the error that prevents the check. */
async function needsAudience(
  volume: JsonObject,
  pod: ApiObject,
  audience: string,
  source: AudienceOptions['source'],
): Promise<boolean | string> {
  const tokens = objectsAt(recordAt(volume, 'projected'), 'sources').filter((one) => one['serviceAccountToken'] !== undefined);
  if (tokens.some((one) => textAt(recordAt(one, 'serviceAccountToken'), 'audience') === audience)) return true;
  const claim =
    volume['ephemeral'] === undefined
      ? textAt(recordAt(volume, 'persistentVolumeClaim'), 'claimName')
      : `${pod.metadata.name}-${textAt(volume, 'name')}`;
  const driver = claim === '' ? textAt(recordAt(volume, 'csi'), 'driver') : await driverOf(claim, pod, source);
  if (typeof driver !== 'string') return driver.problem;
  if (driver === '') return false;
  const found = await source('storage.k8s.io/v1', 'csidrivers').find('', driver);
  if (!found) return notFound({ group: 'storage.k8s.io', name: 'csidriver' }, driver).message;
  return objectsAt(specOf(found), 'tokenRequests').some((request) => textAt(request, 'audience') === audience);
}

async function driverOf(
  claimName: string,
  pod: ApiObject,
  source: AudienceOptions['source'],
): Promise<string | { readonly problem: string }> {
  const claim = await source('v1', 'persistentvolumeclaims').find(pod.metadata.namespace ?? '', claimName);
  if (!claim) return { problem: notFound({ group: '', name: 'persistentvolumeclaim' }, claimName).message };
  const volumeName = textAt(specOf(claim), 'volumeName');
  const volume = await source('v1', 'persistentvolumes').find('', volumeName);
  if (!volume) return { problem: notFound({ group: '', name: 'persistentvolume' }, volumeName).message };
  return textAt(recordAt(specOf(volume), 'csi'), 'driver');
}
