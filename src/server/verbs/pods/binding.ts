import {
  type ApiObject,
  aggregateErrors,
  badRequest,
  conflict,
  notFound,
  requireObjectName,
  StatusError,
  withMetadata,
} from '../../../meta/index.ts';
import { checkUpdatePreconditions, type ObjectRef } from '../../../registry/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import { type Decoded, type Resource, requireResource } from '../../../schema/index.ts';
import { type Answer, nowOf, type RequestContext } from '../../request-context.ts';
import { admitOperation, readOperation, successAnswer } from '../operation.ts';

export function isBinding({ group, name }: Resource): boolean {
  return group === '' && name === 'bindings';
}

/** Assigns a pod to a node: pods/binding, and its old form, the resource bindings. Cf. upstream pod BindingREST. */
export async function bind(context: RequestContext): Promise<Answer> {
  const operation = await readOperation(context, {
    groupVersion: 'v1',
    kind: 'Binding',
    preservesSystemFields: context.subresource !== undefined,
  });
  const binding = operation.object;
  const name = binding.metadata.name ?? '';
  if (context.subresource && name !== context.info.name) throw badRequest('name in URL does not match name in Binding object');
  const node = nodeOf(binding);
  await admitOperation(context, operation);
  await assignNode(context, { resource: podsOf(context), namespace: context.info.namespace, name }, node, operation);
  return successAnswer();
}

function podsOf({ server, resource, subresource }: RequestContext): Resource {
  return subresource ? resource : requireResource(server.catalog, 'v1', 'pods');
}

/** Errors here have no reason, like upstream's. */
function nodeOf({ target }: Decoded<corev1.Binding>): string {
  const { kind = '', name = '' } = target ?? {};
  const errors: string[] = [];
  if (kind !== '' && kind !== 'Node')
    errors.push(`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`);
  if (name === '') errors.push('target.name: Required value');
  if (errors.length > 0) throw new StatusError(500, '', aggregateErrors(errors));
  return name;
}

/** The pod's own strategy has no part in this: neither generation nor owners change. */
async function assignNode(
  context: RequestContext,
  ref: ObjectRef,
  node: string,
  { object: binding, options }: { readonly object: ApiObject; readonly options: { readonly dryRun: boolean } },
): Promise<void> {
  const { store, kinds } = context.server;
  const kind = kinds.of(ref.resource);
  requireObjectName(ref.name);
  const { uid, resourceVersion } = binding.metadata;
  const preconditions = { uid: uid || undefined, resourceVersion: resourceVersion || undefined };
  for (;;) {
    const current = await store.find(ref);
    if (!current) throw notFound({ group: '', name: 'pods' }, ref.name);
    checkUpdatePreconditions(ref, preconditions, current.object, options.dryRun);
    const why = refusalOf(current.object);
    if (why !== undefined) throw conflict({ group: '', name: 'pods/binding' }, ref.name, why);
    const next = kind.decode(withAssignedNode(current.object, node, binding, context), { known: current.object });
    if (options.dryRun || (await store.replace(ref, current, next, context.attempt?.own))) return;
  }
}

function refusalOf({ metadata, spec }: Decoded<corev1.Pod>): string | undefined {
  const { name = '', deletionTimestamp } = metadata ?? {};
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (spec?.nodeName) return `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`;
  if (spec?.schedulingGates?.length) return `pod ${name} has non-empty .spec.schedulingGates`;
  return undefined;
}

function withAssignedNode(pod: ApiObject, nodeName: string, binding: ApiObject, context: RequestContext): ApiObject {
  const { featureGates } = context.server;
  const { spec, status: before }: Decoded<corev1.Pod> = pod;
  const { nominatedNodeName, ...rest } = before ?? {};
  const isCleared = nominatedNodeName === undefined || featureGates.enabled('ClearingNominatedNodeNameAfterBinding');
  const status = isCleared ? rest : { ...rest, nominatedNodeName };
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: nowOf(context) };
  const others = (rest.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  const labels = featureGates.enabled('PodTopologyLabelsAdmission') ? { ...pod.metadata.labels, ...binding.metadata.labels } : {};
  const marked = withMetadata(pod, {
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
  });
  return { ...marked, spec: { ...spec, nodeName }, status: { ...status, conditions: [...others, scheduled] } };
}
