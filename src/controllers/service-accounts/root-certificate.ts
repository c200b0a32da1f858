import { sameJson } from '../../meta/index.ts';
import { corev1ConfigMaps, corev1Namespaces } from '../../schema/api/index.ts';
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
  const key = product.rename(descriptionKey);
  const configMaps = informers.informer(corev1ConfigMaps, { fieldSelector: `metadata.name=${name}` });
  const namespaces = informers.informer(corev1Namespaces);
  const reconcile = async (namespace: string): Promise<void> => {
    const active = namespaces.store.get(namespace);
    if (!active || !isActive(active)) return;
    const current = configMaps.store.get(`${namespace}/${name}`);
    const data = { 'ca.crt': authority };
    const annotations = current?.metadata.annotations ?? {};
    if (current && annotations[key] && sameJson(current.data ?? {}, data)) return;
    // Another description is retained only as long as the data are right.
    const metadata = { ...current?.metadata, namespace, name, annotations: { ...annotations, [key]: product.rename(description) } };
    const writer = client.resource(corev1ConfigMaps);
    await ignoreStaleWrite(current ? writer.update({ ...current, metadata, data }) : writer.create({ metadata, data }));
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
