import type { PartialObject } from '../../client/index.ts';
import { subdomainNames } from '../../meta/index.ts';
import type { corev1, metav1 } from '../../schema/api/index.ts';

/** The pod that a controller creates from a template, with a generated name. Cf. controller_utils.go GetPodFromTemplate. */
export function podFromTemplate(
  { metadata, spec }: corev1.PodTemplateSpec,
  controllerName: string,
  reference: metav1.OwnerReference,
): PartialObject<corev1.Pod> {
  const { labels, annotations, finalizers } = metadata;
  return {
    metadata: {
      generateName: podNamePrefix(controllerName),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [reference],
    },
    spec,
  };
}

/** With a hyphen at the end, unless that is no valid prefix. Cf. getPodsPrefix. */
export function podNamePrefix(controllerName: string): string {
  const prefix = `${controllerName}-`;
  return subdomainNames.prefix(prefix).length === 0 ? prefix : controllerName;
}
