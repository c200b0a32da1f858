import { type Pace, runYielding } from '../../env/index.ts';
import { type ApiObject, type FieldError, invalid, isQualifiedName, type Json, sameJson, withMetadata } from '../../meta/index.ts';
import {
  Correlation,
  type CustomVersion,
  formatGroupVersion,
  type MetadataRules,
  type Resource,
  validateEmbeddedObjects,
  validateListTypes,
  validateMetadataUpdate,
  validateValueInSteps,
} from '../../schema/index.ts';
import type { Strategy } from '../strategy.ts';
import type { CustomObjectCodec } from './custom-object-codec.ts';
import type { CustomRules } from './custom-rules.ts';
import { scaleErrors } from './scale-rules.ts';

export interface CustomStrategyOptions {
  readonly codec: CustomObjectCodec;
  /** Rules for the metadata of embedded objects. */
  readonly embeddedMetadata: MetadataRules;
  /** Validates metadata on create. */
  readonly validateMetadata: (object: ApiObject) => readonly FieldError[];
  readonly rules: CustomRules;
}

/** Strategy of custom objects: any change outside metadata and status increments the generation. Cf. upstream customResourceStrategy. */
export function createCustomStrategy(resource: Resource, custom: CustomVersion, tools: CustomStrategyOptions): Strategy {
  const hasStatus = resource.subresources.has('status');
  const { codec, rules } = tools;
  const { schema } = custom;
  const structural = (object: ApiObject): readonly FieldError[] => validateEmbeddedObjects(object, schema, '', tools.embeddedMetadata);
  const schemaErrors = async (next: ApiObject, old: ApiObject | undefined, isStatus: boolean, pace: Pace): Promise<FieldError[]> => {
    const correlation = old && new Correlation(next, old, schema);
    const steps = isStatus ? statusErrorsInSteps(next, custom, correlation) : validateValueInSteps(next, schema, '', correlation);
    const errors = [...(await runYielding(steps, pace)), ...scaleErrors(next, custom.scale, isStatus)];
    if (!isStatus) errors.push(...structural(next));
    await pace();
    errors.push(...newListErrors(next, old, custom));
    await pace();
    return errors;
  };
  return {
    validatesMetadataLast: true,
    createOnUpdate: false,
    unconditionalUpdate: false,
    orphansByDefault: false,
    garbageCollected: true,
    isSettled: () => true,
    deleteReturnsObject: resource.deleteReturnsObject,
    stored: codec,
    prepareForCreate(object) {
      return withMetadata(hasStatus ? withStatus(object, undefined) : object, { generation: 1 });
    },
    prepareForUpdate(next, old, { subresource }) {
      if (subresource === 'status') {
        const { managedFields } = next.metadata;
        return withStatus(withMetadata(old, { managedFields }), next['status']);
      }
      const draft = hasStatus ? withStatus(next, old['status']) : next;
      const changed = !sameJson(withoutMetadata(draft), withoutMetadata(old));
      return changed ? withMetadata(draft, { generation: (old.metadata.generation ?? 0) + 1 }) : draft;
    },
    validate: tools.validateMetadata,
    validateUpdate(next, old) {
      const errors = typeErrors(next, resource);
      // Upstream validates metadata here again.
      return errors.length > 0 ? errors : validateMetadataUpdate(next.metadata, old.metadata);
    },
    async validateLast(next, old, found, { subresource, ruleTimer }, pace) {
      if (typeErrors(next, resource).length > 0) return found;
      const errors = [...found, ...(await schemaErrors(next, old, subresource === 'status', pace))];
      return [...errors, ...(await rules.errors(schema, next, old, errors, { pace, timer: ruleTimer }))];
    },
    warnings: (object, old, { subresource }) => [
      ...(subresource === 'status' ? [] : finalizerWarnings(object, old)),
      ...rules.warnings(object),
    ],
    resetFields(subresource) {
      if (subresource === 'status') return [['spec']];
      return hasStatus ? [['status']] : [];
    },
  };
}

/** Kind and version must be the resource's; an object of another kind gets no further errors. */
export function typeErrors({ kind, apiVersion }: ApiObject, resource: Resource): readonly FieldError[] {
  const groupVersion = formatGroupVersion(resource);
  return [
    ...(kind === resource.kind ? [] : [invalid('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === groupVersion ? [] : [invalid('apiVersion', apiVersion, `must be ${groupVersion}`)]),
  ];
}

/** A status update is validated only against the schema of the status. */
function* statusErrorsInSteps(
  next: ApiObject,
  { schema }: CustomVersion,
  correlation: Correlation | undefined,
): Generator<void, readonly FieldError[]> {
  const node = schema.properties.get('status');
  const status = next['status'];
  return node && status !== undefined ? yield* validateValueInSteps(status, node, 'status', correlation?.key('status')) : [];
}

/** Ignores list errors when the old object has list errors too. */
function newListErrors(next: ApiObject, old: ApiObject | undefined, { schema }: CustomVersion): readonly FieldError[] {
  const errors = validateListTypes(next, schema, '');
  return errors.length > 0 && old && validateListTypes(old, schema, '').length > 0 ? [] : errors;
}

function withoutMetadata({ metadata: _, ...rest }: ApiObject): Json {
  return rest as Json;
}

function withStatus(object: ApiObject, status: Json | undefined): ApiObject {
  const { status: _, ...rest } = object;
  return (status === undefined ? rest : { ...rest, status }) as ApiObject;
}

const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes', 'svc']);

function finalizerWarnings(object: ApiObject, old: ApiObject | undefined): readonly string[] {
  const before = new Set(old?.metadata.finalizers);
  const added = [...new Set(object.metadata.finalizers ?? [])].filter((name) => !before.has(name)).sort();
  return added.flatMap((name) => {
    const shown = `metadata.finalizers: ${JSON.stringify(name)}: `;
    const wrong = isQualifiedName(name).map((text) => shown + text);
    if (name.includes('/') || standardFinalizers.has(name)) return wrong;
    const path = name.includes('.') ? ' including a path (/)' : '';
    return [...wrong, `${shown}prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`];
  });
}
