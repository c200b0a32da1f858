import type { Product } from '../../meta/index.ts';
import { type Catalog, createCatalog, type StructSchema } from '../../schema/index.ts';
import { type ApiResource, formatGroupVersion } from '../api/discovery.ts';

/** Creating a catalog takes some milliseconds, and a command may read the schema of every object of a file. */
const catalogs = new WeakMap<Product, Catalog>();

/** The schema of a built-in kind with its list merge rules; undefined for custom kinds. */
export function schemaOf(product: Product, { kind, ...of }: Pick<ApiResource, 'group' | 'version' | 'kind'>): StructSchema | undefined {
  return schemaOfKind(product, formatGroupVersion(of), kind);
}

export function schemaOfKind(product: Product, apiVersion: string, kind: string): StructSchema | undefined {
  const catalog = catalogs.get(product) ?? createCatalog(product);
  catalogs.set(product, catalog);
  return catalog.kind(apiVersion, kind);
}
