import type { apiextensionsv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

/** The names of a CustomResourceDefinition. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export type Definition = Decoded<apiextensionsv1.CustomResourceDefinition>;
export type DefinitionVersion = Decoded<apiextensionsv1.CustomResourceDefinitionVersion>;
export type DefinitionCondition = Decoded<apiextensionsv1.CustomResourceDefinitionCondition>;

function readNames(names: Decoded<apiextensionsv1.CustomResourceDefinitionNames> = {}): DefinitionNames {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames, categories } = names;
  return { plural, singular, kind, listKind, shortNames: shortNames ?? [], categories: categories ?? [] };
}

export function specNames({ spec }: Definition): DefinitionNames {
  return readNames(spec?.names);
}

export function acceptedNames({ status }: Definition): DefinitionNames {
  return readNames(status?.acceptedNames);
}

export function groupOf({ spec }: Definition): string {
  return spec?.group ?? '';
}

export function versionsOf({ spec }: Definition): readonly DefinitionVersion[] {
  return spec?.versions ?? [];
}

export function conditionOf({ status }: Definition, type: string): DefinitionCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isTrue(definition: Definition, type: string): boolean {
  return conditionOf(definition, type)?.status === 'True';
}

/** Removed after the last object of the kind. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
