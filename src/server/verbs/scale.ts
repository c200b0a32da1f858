import {
  type ApiObject,
  formatLabelRequirements,
  invalid,
  invalidObject,
  isJsonObject,
  type JsonObject,
  type LabelSelector,
  labelSelectorRequirements,
  notFound,
  resourceNotFound,
} from '../../meta/index.ts';
import { parentManagedFields, type ReplicasPaths, scaleManagedFields } from '../../patch/index.ts';
import { subjectOf } from '../../registry/index.ts';
import { convertUntyped, groupVersionOf, type ResourceVerb } from '../../schema/index.ts';
import { schemaOf } from '../body.ts';
import { bodyReader } from '../body-reader.ts';
import { type Answer, type Call, managerOf, nowOf } from '../call.ts';
import { decodeOptions } from '../kinds.ts';
import { readWriteOptions, type WriteOptions } from '../options.ts';
import { readObject } from '../read-object.ts';
import { isApply, readIntent } from './apply.ts';
import { refuseOtherName } from './create.ts';
import { get } from './get.ts';
import { readPatch, retried } from './patch.ts';
import type { PatchTarget } from './patch-target.ts';
import { updateWith } from './update.ts';

const groupVersion = 'autoscaling/v1';

/** The versions of workloads that have been served, and where each has its number of replicas. */
const replicasPaths: ReplicasPaths = new Map(
  ['v1', 'apps/v1', 'apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1'].map((version) => [version, ['spec', 'replicas']]),
);

/** The scale of a workload: its number of replicas as an object of its own (autoscaling/v1 Scale). */
export async function scale(verb: ResourceVerb, call: Call): Promise<Answer> {
  if (verb === 'get') {
    const found = await get(call);
    return found.form === 'object' ? { ...found, object: scaleOf(found.object as ApiObject), stored: undefined } : found;
  }
  const target = scaleTarget(call);
  const { info, server } = call;
  if (verb === 'update') {
    const options = readWriteOptions(info.query, 'UpdateOptions', server.product);
    return change(call, options, tracked(call, replacement(call, target, options), options));
  }
  if (verb !== 'patch') throw resourceNotFound();
  const options = readWriteOptions(info.query, 'PatchOptions', server.product, isApply(call) ? 'apply' : 'other');
  return change(call, options, isApply(call) ? applied(call, target, options) : tracked(call, readPatch(call, target, options), options));
}

/** From the scale as it is to the scale as it shall be. */
type ScaleChange = (current: ApiObject) => ApiObject;

async function change(call: Call, options: WriteOptions, asked: ScaleChange): Promise<Answer> {
  const next = (current: ApiObject | undefined): ApiObject => {
    if (!current) throw notFound(subjectOf(call.resource), call.info.name);
    const wanted = asked(withOwners(scaleOf(current), current));
    refuseOtherName(wanted, call.info.name);
    return withReplicas(current, wanted, groupVersionOf(call.resource));
  };
  const updated = await retried(() => updateWith(call, options, { next, createMissing: false, owned: true }));
  return { form: 'object', status: 200, object: scaleOf(call.kind.fromStorage(updated.object)) };
}

/** A change by PUT or patch, with what it makes its manager own. */
function tracked(call: Call, asked: ScaleChange, options: WriteOptions): ScaleChange {
  const by = { manager: managerOf(call, options), now: nowOf(call) };
  return (current) => call.server.kinds.scale.updated(current, asked(current), by);
}

function applied(call: Call, target: PatchTarget, options: WriteOptions): ScaleChange {
  const intent = readIntent(call, options, target);
  const by = { manager: managerOf(call, options), now: nowOf(call), force: options.force };
  return (current) => {
    const wanted = target.decode(convertUntyped(target.schema, call.server.kinds.scale.applied(current, intent, by)));
    refuseOtherName(wanted, call.info.name);
    return wanted;
  };
}

/** What of the workload's ownership concerns its scale. */
function withOwners(shown: ApiObject, { metadata }: ApiObject): ApiObject {
  const managedFields = scaleManagedFields(metadata.managedFields ?? [], replicasPaths);
  return { ...shown, metadata: { ...shown.metadata, managedFields } };
}

function scaleTarget({ server }: Call): PatchTarget {
  const schema = schemaOf(server.catalog, groupVersion, 'Scale');
  return {
    groupVersion,
    kind: 'Scale',
    schema,
    decode: (value, unknownField, literals) =>
      ({ metadata: {}, ...server.decode(schema, value, decodeOptions(unknownField, literals)) }) as unknown as ApiObject,
  };
}

function replacement(call: Call, target: PatchTarget, options: WriteOptions): ScaleChange {
  const object = readObject(call.request, target, bodyReader(call, options));
  return () => object;
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function scaleOf(object: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const spec = memberOf(object, 'spec');
  const selector = selectorText(object.kind, spec['selector']);
  const replicas = spec['replicas'];
  return {
    kind: 'Scale',
    apiVersion: groupVersion,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: replicas === 0 || replicas === undefined ? {} : { replicas },
    status: { replicas: memberOf(object, 'status')['replicas'] ?? 0, ...(selector === '' ? {} : { selector }) },
  };
}

/** A ReplicationController selects by labels alone. */
function selectorText(kind: string, selector: unknown): string {
  if (!isJsonObject(selector)) return '';
  const asked = kind === 'ReplicationController' ? { matchLabels: selector } : selector;
  return formatLabelRequirements(labelSelectorRequirements(asked as LabelSelector));
}

function withReplicas(object: ApiObject, scaled: ApiObject, apiVersion: string): ApiObject {
  const replicas = Number(memberOf(scaled, 'spec')['replicas'] ?? 0);
  if (replicas < 0) {
    const error = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalidObject({ group: 'autoscaling', name: 'Scale' }, scaled.metadata.name ?? '', [error]);
  }
  const { uid, resourceVersion, managedFields = [] } = scaled.metadata;
  const owners = parentManagedFields(object.metadata.managedFields ?? [], managedFields, replicasPaths, apiVersion);
  const { managedFields: _, ...kept } = object.metadata;
  const metadata = {
    ...kept,
    resourceVersion: resourceVersion ?? '',
    ...(uid === undefined ? {} : { uid }),
    ...(owners.length > 0 ? { managedFields: owners } : {}),
  };
  return { ...object, metadata, spec: { ...memberOf(object, 'spec'), replicas } };
}
