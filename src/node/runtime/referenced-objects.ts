import type { corev1 } from '../../schema/api/index.ts';

/** The config maps and secrets in the volumes of a pod: `configmap/NAMESPACE/NAME`, `secret/NAMESPACE/NAME`. */
export function objectsOf({ metadata, spec }: corev1.Pod): ReadonlySet<string> {
  const keys = new Set<string>();
  const add = (kind: 'configmap' | 'secret', name: string | undefined): void => {
    if (name) keys.add(`${kind}/${metadata.namespace}/${name}`);
  };
  for (const { configMap, secret, projected } of spec.volumes ?? []) {
    add('configmap', configMap?.name);
    add('secret', secret?.secretName);
    for (const source of projected?.sources ?? []) {
      add('configmap', source.configMap?.name);
      add('secret', source.secret?.name);
    }
  }
  return keys;
}
