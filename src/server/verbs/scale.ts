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
import { subjectOf } from '../../registry/index.ts';
import type { ResourceVerb } from '../../schema/index.ts';
import { schemaOf } from '../body.ts';
import { bodyReader } from '../body-reader.ts';
import type { Answer, Call } from '../call.ts';
import { readWriteOptions, type WriteOptions } from '../options.ts';
import { readObject } from '../read-object.ts';
import { refuseOtherName } from './create.ts';
import { get } from './get.ts';
import { type PatchTarget, readPatch, retried } from './patch.ts';
import { updateWith } from './update.ts';

const groupVersion = 'autoscaling/v1';

/** The scale of a workload: its number of replicas as an object of its own (autoscaling/v1 Scale). */
export async function scale(verb: ResourceVerb, call: Call): Promise<Answer> {
  if (verb === 'get') {
    const found = await get(call);
    return found.form === 'object' ? { ...found, object: scaleOf(found.object as ApiObject), stored: undefined } : found;
  }
  const target = scaleTarget(call);
  const { product } = call.server;
  if (verb === 'update')
    return change(call, readWriteOptions(call.info.query, 'UpdateOptions', product), (options) => replacement(call, target, options));
  if (verb === 'patch')
    return change(call, readWriteOptions(call.info.query, 'PatchOptions', product, 'other'), (options) => readPatch(call, target, options));
  throw resourceNotFound();
}

type ScaleChange = (current: ApiObject) => ApiObject;

async function change(call: Call, options: WriteOptions, read: (options: WriteOptions) => ScaleChange): Promise<Answer> {
  const asked = read(options);
  const next = (current: ApiObject | undefined): ApiObject => {
    if (!current) throw notFound(subjectOf(call.resource), call.info.name);
    const wanted = asked(scaleOf(current));
    refuseOtherName(wanted, call.info.name);
    return withReplicas(current, wanted);
  };
  const updated = await retried(() => updateWith(call, options, { next, createMissing: false }));
  return { form: 'object', status: 200, object: scaleOf(call.kind.fromStorage(updated.object)) };
}

function scaleTarget({ server }: Call): PatchTarget {
  const schema = schemaOf(server.catalog, groupVersion, 'Scale');
  return {
    groupVersion,
    kind: 'Scale',
    schema,
    decode: (value, unknownField) => ({ metadata: {}, ...server.decode(schema, value, unknownField) }) as unknown as ApiObject,
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

function withReplicas(object: ApiObject, scaled: ApiObject): ApiObject {
  const replicas = Number(memberOf(scaled, 'spec')['replicas'] ?? 0);
  if (replicas < 0) {
    const error = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalidObject({ group: 'autoscaling', name: 'Scale' }, scaled.metadata.name ?? '', [error]);
  }
  const { uid, resourceVersion } = scaled.metadata;
  const metadata = { ...object.metadata, resourceVersion: resourceVersion ?? '', ...(uid === undefined ? {} : { uid }) };
  return { ...object, metadata, spec: { ...memberOf(object, 'spec'), replicas } };
}
