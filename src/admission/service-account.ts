import type { Random } from '../env/index.ts';
import type { ApiObject, Json, JsonObject, Product } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { createForbiddenError, isPodWrite } from './forbidden-error.ts';
import { annotationOf, podSpecOf, withSpec } from './object-accessors.ts';
import { invalidNameReason, type ObjectSource } from './object-source.ts';

const volumePrefix = 'kube-api-access-';
/** 27 letters and digits that form no words (upstream util/rand). */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
/** An hour plus 7 seconds, by which kube-apiserver recognizes these tokens (upstream WarnOnlyBoundTokenExpirationPeriod). */
const tokenSeconds = 3607;
const fileMode = 420;

/**
 * Requires the service account of a pod and mounts its token as a volume. Cf. upstream plugin/serviceaccount.
 */
export function serviceAccount(accounts: ObjectSource, random: Random, product: Product): AdmissionPlugin {
  const mirrorAnnotation = product.rename('kubernetes.io/config.mirror');
  const mountPath = product.rename('/var/run/secrets/kubernetes.io/serviceaccount');
  return {
    name: 'ServiceAccount',
    handles: (write) => isPodWrite(write) && write.operation === 'CREATE',
    async mutate(request, pod) {
      if (annotationOf(pod, mirrorAnnotation) !== undefined) return checkMirrorPod(request, pod);
      const name = podSpecOf(pod).serviceAccountName || 'default';
      const account = await accounts.find(request.namespace, name);
      if (!account) {
        const why = invalidNameReason(name) ?? `serviceaccount ${JSON.stringify(name)} not found`;
        throw createForbiddenError(request, pod, `error looking up service account ${request.namespace}/${name}: ${why}`);
      }
      const named = withSpec(pod, { serviceAccountName: name, serviceAccount: name });
      return withPullSecrets(shouldAutomountToken(account, pod) ? withTokenVolume(named, mountPath, random) : named, account);
    },
  };
}

/** A mirror pod has no service account. */
function checkMirrorPod(request: AdmissionRequest, pod: ApiObject): ApiObject {
  const { serviceAccountName, volumes = [] } = podSpecOf(pod);
  if (serviceAccountName) throw createForbiddenError(request, pod, 'a mirror pod may not reference service accounts');
  if (volumes.some(({ secret }) => secret !== undefined))
    throw createForbiddenError(request, pod, 'a mirror pod may not reference secrets');
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined))
    throw createForbiddenError(request, pod, 'a mirror pod may not use ServiceAccountToken volume projections');
  return pod;
}

type ServiceAccount = Decoded<corev1.ServiceAccount>;

/** The pod's setting wins over the account's; the default is true. */
function shouldAutomountToken(account: ServiceAccount, pod: ApiObject): boolean {
  return (podSpecOf(pod).automountServiceAccountToken ?? account.automountServiceAccountToken) !== false;
}

function withTokenVolume(pod: ApiObject, mountPath: string, random: Random): ApiObject {
  const spec = podSpecOf(pod);
  const volumes = spec.volumes ?? [];
  const present = volumes.map(({ name = '' }) => name).find((name) => name.startsWith(volumePrefix));
  const name = present ?? `${volumePrefix}${suffixOf(random)}`;
  let mounted = false;
  const mountIn = (list: 'initContainers' | 'containers'): Readonly<Record<string, Json>> => {
    const containers = spec[list] ?? [];
    if (containers.length === 0) return {};
    const next = containers.map((container) => {
      const mounts = container.volumeMounts ?? [];
      if (mounts.some((mount) => mount.mountPath === mountPath)) return container;
      mounted = true;
      return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath }] };
    });
    return { [list]: next };
  };
  const next = withSpec(pod, { ...mountIn('initContainers'), ...mountIn('containers') });
  return mounted && present === undefined ? withSpec(next, { volumes: [...volumes, tokenVolume(name)] }) : next;
}

function suffixOf(random: Random): string {
  return Array.from({ length: suffixLength }, () => suffixAlphabet[random.integer(suffixAlphabet.length)]).join('');
}

function tokenVolume(name: string): JsonObject {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [namespace] } },
      ],
      defaultMode: fileMode,
    },
  };
}

function withPullSecrets(pod: ApiObject, { imagePullSecrets = [] }: ServiceAccount): ApiObject {
  if (imagePullSecrets.length === 0 || podSpecOf(pod).imagePullSecrets?.length) return pod;
  return withSpec(pod, { imagePullSecrets: imagePullSecrets.map(({ name = '' }) => ({ name })) });
}
