import { type ApiObject, isJsonObject, type Json, type JsonObject } from '../../../meta/index.ts';
import type { apiextensionsv1 } from '../../../schema/api/index.ts';
import { type Decoded, isKnownFormat } from '../../../schema/index.ts';
import type { KindRow } from '../kind-row.ts';
import { definitionErrors } from './definition-rules.ts';

/** `status.storedVersions` records the versions in which objects may be stored. Cf. upstream customresourcedefinition strategy. */
export const customResourceDefinition: KindRow<ApiObject> = {
  generation: ['spec'],
  storesEmptyLists: true,
  conditionalUpdate: true,
  create: withStoredVersion,
  update: (next) => withStoredVersion(next),
  warnings: (definition, old) => {
    const before = new Set(old ? unknownFormats(old) : []);
    return unknownFormats(definition)
      .filter((format) => !before.has(format))
      .map((format) => `unrecognized format ${JSON.stringify(format)}`);
  },
  statusResets: [['metadata']],
  validateLast: (definition, old, before, context, pace) => definitionErrors(definition, old, before, context, pace),
};

type Definition = Decoded<apiextensionsv1.CustomResourceDefinition>;

function withStoredVersion(object: ApiObject): ApiObject {
  const { spec, status }: Definition = object;
  const known = status?.storedVersions ?? [];
  const stored = spec?.versions?.find(({ storage }) => storage);
  if (!stored) return object;
  const { name = '' } = stored;
  return known.includes(name) ? object : { ...object, status: { ...status, storedVersions: [...known, name] } };
}

/** Formats of strings that are not validated. */
function unknownFormats({ spec }: Definition): readonly string[] {
  const schemas = (spec?.versions ?? []).map(({ schema }): JsonObject => schema?.openAPIV3Schema ?? {});
  // Upstream has a schema that all versions share only once.
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  return [...distinct.values()].flatMap(formatsIn);
}

const schemaMaps = new Set(['properties', 'patternProperties', 'definitions']);

function formatsIn(schema: Json): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(formatsIn);
  if (!isJsonObject(schema)) return [];
  const { format, type } = schema;
  const own = typeof format === 'string' && format !== '' && type === 'string' && !isKnownFormat(format) ? [format] : [];
  const below = Object.entries(schema).flatMap(([name, value]) => {
    if (schemaMaps.has(name) && isJsonObject(value)) return Object.values(value).flatMap((one) => formatsIn(one ?? null));
    const isSchema = ['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf'].includes(name);
    return isSchema ? formatsIn(value ?? null) : [];
  });
  return [...own, ...below];
}
