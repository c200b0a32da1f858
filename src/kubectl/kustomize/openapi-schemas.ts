import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { readJsonOrYamlText } from './go-structs.ts';
import type { MergeSchema } from './strategic-merge.ts';

/** The schemas of a file of OpenAPI definitions by kind; they replace those of built-in kinds. @throws KubectlError */
export function readOpenApiSchemas(text: string): (apiVersion: string, kind: string) => MergeSchema | undefined {
  const definitions = recordAt(parseText(text), 'definitions');
  return (apiVersion, kind) => {
    const isKind = (gvk: JsonObject): boolean => {
      const group = textAt(gvk, 'group');
      return textAt(gvk, 'kind') === kind && `${group === '' ? '' : `${group}/`}${textAt(gvk, 'version')}` === apiVersion;
    };
    const found = Object.values(definitions).filter(isJsonObject);
    return schemaAt(
      definitions,
      found.findLast((one) => objectsAt(one, 'x-kubernetes-group-version-kind').some(isKind)),
    );
  };
}

function parseText(text: string): JsonObject {
  try {
    const content = readJsonOrYamlText(text);
    return isJsonObject(content) ? content : {};
  } catch (error) {
    throw new KubectlError(`invalid schema file: ${messageOf(error)}`);
  }
}

/** Follows references, when a schema is used. */
function schemaAt(definitions: JsonObject, schema: Json | undefined): MergeSchema | undefined {
  if (!isJsonObject(schema)) return undefined;
  const reference = textAt(schema, '$ref');
  if (reference !== '') return schemaAt(definitions, definitions[reference.replace('#/definitions/', '')]);
  return {
    field: (name) => schemaAt(definitions, recordAt(schema, 'properties')[name] ?? schema['additionalProperties']),
    items: () => schemaAt(definitions, schema['items']),
    mergeKeys: textAt(schema, 'x-kubernetes-patch-strategy').split(',').includes('merge') ? mergeKeysOf(schema) : undefined,
  };
}

function mergeKeysOf(schema: JsonObject): readonly string[] {
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  const key = textAt(schema, 'x-kubernetes-patch-merge-key');
  return keys.length > 0 || key === '' ? keys : [key];
}
