import { type ApiObject, forbidden, notFound, type Product, StatusError } from '../../meta/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { isPodWrite } from '../forbidden-error.ts';
import { annotationOf, podSpecOf, withSpec } from '../object-accessors.ts';
import type { ObjectSource } from '../object-source.ts';

type Labels = Readonly<Record<string, string>>;

/** Restricts pods to the nodes selected by an annotation of the namespace. Cf. upstream plugin/podnodeselector. */
export function podNodeSelector(namespaces: ObjectSource, product: Product): AdmissionPlugin {
  const annotation = product.rename('scheduler.alpha.kubernetes.io/node-selector');
  const selectorFor = async (request: AdmissionRequest, pod: ApiObject): Promise<Labels> => {
    const namespace = await namespaces.find('', request.namespace);
    if (!namespace) throw notFound({ group: '', name: 'namespaces' }, request.namespace);
    const selector = parseSelector(annotationOf(namespace, annotation) ?? '');
    const own = nodeSelectorOf(pod);
    if (!Object.entries(selector).some(([key, value]) => Object.hasOwn(own, key) && own[key] !== value)) return selector;
    const why = 'pod node label selector conflicts with its namespace node label selector';
    throw forbidden({ group: '', name: 'pods' }, pod.metadata.name ?? '', why);
  };
  return {
    name: 'PodNodeSelector',
    handles: (write) => isPodWrite(write) && write.operation === 'CREATE',
    async mutate(request, pod) {
      const selector = { ...(await selectorFor(request, pod)), ...nodeSelectorOf(pod) };
      return Object.keys(selector).length === 0 ? pod : withSpec(pod, { nodeSelector: selector });
    },
    async validate(request, pod) {
      await selectorFor(request, pod);
    },
  };
}

function nodeSelectorOf(pod: ApiObject): Labels {
  return (podSpecOf(pod).nodeSelector ?? {}) as Labels;
}

/** `a=b,c=d`. @throws StatusError 500 */
function parseSelector(text: string): Labels {
  if (text === '') return {};
  const pairs = text.split(',').map((part) => part.split('='));
  const broken = pairs.find((pair) => pair.length !== 2);
  if (broken) throw new StatusError(500, '', `invalid selector: [${broken.join(' ')}]`);
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key.trim(), value.trim()]));
}
