import { type ApiObject, type JsonObject, type Product, sameJson } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { withMembers } from '../kind-row.ts';

/** Converts deprecated AppArmor annotations to fields. Cf. upstream applyAppArmorVersionSkew. */
export function withAnnotatedProfiles(pod: ApiObject, product: Product): ApiObject {
  const prefix = product.rename('container.apparmor.security.beta.kubernetes.io/');
  const annotations = pod.metadata.annotations ?? {};
  if (!Object.keys(annotations).some((key) => key.startsWith(prefix))) return pod;
  const { spec = {} }: Decoded<corev1.Pod> = pod;
  if (spec.os?.name === 'windows') return pod;
  const whole = spec.securityContext?.appArmorProfile;
  const withProfile = <T extends Contained>(container: T): T => {
    const profile = annotatedProfile(annotations[`${prefix}${container.name ?? ''}`]);
    const context = container.securityContext;
    if (!profile || context?.appArmorProfile !== undefined || (whole && sameJson(whole, profile))) return container;
    return { ...container, securityContext: { ...context, appArmorProfile: profile } };
  };
  const { initContainers, containers, ephemeralContainers } = spec;
  const changed = {
    initContainers: initContainers?.map(withProfile),
    containers: containers?.map(withProfile),
    ephemeralContainers: ephemeralContainers?.map(withProfile),
  };
  return { ...pod, spec: withMembers(spec, changed) };
}

type Contained = Pick<Decoded<corev1.Container>, 'name' | 'securityContext'>;

/** Parses the value of such an annotation; undefined when it is unknown. */
export function annotatedProfile(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  if (text === 'runtime/default') return { type: 'RuntimeDefault' };
  if (text === 'unconfined') return { type: 'Unconfined' };
  const local = 'localhost/';
  return text.startsWith(local) && text.length > local.length
    ? { type: 'Localhost', localhostProfile: text.slice(local.length) }
    : undefined;
}
