import type { ApiObject, JsonObject } from '../../meta/index.ts';
import { itemsOf, partOf, textOf } from '../strategies/row.ts';

/** What of a CustomResourceDefinition others have to know. */
export interface Names {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export function readNames(names: JsonObject): Names {
  return {
    plural: textOf(names, 'plural'),
    singular: textOf(names, 'singular'),
    kind: textOf(names, 'kind'),
    listKind: textOf(names, 'listKind'),
    shortNames: textsOf(names, 'shortNames'),
    categories: textsOf(names, 'categories'),
  };
}

export function textsOf(object: JsonObject, name: string): readonly string[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function specNames(definition: ApiObject): Names {
  return readNames(partOf(partOf(definition, 'spec'), 'names'));
}

export function acceptedNames(definition: ApiObject): Names {
  return readNames(partOf(partOf(definition, 'status'), 'acceptedNames'));
}

export function groupOf(definition: ApiObject): string {
  return textOf(partOf(definition, 'spec'), 'group');
}

export function versionsOf(definition: ApiObject): readonly JsonObject[] {
  return itemsOf(partOf(definition, 'spec'), 'versions');
}

export function conditionOf(definition: ApiObject, type: string): JsonObject | undefined {
  return itemsOf(partOf(definition, 'status'), 'conditions').find((condition) => textOf(condition, 'type') === type);
}

export function isTrue(definition: ApiObject, type: string): boolean {
  return textOf(conditionOf(definition, type), 'status') === 'True';
}

/** Goes with the last object of the kind. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
