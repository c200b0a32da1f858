import {
  type ApiObject,
  badRequest,
  conflict,
  isJsonObject,
  type JsonObject,
  notFound,
  StatusError,
  withMetadata,
} from '../../meta/index.ts';
import type { ObjectRef } from '../../registry/index.ts';
import type { Resource } from '../../schema/index.ts';
import { type Answer, type Call, nowOf } from '../call.ts';
import { membersOf } from './members.ts';
import { admitOperation, done, readOperation } from './operation.ts';

export function isBinding({ group, name }: Resource): boolean {
  return group === '' && name === 'bindings';
}

/** Gives a pod its node: pods/binding, and its old form, a Binding of its own. Cf. upstream pod BindingREST. */
export async function bind(call: Call): Promise<Answer> {
  const operation = await readOperation(call, 'v1', 'Binding');
  const binding = operation.object;
  const name = binding.metadata.name ?? '';
  if (call.subresource && name !== call.info.name) throw badRequest('name in URL does not match name in Binding object');
  const node = nodeOf(binding);
  await admitOperation(call, operation);
  await assign(call, { resource: podsOf(call), namespace: call.info.namespace, name }, node, operation);
  return done();
}

function podsOf({ server, resource, subresource }: Call): Resource {
  const pods = subresource ? resource : server.catalog.resource('v1', 'pods');
  if (!pods) throw new Error('the catalog has no pods');
  return pods;
}

/** What is wrong here is an error without a class, as upstream. */
function nodeOf(binding: ApiObject): string {
  const target = membersOf(binding, 'target');
  const { kind = '', name = '' } = target;
  if (kind !== '' && kind !== 'Node')
    throw new StatusError(500, '', `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`);
  if (typeof name !== 'string' || name === '') throw new StatusError(500, '', 'target.name: Required value');
  return name;
}

/** The pod's own strategy has no part in this: neither generation nor owners change. */
async function assign(
  call: Call,
  ref: ObjectRef,
  node: string,
  { object: binding, options }: { readonly object: ApiObject; readonly options: { readonly dryRun: boolean } },
): Promise<void> {
  const { store, kinds } = call.server;
  const kind = kinds.of(ref.resource);
  for (;;) {
    const current = await store.find(ref);
    if (!current) throw notFound({ group: '', name: 'pods' }, ref.name);
    const why = refusalOf(current.object, binding);
    if (why !== undefined) throw conflict({ group: '', name: 'pods/binding' }, ref.name, why);
    const next = kind.decode(assigned(current.object, node, binding, nowOf(call)));
    if (options.dryRun || (await store.replace(ref, current, next, undefined))) return;
  }
}

function refusalOf(pod: ApiObject, binding: ApiObject): string | undefined {
  const { name = '', uid, deletionTimestamp } = pod.metadata;
  const asked = binding.metadata.uid ?? '';
  if (asked !== '' && asked !== uid) return `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${uid}`;
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  const { nodeName = '', schedulingGates } = membersOf(pod, 'spec');
  if (nodeName !== '') return `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`;
  if (Array.isArray(schedulingGates) && schedulingGates.length > 0) return `pod ${name} has non-empty .spec.schedulingGates`;
  return undefined;
}

function assigned(pod: ApiObject, nodeName: string, binding: ApiObject, now: string): ApiObject {
  const status = membersOf(pod, 'status');
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].filter(isJsonObject) : [];
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  const others = conditions.filter((condition: JsonObject) => condition['type'] !== 'PodScheduled');
  const annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  const annotated = Object.keys(annotations).length > 0 ? withMetadata(pod, { annotations }) : pod;
  return { ...annotated, spec: { ...membersOf(pod, 'spec'), nodeName }, status: { ...status, conditions: [...others, scheduled] } };
}
