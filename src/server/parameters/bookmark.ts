import type { ApiObject, JsonObject } from '../../meta/index.ts';
import { formatGroupVersion } from '../../schema/index.ts';
import type { RequestContext } from '../request-context.ts';

/** Fields of a kind's zero value beyond the required ones, as kube-apiserver encodes them. */
const zeroValues: Readonly<Record<string, JsonObject>> = {
  'apps DaemonSet': { metadata: { annotations: { 'deprecated.daemonset.template.generation': '0' } } },
  'apps Deployment': { spec: { replicas: 0 } },
  'apps ReplicaSet': { spec: { replicas: 0 } },
  'apps StatefulSet': { spec: { replicas: 0 } },
};

/** The object of a BOOKMARK event (part 6): the zero value of its kind with a resourceVersion. */
export function bookmarkOf(
  { resource, kind }: Pick<RequestContext, 'resource' | 'kind'>,
  revision: number,
  annotations: Readonly<Record<string, string>>,
): ApiObject {
  const { kind: _kind, apiVersion: _version, metadata, ...zero } = kind.decode(zeroValues[`${resource.group} ${resource.kind}`] ?? {});
  const all = { ...metadata.annotations, ...annotations };
  return {
    kind: resource.kind,
    apiVersion: formatGroupVersion(resource),
    metadata: { resourceVersion: String(revision), ...(Object.keys(all).length > 0 ? { annotations: all } : {}) },
    ...zero,
  };
}
