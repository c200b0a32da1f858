import type { ApiClient } from '../../client/index.ts';
import type { autoscalingv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { apiErrorText } from './api-error-text.ts';
import { type DiscoveredResource, qualifiedName } from './discover-kind.ts';

/** The scale subresource of a target. */
export interface Scale {
  readonly path: string;
  /** As the server sent it. */
  readonly object: Decoded<autoscalingv1.Scale>;
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly selector: string;
}

/** Reads the scale of a target, in the first version that has it. Cf. scaleForResourceMappings. @throws Error, that of the first version */
export async function readScale(
  client: ApiClient,
  resources: readonly DiscoveredResource[],
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<Scale> {
  let first: Error | undefined;
  for (const resource of resources) {
    const { group, version } = resource;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const path = `${root}/namespaces/${encodeURIComponent(namespace)}/${resource.resource}/${encodeURIComponent(name)}/scale`;
    try {
      return scaleOf(path, await client.send('GET', path));
    } catch (error) {
      first ??= new Error(apiErrorText(error, `${qualifiedName(resource)} ${name}`));
    }
  }
  throw first ?? new Error('unrecognized resource');
}

export async function writeScale(client: ApiClient, scale: Scale, replicas: number): Promise<void> {
  await client.send('PUT', scale.path, { body: { ...scale.object, spec: { ...scale.object.spec, replicas } } });
}

export function scaleOf(path: string, object: Decoded<autoscalingv1.Scale>): Scale {
  const { spec, status } = object;
  return {
    path,
    object,
    specReplicas: spec?.replicas ?? 0,
    statusReplicas: status?.replicas ?? 0,
    selector: status?.selector ?? '',
  };
}
