import {
  type ApiObject,
  isJsonObject,
  type Json,
  type JsonObject,
  objectsAt,
  type Product,
  recordAt,
  sameJson,
  textAt,
} from '../../../meta/index.ts';
import { withMembers } from '../kind-row.ts';

/** Converts deprecated AppArmor annotations to fields. Cf. upstream applyAppArmorVersionSkew. */
export function withAnnotatedProfiles(pod: ApiObject, product: Product): ApiObject {
  const prefix = product.rename('container.apparmor.security.beta.kubernetes.io/');
  const annotations = pod.metadata.annotations ?? {};
  if (!Object.keys(annotations).some((key) => key.startsWith(prefix))) return pod;
  const spec = recordAt(pod, 'spec');
  if (textAt(recordAt(spec, 'os'), 'name') === 'windows') return pod;
  const whole = recordAt(spec, 'securityContext')['appArmorProfile'];
  const lists = ['initContainers', 'containers', 'ephemeralContainers'].filter((list) => spec[list] !== undefined);
  const withProfiles = (list: string): Json =>
    objectsAt(spec, list).map((container) => {
      const profile = annotatedProfile(annotations[`${prefix}${textAt(container, 'name')}`]);
      const context = recordAt(container, 'securityContext');
      if (!profile || context['appArmorProfile'] !== undefined || (isJsonObject(whole) && sameJson(whole, profile))) return container;
      return { ...container, securityContext: { ...context, appArmorProfile: profile } };
    });
  return { ...pod, spec: withMembers(spec, Object.fromEntries(lists.map((list) => [list, withProfiles(list)]))) };
}

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
