import type { ApiClient } from '../../client/index.ts';
import { type JsonObject, recordAt, textAt } from '../../meta/index.ts';
import { apiErrorText } from './api-error-text.ts';
import { type DiscoveredResource, qualifiedName } from './discover-kind.ts';

/** The scale subresource of a target. */
export interface Scale {
  readonly path: string;
  /** As the server sent it. */
  readonly object: JsonObject;
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
  await client.send('PUT', scale.path, { body: { ...scale.object, spec: { ...recordAt(scale.object, 'spec'), replicas } } });
}

export function scaleOf(path: string, object: JsonObject): Scale {
  const status = recordAt(object, 'status');
  return {
    path,
    object,
    specReplicas: integerAt(recordAt(object, 'spec'), 'replicas'),
    statusReplicas: integerAt(status, 'replicas'),
    selector: textAt(status, 'selector'),
  };
}

function integerAt(object: JsonObject, name: string): number {
  const value = object[name];
  return typeof value === 'number' ? value : 0;
}
