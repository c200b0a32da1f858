import { type ApiObject, type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';

/** The names of a CustomResourceDefinition. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

function readNames(names: JsonObject): DefinitionNames {
  return {
    plural: textAt(names, 'plural'),
    singular: textAt(names, 'singular'),
    kind: textAt(names, 'kind'),
    listKind: textAt(names, 'listKind'),
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
  };
}

export function specNames(definition: ApiObject): DefinitionNames {
  return readNames(recordAt(recordAt(definition, 'spec'), 'names'));
}

export function acceptedNames(definition: ApiObject): DefinitionNames {
  return readNames(recordAt(recordAt(definition, 'status'), 'acceptedNames'));
}

export function groupOf(definition: ApiObject): string {
  return textAt(recordAt(definition, 'spec'), 'group');
}

export function versionsOf(definition: ApiObject): readonly JsonObject[] {
  return objectsAt(recordAt(definition, 'spec'), 'versions');
}

export function conditionOf(definition: ApiObject, type: string): JsonObject | undefined {
  return objectsAt(recordAt(definition, 'status'), 'conditions').find((condition) => textAt(condition, 'type') === type);
}

export function isTrue(definition: ApiObject, type: string): boolean {
  return textAt(conditionOf(definition, type), 'status') === 'True';
}

/** Removed after the last object of the kind. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
