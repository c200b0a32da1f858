import type { ApiObject, JsonObject } from '../meta/index.ts';
import { groupVersionOf } from '../schema/index.ts';
import type { Call } from './call.ts';

/** What a kind's zero value tells beyond its required fields, as the real server's own form of it always has them. */
const zeroValues: Readonly<Record<string, JsonObject>> = {
  'apps DaemonSet': { metadata: { annotations: { 'deprecated.daemonset.template.generation': '0' } } },
  'apps Deployment': { spec: { replicas: 0 } },
  'apps ReplicaSet': { spec: { replicas: 0 } },
  'apps StatefulSet': { spec: { replicas: 0 } },
};

/** The object of a BOOKMARK (part 6): the zero value of its kind at a version. */
export function bookmarkOf(
  { resource, kind }: Pick<Call, 'resource' | 'kind'>,
  revision: number,
  annotations: Readonly<Record<string, string>>,
): ApiObject {
  const { kind: _kind, apiVersion: _version, metadata, ...zero } = kind.decode(zeroValues[`${resource.group} ${resource.kind}`] ?? {});
  const all = { ...metadata.annotations, ...annotations };
  return {
    kind: resource.kind,
    apiVersion: groupVersionOf(resource),
    metadata: { resourceVersion: String(revision), ...(Object.keys(all).length > 0 ? { annotations: all } : {}) },
    ...zero,
  };
}
