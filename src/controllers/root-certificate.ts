import { type ApiObject, type Product, sameJson, withMetadata } from '../meta/index.ts';
import { tryWrite, writeRequest } from './api-call.ts';
import type { Controller } from './controller.ts';
import { startInformer } from './informer.ts';
import { isActive } from './namespaces.ts';
import { createSingleWorkerQueue } from './single-worker-queue.ts';

const descriptionKey = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Publishes the root CA bundle as a ConfigMap in every active namespace. Cf. pkg/controller/certificates/rootcacertpublisher. */
export const rootCertificate: Controller = (parts, signal) => {
  const { api, product, rootAuthority: authority } = parts;
  if (authority === undefined) return;
  const name = product.rename('kube-root-ca.crt');
  const publish = createSingleWorkerQueue('root certificate', { ...parts, signal }, async () => {
    if (!configMaps.hasSynced) return;
    for (const namespace of namespaces.objects.values()) {
      if (!isActive(namespace)) continue;
      const { name: space = '' } = namespace.metadata;
      const collection = `/api/v1/namespaces/${space}/configmaps`;
      const current = configMaps.objects.get(`${space}/${name}`);
      const wanted = withCaBundle(current ?? newConfigMap(name), authority, product);
      if (!current) await tryWrite(api, writeRequest('POST', collection, wanted, signal));
      else if (!sameJson(wanted, current)) await tryWrite(api, writeRequest('PUT', `${collection}/${name}`, wanted, signal));
    }
  });
  const configMaps = startInformer(parts, { path: '/api/v1/configmaps', fieldSelector: `metadata.name=${name}` }, () => publish(), signal);
  const namespaces = startInformer(parts, { path: '/api/v1/namespaces', fieldSelector: '' }, () => publish(), signal);
};

function newConfigMap(name: string): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

/** The expected ConfigMap. A custom description is retained, other data is not. */
export function withCaBundle(configMap: ApiObject, authority: string, product: Product): ApiObject {
  const { annotations = {} } = configMap.metadata;
  const key = product.rename(descriptionKey);
  const described = annotations[key] ? annotations : { ...annotations, [key]: product.rename(description) };
  return { ...withMetadata(configMap, { annotations: described }), data: { 'ca.crt': authority } } as ApiObject;
}
