import type { ApiClient } from '../../client/index.ts';
import { type corev1, corev1ConfigMaps, corev1Secrets, corev1ServiceAccounts, corev1Services } from '../../schema/api/index.ts';
import { contentOfConfigMap, contentOfSecret, type KeyedContent } from '../volumes/payload.ts';

/** Reads the objects to which a pod refers, each of them once. Missing ones are undefined. */
export class PodObjects {
  readonly namespace: string;
  readonly #client: ApiClient;
  readonly #content = new Map<string, Promise<KeyedContent | undefined>>();

  constructor(namespace: string, client: ApiClient) {
    this.namespace = namespace;
    this.#client = client;
  }

  configMap(name: string): Promise<KeyedContent | undefined> {
    return this.#once(`configmap/${name}`, async () => {
      const found = await this.#client.resource(corev1ConfigMaps).getIfExists({ namespace: this.namespace, name });
      return found && contentOfConfigMap(found);
    });
  }

  secret(name: string): Promise<KeyedContent | undefined> {
    return this.#once(`secret/${name}`, async () => {
      const found = await this.#client.resource(corev1Secrets).getIfExists({ namespace: this.namespace, name });
      return found && contentOfSecret(found);
    });
  }

  /** The services of the pod's namespace, and the one of the API server. */
  async services(apiService: string): Promise<readonly corev1.Service[]> {
    const services = this.#client.resource(corev1Services);
    const own = await services.list({ namespace: this.namespace });
    const api = this.namespace === 'default' ? undefined : await services.getIfExists({ namespace: 'default', name: apiService });
    return [...(api ? [api] : []), ...(own.items as readonly corev1.Service[])];
  }

  /** A token of the pod's service account, which is bound to the pod. */
  async token(
    pod: corev1.Pod,
    { audience, expirationSeconds = 3600 }: corev1.ServiceAccountTokenProjection,
    version: string,
  ): Promise<string> {
    const { name = '', uid = '' } = pod.metadata;
    const key = { namespace: this.namespace, name: pod.spec.serviceAccountName ?? 'default' };
    const spec = {
      ...(audience ? { audiences: [audience] } : {}),
      expirationSeconds,
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, uid },
    };
    const answer = await this.#client
      .resource(corev1ServiceAccounts)
      .createSubresource(key, 'token', { kind: 'TokenRequest', apiVersion: version, spec });
    const { status } = answer as { readonly status?: { readonly token?: string } };
    return status?.token ?? '';
  }

  #once(key: string, load: () => Promise<KeyedContent | undefined>): Promise<KeyedContent | undefined> {
    const known = this.#content.get(key) ?? load();
    this.#content.set(key, known);
    return known;
  }
}
