import {
  type ApiObject,
  forbidden,
  invalid,
  isLabelValue,
  isQualifiedName,
  ownMember,
  type Product,
  StatusError,
} from '../../meta/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { isPodWrite } from '../forbidden-error.ts';
import { annotationOf, podSpecOf, withSpec } from '../object-accessors.ts';
import { type ObjectSource, requireNamespace } from '../object-source.ts';

type Labels = Readonly<Record<string, string>>;

/** Node selectors by namespace: the pods of a namespace may select only these labels. */
export type NodeSelectors = Readonly<Record<string, string>>;

/** The entry of `NodeSelectors` with the selector of namespaces without the annotation. */
const defaultEntry = 'clusterDefaultNodeSelector';

/** Restricts pods to the nodes selected by an annotation of the namespace. Cf. upstream plugin/podnodeselector. */
export function podNodeSelector(namespaces: ObjectSource, cluster: NodeSelectors, product: Product): AdmissionPlugin {
  const annotation = product.rename('scheduler.alpha.kubernetes.io/node-selector');
  const refusePod = (pod: ApiObject, why: string): never => {
    throw forbidden({ group: '', name: 'pods' }, pod.metadata.name ?? '', why);
  };
  const selectorFor = async (request: AdmissionRequest, pod: ApiObject): Promise<Labels> => {
    const namespace = await requireNamespace(namespaces.find('', request.namespace), request.namespace);
    const selector = parseSelector(annotationOf(namespace, annotation) ?? ownMember(cluster, defaultEntry) ?? '');
    const own = nodeSelectorOf(pod);
    const isConflict = Object.entries(selector).some(([key, value]) => Object.hasOwn(own, key) && own[key] !== value);
    if (isConflict) refusePod(pod, 'pod node label selector conflicts with its namespace node label selector');
    return selector;
  };
  const checkWhitelist = ({ namespace }: AdmissionRequest, pod: ApiObject): void => {
    const whitelist = parseSelector(ownMember(cluster, namespace) ?? '');
    const isListed = Object.entries(nodeSelectorOf(pod)).every(([key, value]) => ownMember(whitelist, key) === value);
    if (Object.keys(whitelist).length > 0 && !isListed)
      refusePod(pod, 'pod node label selector labels conflict with its namespace whitelist');
  };
  return {
    name: 'PodNodeSelector',
    handles: (write) => isPodWrite(write) && write.operation === 'CREATE',
    async mutate(request, pod) {
      const selector = { ...(await selectorFor(request, pod)), ...nodeSelectorOf(pod) };
      const made = Object.keys(selector).length === 0 ? pod : withSpec(pod, { nodeSelector: selector });
      checkWhitelist(request, made);
      return made;
    },
    async validate(request, pod) {
      await selectorFor(request, pod);
      checkWhitelist(request, pod);
    },
  };
}

function nodeSelectorOf(pod: ApiObject): Labels {
  return (podSpecOf(pod).nodeSelector ?? {}) as Labels;
}

/** `a=b,c=d`. @throws StatusError 500 */
function parseSelector(text: string): Labels {
  if (text === '') return {};
  return Object.fromEntries(text.split(',').map((pair) => parsePair(pair.split('='))));
}

/** Upstream's errors have no field for the key, and the key for the value. */
function parsePair(parts: readonly string[]): readonly [key: string, value: string] {
  if (parts.length !== 2) throw new StatusError(500, '', `invalid selector: [${parts.join(' ')}]`);
  const [key = '', value = ''] = parts.map((part) => part.trim());
  const [ofKey, ofValue] = [isQualifiedName(key), isLabelValue(value)];
  if (ofKey.length > 0) throw new StatusError(500, '', `<nil>: ${invalid('', key, ofKey.join('; ')).message}`);
  if (ofValue.length > 0) throw new StatusError(500, '', `[${key}]: ${invalid('', value, ofValue.join('; ')).message}`);
  return [key, value];
}
