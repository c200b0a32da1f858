import type { Random } from '../env/index.ts';
import { type ApiObject, type Json, type JsonObject, type Product, StatusError } from '../meta/index.ts';
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
  const enforceAnnotation = product.rename('kubernetes.io/enforce-mountable-secrets');
  const requireAccount = async (request: AdmissionRequest, pod: ApiObject, name: string): Promise<ApiObject> => {
    const account = await accounts.find(request.namespace, name);
    if (account) return account;
    const why = invalidNameReason(name) ?? `serviceaccount ${JSON.stringify(name)} not found`;
    throw createForbiddenError(request, pod, `error looking up service account ${request.namespace}/${name}: ${why}`);
  };
  const checkSecrets = (request: AdmissionRequest, pod: ApiObject, account: ApiObject): void => {
    if (!trueText.test(annotationOf(account, enforceAnnotation) ?? '')) return;
    const isNew = request.operation === 'CREATE';
    const problem = secretProblem(podSpecOf(pod), isNew, account);
    if (problem === undefined) return;
    // Upstream returns a plain error for ephemeral containers.
    throw isNew ? createForbiddenError(request, pod, problem) : new StatusError(500, '', problem);
  };
  return {
    name: 'ServiceAccount',
    handles: (write) =>
      write.subresource === 'ephemeralcontainers' ? write.operation === 'UPDATE' : isPodWrite(write) && write.operation === 'CREATE',
    async mutate(request, pod) {
      if (request.operation !== 'CREATE') return pod;
      if (annotationOf(pod, mirrorAnnotation) !== undefined) return checkMirrorPod(request, pod);
      const name = podSpecOf(pod).serviceAccountName || 'default';
      const account = await requireAccount(request, pod, name);
      const named = withSpec(pod, { serviceAccountName: name, serviceAccount: name });
      const next = withPullSecrets(shouldAutomountToken(account, pod) ? withTokenVolume(named, mountPath, random) : named, account);
      checkSecrets(request, next, account);
      return next;
    },
    async validate(request, pod) {
      if (annotationOf(pod, mirrorAnnotation) !== undefined) return;
      checkSecrets(request, pod, await requireAccount(request, pod, podSpecOf(pod).serviceAccountName ?? ''));
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

/** Cf. Go's strconv.ParseBool. */
const trueText = /^(1|[tT]|true|TRUE|True)$/;

/** A place of a pod that may reference a secret. */
interface SecretUse {
  readonly by: string;
  readonly ref: { readonly name?: string | undefined } | undefined;
}

/** The first secret of a pod that its account does not list. Cf. upstream limitSecretReferences. */
function secretProblem(spec: Decoded<corev1.PodSpec>, isNew: boolean, account: ServiceAccount): string | undefined {
  const { secrets = [], imagePullSecrets = [], metadata } = account;
  const firstUnlisted = (uses: readonly SecretUse[], list: readonly SecretUse['ref'][], what: string): string | undefined => {
    const names = new Set(list.map((one) => one?.name));
    const found = uses.find(({ ref }) => ref && !names.has(ref.name));
    return (
      found && `${found.by}="${found.ref?.name}" is not allowed because service account ${metadata?.name} does not reference that ${what}`
    );
  };
  if (!isNew) return firstUnlisted(usesOf('ephemeral container', spec.ephemeralContainers), secrets, 'secret');
  const uses = [
    ...(spec.volumes ?? []).map(({ secret }) => ({ by: 'volume with secret.secretName', ref: secret && { name: secret.secretName } })),
    ...usesOf('init container', spec.initContainers),
    ...usesOf('container', spec.containers),
  ];
  const pulls = (spec.imagePullSecrets ?? []).map((ref, index) => ({ by: `imagePullSecrets[${index}].name`, ref }));
  return firstUnlisted(uses, secrets, 'secret') ?? firstUnlisted(pulls, imagePullSecrets, 'imagePullSecret');
}

function usesOf(what: string, containers: readonly Decoded<corev1.Container>[] | null | undefined): readonly SecretUse[] {
  return (containers ?? []).flatMap(({ name: container, env = [], envFrom = [] }) =>
    [
      ...env.map(({ name, valueFrom }) => ({ by: `envVar ${name}`, ref: valueFrom?.secretKeyRef })),
      ...envFrom.map(({ secretRef }) => ({ by: 'envFrom', ref: secretRef })),
    ].map(({ by, ref }) => ({ by: `${what} ${container} with ${by} referencing secret.secretName`, ref })),
  );
}

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
