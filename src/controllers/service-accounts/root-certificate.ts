import { type Product, sameJson } from '../../meta/index.ts';
import { type corev1, corev1ConfigMaps, corev1Namespaces } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { isActive } from '../namespaces/is-active.ts';
import { startWorkers } from '../start-workers.ts';

const descriptionKey = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Publishes the root CA bundle as a ConfigMap in every active namespace. Cf. pkg/controller/certificates/rootcacertpublisher. */
export const rootCertificate: Controller = (context) => {
  const { client, informers, product, rootAuthority: authority } = context;
  if (authority === undefined) return;
  const name = product.rename('kube-root-ca.crt');
  const configMaps = informers.informer(corev1ConfigMaps, { fieldSelector: `metadata.name=${name}` });
  const namespaces = informers.informer(corev1Namespaces);
  const reconcile = async (namespace: string): Promise<void> => {
    const active = namespaces.store.get(namespace);
    if (!active || !isActive(active)) return;
    const current = configMaps.store.get(`${namespace}/${name}`);
    const writer = client.resource(corev1ConfigMaps);
    if (!current) await ignoreStaleWrite(writer.create(withCaBundle({ metadata: { namespace, name } }, authority, product)));
    else {
      const wanted = withCaBundle(current, authority, product);
      if (!sameJson(wanted, current)) await ignoreStaleWrite(writer.update(wanted));
    }
  };
  const options = { name: 'root-ca-certificate-publisher-controller', informers: [configMaps, namespaces], reconcile };
  const queue = startWorkers(options, context);
  const enqueue = (namespace: string | undefined): void => queue.add(namespace ?? '');
  namespaces.addHandler({ onAdd: ({ metadata }) => enqueue(metadata.name), onUpdate: ({ metadata }) => enqueue(metadata.name) });
  configMaps.addHandler({
    onUpdate: ({ metadata }) => enqueue(metadata.namespace),
    onDelete: ({ metadata }) => enqueue(metadata.namespace),
  });
};

/** The expected ConfigMap. A custom description is retained, other data is not. */
function withCaBundle<T extends Pick<corev1.ConfigMap, 'metadata'>>(
  configMap: T,
  authority: string,
  product: Product,
): T & Pick<corev1.ConfigMap, 'data'> {
  const { annotations = {} } = configMap.metadata;
  const key = product.rename(descriptionKey);
  const described = annotations[key] ? annotations : { ...annotations, [key]: product.rename(description) };
  return { ...configMap, metadata: { ...configMap.metadata, annotations: described }, data: { 'ca.crt': authority } };
}
