import type { JsonObject } from '../../../meta/index.ts';
import type { corev1, networkingv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { KindRow } from '../kind-row.ts';
import { volumeLabelWarnings } from './node-labels.ts';
import { claimWarnings, deprecatedVolumes } from './pods.ts';

type Warnings<T> = NonNullable<KindRow<Decoded<T>>['warnings']>;

export const ingressWarnings: Warnings<networkingv1.Ingress> = (ingress, old, { product }) => {
  const key = product.rename('kubernetes.io/ingress.class');
  const named = ingress.spec?.ingressClassName !== undefined;
  if (old || named || ingress.metadata?.annotations?.[key] === undefined) return [];
  return [`annotation ${JSON.stringify(key)} is deprecated, please use 'spec.ingressClassName' instead`];
};

const volumeAnnotations: readonly (readonly [key: string, text: string])[] = [
  ['volume.beta.kubernetes.io/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
];
/** Volume sources that upstream warns of only in pods. */
const podOnlySources: ReadonlySet<string> = new Set(['flocker', 'quobyte']);

export const persistentVolumeWarnings: Warnings<corev1.PersistentVolume> = (volume, _, { product }) => {
  const spec = volume.spec ?? {};
  const recycled = (spec.persistentVolumeReclaimPolicy ?? '') === 'Recycle';
  return [
    ...volumeAnnotations.flatMap(([name, text]) => {
      const key = product.rename(name);
      return volume.metadata?.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${text}`];
    }),
    ...(recycled
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...volumeLabelWarnings(spec, product),
    ...deprecatedVolumes
      .filter(([source]) => source in spec && !podOnlySources.has(source))
      .map(([source, text]) => `spec.${source === 'storageos' ? 'storageOS' : source}: ${text}`),
  ];
};

export const persistentVolumeClaimWarnings: Warnings<corev1.PersistentVolumeClaim> = (claim, _, { product }) => {
  const beta = product.rename('volume.beta.kubernetes.io/storage-class');
  const annotated = claim.metadata?.annotations?.[beta] !== undefined;
  return [
    ...(annotated ? [`metadata.annotations[${beta}]: deprecated since v1.8; use "storageClassName" attribute instead`] : []),
    ...claimWarnings(claim.spec ?? {}, 'spec'),
  ];
};

export const serviceAccountWarnings: Warnings<corev1.ServiceAccount> = (account, old, { product }) => {
  const key = product.rename('kubernetes.io/enforce-mountable-secrets');
  const [now, before] = [account, old].map((one) => one?.metadata?.annotations?.[key] !== undefined);
  if (!now || before) return [];
  return [`metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`];
};

/** Go's error for an unusable certificate and key pair; the contents of PEM blocks are not checked. */
export const secretWarnings: Warnings<corev1.Secret> = (secret, _, { product }) => {
  if ((secret.type ?? '') !== product.rename('kubernetes.io/tls')) return [];
  const data = secret.data ?? {};
  const text = pemProblem(data, 'tls.crt', 'certificate', 'CERTIFICATE') ?? pemProblem(data, 'tls.key', 'key', 'PRIVATE KEY');
  return text === undefined ? [] : [text];
};

function pemProblem(data: JsonObject, key: string, what: string, wanted: string): string | undefined {
  const encoded = data[key];
  const pem = typeof encoded === 'string' ? atob(encoded) : '';
  const types = [...pem.matchAll(/^-----BEGIN ([A-Z0-9 ]+)-----/gm)].map(([, type = '']) => type);
  if (types.some((type) => type === wanted || type.endsWith(` ${wanted}`))) return undefined;
  if (types.length === 0) return `tls: failed to find any PEM data in ${what} input`;
  const [only = ''] = types;
  if (what === 'certificate' && types.length === 1 && only.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  if (what === 'key' && types.length === 1 && only === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  const block = what === 'certificate' ? '"CERTIFICATE" PEM block' : 'PEM block with type ending in "PRIVATE KEY"';
  return `tls: failed to find ${block} in ${what} input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}
