import type { Product } from '../meta/index.ts';
import specialsText from './data/specials.json?raw';

/** OpenAPI definitions of types with a custom JSON form (Quantity, IntOrString, JSON, …). */
export interface SpecialType {
  /** The definition name: `io.k8s.apimachinery.pkg.api.resource.Quantity`. */
  readonly definition: string;
  readonly v3: object;
  readonly v2: object;
}

export interface Specials {
  readonly types: ReadonlyMap<string, SpecialType>;
  /** Every `group/version`, served or not, that has DeleteOptions and WatchEvent. */
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
