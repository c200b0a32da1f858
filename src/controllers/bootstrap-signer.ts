import { CompactSign } from 'jose/jws/compact/sign';
import { type ApiObject, type Product, readBootstrapSecret, recordAt } from '../meta/index.ts';
import { writeRequest } from './api-call.ts';
import type { Controller } from './controller.ts';
import { startInformer } from './informer.ts';
import { createSingleWorkerQueue } from './single-worker-queue.ts';

const configMapName = 'cluster-info';
const signatureKey = 'jws-kubeconfig-';

/** Signs the cluster-info ConfigMap with every signing bootstrap token (part 5.2). Cf. pkg/controller/bootstrap/bootstrapsigner.go. */
export const bootstrapSigner: Controller = (parts, signal) => {
  const { product, clock, api } = parts;
  const { publicNamespace, systemNamespace } = product.names;
  const path = `/api/v1/namespaces/${publicNamespace}/configmaps`;
  const sign = createSingleWorkerQueue('bootstrap signer', { ...parts, signal }, async () => {
    const configMap = configMaps.objects.get(`${publicNamespace}/${configMapName}`);
    if (!configMap || !secrets.hasSynced) return;
    const tokens = findSigningTokens([...secrets.objects.values()], clock.nowMs());
    const signed = await signConfigMap(configMap, tokens, product);
    // After a conflict, the next watch event triggers another run.
    if (signed) await api(writeRequest('PUT', `${path}/${configMapName}`, signed, signal));
  });
  const type = product.rename('bootstrap.kubernetes.io/token');
  const secrets = startInformer(
    parts,
    { path: `/api/v1/namespaces/${systemNamespace}/secrets`, fieldSelector: `type=${type}` },
    () => sign(),
    signal,
  );
  const configMaps = startInformer(parts, { path, fieldSelector: `metadata.name=${configMapName}` }, () => sign(), signal);
};

export interface SigningToken {
  readonly id: string;
  readonly secret: string;
}

/** The unexpired tokens that are enabled for signing and whose secret has the right name. */
export function findSigningTokens(secrets: readonly ApiObject[], nowMs: number): readonly SigningToken[] {
  return secrets.flatMap((object) => {
    const { id, secret, signs, expiresMs } = readBootstrapSecret(object);
    const isNamed = /^[a-z0-9]{6}$/.test(id) && object.metadata.name === `bootstrap-token-${id}`;
    const isValid = isNamed && secret !== '' && signs && (expiresMs === undefined || expiresMs > nowMs);
    return isValid ? [{ id, secret }] : [];
  });
}

/** The ConfigMap with its expected signatures; undefined when nothing changes. */
export async function signConfigMap(
  configMap: ApiObject,
  tokens: readonly SigningToken[],
  product: Product,
): Promise<ApiObject | undefined> {
  const data = recordAt(configMap, 'data');
  const { kubeconfig } = data;
  if (typeof kubeconfig !== 'string') return undefined;
  const others = Object.entries(data).filter(([key]) => !key.startsWith(signatureKey));
  const signatures = await Promise.all(
    tokens.map(async (token) => [`${signatureKey}${token.id}`, await signDetached(kubeconfig, token, product)] as const),
  );
  const isSame = others.length + signatures.length === Object.keys(data).length && signatures.every(([key, value]) => data[key] === value);
  return isSame ? undefined : { ...configMap, data: Object.fromEntries([...others, ...signatures]) };
}

/** A JWS with detached content: `header..signature`. */
async function signDetached(content: string, { id, secret }: SigningToken, { switches }: Product): Promise<string> {
  const encoder = new TextEncoder();
  const sharedKey = encoder.encode(switches.signsWithFullToken ? `${id}.${secret}` : secret);
  const whole = await new CompactSign(encoder.encode(content)).setProtectedHeader({ alg: 'HS256', kid: id }).sign(sharedKey);
  const [header, , signature] = whole.split('.');
  return `${header}..${signature}`;
}
