import type { Product } from '../meta/index.ts';
import specialsText from './data/specials.json?raw';

/** What OpenAPI says of the types that have a JSON form of their own (Quantity, IntOrString, JSON, …). */
export interface SpecialType {
  /** Its name among the definitions: `io.k8s.apimachinery.pkg.api.resource.Quantity`. */
  readonly definition: string;
  readonly v3: object;
  readonly v2: object;
}

export interface Specials {
  readonly types: ReadonlyMap<string, SpecialType>;
  /** Every `group/version`, served or not, in which DeleteOptions and WatchEvent are known. */
  readonly optionVersions: readonly string[];
}

interface SpecialsData {
  readonly [type: string]: { readonly openapi: string; readonly v3: object; readonly v2: object | '=v3' };
}

export function readSpecials(product: Product): Specials {
  const { $gvk: versions, ...types }: { $gvk: { all: readonly string[] } } & SpecialsData = JSON.parse(product.rename(specialsText));
  const read = Object.entries(types).map(([name, { openapi, v3, v2 }]): [string, SpecialType] => [
    name,
    { definition: openapi, v3, v2: v2 === '=v3' ? v3 : v2 },
  ]);
  return { types: new Map(read), optionVersions: versions.all };
}
