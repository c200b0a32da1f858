import {
  type ApiObject,
  type FeatureGates,
  type FieldError,
  type Json,
  type JsonObject,
  sameJson,
  withMetadata,
} from '../../meta/index.ts';
import {
  type DecodeTyped,
  hasEmptyCollection,
  isSemanticallyEqual,
  type Resource,
  type StructSchema,
  type Validation,
} from '../../schema/index.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { withoutDisabledFieldsAt } from './core/disabled-fields.ts';
import { withoutGatedFields } from './gated-fields.ts';
import type { KindRow } from './kind-row.ts';

export interface StrategyOptions {
  readonly decode: DecodeTyped;
  readonly validation: Validation;
}

/** Creates the strategy that a row describes. */
export function createStrategy(resource: Resource, row: KindRow, { decode, validation }: StrategyOptions): Strategy {
  const hasStatus = resource.subresources.has('status');
  // Functions of rows append members; decoding restores the order of declaration.
  const hasRowFunctions =
    row.create !== undefined || row.update !== undefined || row.updateStatus !== undefined || row.subresources !== undefined;
  const inOrder = (object: ApiObject, known?: ApiObject): ApiObject =>
    hasRowFunctions
      ? (decode(resource.schema, object, { retainEmpties: 'all', known }) as ApiObject)
      : inDeclarationOrder(object, resource);
  const emptyStatus = (): Json | undefined => decode(resource.schema, {})['status'];
  const validator = validation.validatorFor(resource);
  const { normalize, validateLast, storedDefaults = (object) => object } = row;
  function* normalizeInSteps(object: ApiObject): Generator<void, ApiObject> {
    const normalized = normalize?.(object) ?? object;
    yield;
    return inOrder(normalized);
  }
  return {
    validatesMetadataLast: validator.validatesMetadataLast ?? false,
    createOnUpdate: row.createOnUpdate ?? false,
    unconditionalUpdate: !(row.conditionalUpdate ?? false),
    orphansByDefault: row.orphansByDefault ?? false,
    garbageCollected: row.garbageCollected ?? true,
    isSettled: row.isSettled ?? (() => true),
    stored: {
      read: (stored) => stored,
      write: (object) =>
        storedDefaults(
          hasEmptyCollection(object)
            ? (decode(resource.schema, object, { retainEmpties: row.storesEmptyLists ? 'written' : 'none' }) as ApiObject)
            : object,
        ),
    },
    deleteReturnsObject: resource.deleteReturnsObject,
    ...(row.gracePeriodSeconds ? { gracePeriodSeconds: row.gracePeriodSeconds } : {}),
    ...(normalize ? { normalizeInSteps } : {}),
    prepareForCreate(object, context) {
      let next = withoutDisabledParts(object, undefined, row, context.gates);
      if (hasStatus && !row.acceptsStatusOnCreate) next = withStatus(next, row.statusOnCreate?.(object, context) ?? emptyStatus());
      if (row.generation && !row.startsWithoutGeneration) next = withMetadata(next, { generation: 1 });
      return inOrder(row.create?.(next, context) ?? next);
    },
    prepareForUpdate(next, old, context) {
      if (context.subresource === 'status') return inOrder(applyStatusUpdate(next, old, row, context), old);
      const other = row.subresources?.[context.subresource];
      if (other) return inOrder(other(next, old, context), old);
      const enabled = withoutDisabledParts(next, old, row, context.gates);
      const draft = hasStatus ? withStatus(enabled, old['status']) : enabled;
      const { generation } = withGeneration(row.countsGatedFields ? next : draft, old, row, resource.schema).metadata;
      const counted = generation === draft.metadata.generation ? draft : withMetadata(draft, { generation });
      return inOrder(row.update?.(counted, old, context) ?? counted, old);
    },
    ...(row.prepareValidation ? { prepareValidation: row.prepareValidation } : {}),
    validate: (object, context) => [...validator.create(object), ...(row.validate?.(object, context) ?? [])],
    ...(validateLast
      ? {
          validateLast: async (object, old, found, context, pace) =>
            context.subresource === 'status' ? found : validateLast(object, old, found, context, pace),
        }
      : {}),
    ...(validator.validateAsync ? { validateAsync: validator.validateAsync } : {}),
    validateUpdate(next, old, context): readonly FieldError[] {
      if (context.subresource === 'status') return validator.updateStatus(next, old, context.now);
      return (validator.subresources[context.subresource] ?? validator.update)(next, old);
    },
    warnings(object, old, context): readonly string[] {
      const warningsOf = context.subresource === 'status' ? row.statusWarnings : row.warnings;
      return warningsOf?.(object, old, context) ?? [];
    },
    ...(row.refusesDeletion ? { refusesDeletion: row.refusesDeletion } : {}),
    ...(row.internalAnnotation ? { internalAnnotation: row.internalAnnotation } : {}),
    ...(row.deleteWarnings ? { deleteWarnings: row.deleteWarnings } : {}),
    resetFields: (subresource) => resetFields(subresource, hasStatus, row),
  };
}

function withoutDisabledParts(object: ApiObject, old: ApiObject | undefined, row: KindRow, gates: FeatureGates): ApiObject {
  const next = row.podSpecPath ? withoutDisabledFieldsAt(object, old, row.podSpecPath, gates) : object;
  return row.gatedFields ? withoutGatedFields(next, old, row.gatedFields, gates) : next;
}

function withStatus(object: ApiObject, status: Json | undefined): ApiObject {
  if (status !== undefined) return { ...object, status };
  if (object['status'] === undefined) return object;
  const { status: _, ...rest } = object;
  return rest as ApiObject;
}

/** A status update takes the status, and metadata except for the members that the kind retains. */
function applyStatusUpdate(next: ApiObject, old: ApiObject, row: KindRow, context: StrategyContext): ApiObject {
  const retained = Object.fromEntries((row.statusUpdateRetains ?? []).map((name) => [name, old.metadata[name]]));
  const taken = withMetadata({ ...old, metadata: next.metadata }, retained);
  const result = withStatus(taken, next['status']);
  const enabled = row.gatedFields ? withoutGatedFields(result, old, row.gatedFields, context.gates) : result;
  return row.updateStatus?.(enabled, old, context) ?? enabled;
}

function withGeneration(next: ApiObject, old: ApiObject, row: KindRow, { byName }: StructSchema): ApiObject {
  const isUnchanged = (name: string): boolean => {
    const [now, then] = [memberOf(next, name), memberOf(old, name)];
    return row.generationCountsEmptyLists ? sameJson(now, then) : isSemanticallyEqual(now, then, byName.get(name)?.schema);
  };
  if (!row.generation?.some((name) => !isUnchanged(name))) return next;
  return withMetadata(next, { generation: (old.metadata.generation ?? 0) + 1 });
}

const inMetadata: ReadonlySet<string> = new Set(['labels', 'annotations']);

function memberOf(object: ApiObject, name: string): Json | undefined {
  return inMetadata.has(name) ? object.metadata[name] : object[name];
}

function resetFields(subresource: string, hasStatus: boolean, row: KindRow): readonly (readonly string[])[] {
  const own = row.resets?.[subresource];
  if (own) return own;
  if (subresource === 'status') return [['spec'], ...(row.statusResets ?? [])];
  return hasStatus ? [['status']] : [];
}

/** Members in the order of the kind's declaration. */
function inDeclarationOrder(object: ApiObject, resource: Resource): ApiObject {
  const result: Record<string, Json> = {};
  for (const { name } of resource.schema.fields) {
    const value = object[name];
    if (value !== undefined) result[name] = value;
  }
  return result as ApiObject & JsonObject;
}
