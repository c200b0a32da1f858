import { CompactSign } from 'jose/jws/compact/sign';
import { type Product, readBootstrapSecret } from '../../meta/index.ts';
import { type corev1, corev1ConfigMaps, corev1Secrets } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';

const configMapName = 'cluster-info';
const signatureKey = 'jws-kubeconfig-';

/** Signs the cluster-info ConfigMap with every signing bootstrap token (part 5.2). Cf. pkg/controller/bootstrap/bootstrapsigner.go. */
export const bootstrapSigner: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const { publicNamespace, systemNamespace } = product.names;
  const key = `${publicNamespace}/${configMapName}`;
  const configMaps = informers.informer(corev1ConfigMaps, { namespace: publicNamespace, fieldSelector: `metadata.name=${configMapName}` });
  const fieldSelector = `type=${product.rename('bootstrap.kubernetes.io/token')}`;
  const secrets = informers.informer(corev1Secrets, { namespace: systemNamespace, fieldSelector });
  const reconcile = async (): Promise<void> => {
    const configMap = configMaps.store.get(key);
    if (!configMap) return;
    const signed = await signConfigMap(configMap, findSigningTokens(secrets.store.list(), clock.nowMs()), product);
    if (signed) await ignoreStaleWrite(client.resource(corev1ConfigMaps).update(signed));
  };
  const queue = startWorkers({ name: 'bootstrap-signer-controller', informers: [configMaps, secrets], reconcile, workers: 1 }, context);
  const enqueue = (): void => queue.add(key);
  for (const informer of [configMaps, secrets]) informer.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
};

export interface SigningToken {
  readonly id: string;
  readonly secret: string;
}

/** The unexpired tokens that are enabled for signing and whose secret has the right name. */
export function findSigningTokens(secrets: readonly corev1.Secret[], nowMs: number): readonly SigningToken[] {
  return secrets.flatMap((object) => {
    const { id, secret, signs, expiresMs } = readBootstrapSecret(object);
    const isNamed = /^[a-z0-9]{6}$/.test(id) && object.metadata.name === `bootstrap-token-${id}`;
    const isValid = isNamed && secret !== '' && signs && (expiresMs === undefined || expiresMs > nowMs);
    return isValid ? [{ id, secret }] : [];
  });
}

/** The ConfigMap with its expected signatures; undefined when nothing changes. */
export async function signConfigMap(
  configMap: corev1.ConfigMap,
  tokens: readonly SigningToken[],
  product: Product,
): Promise<corev1.ConfigMap | undefined> {
  const { data = {} } = configMap;
  const kubeconfig = data['kubeconfig'];
  if (kubeconfig === undefined) return undefined;
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
