import type { Product } from '../../meta/index.ts';
import { createCatalog, type StructSchema } from '../../schema/index.ts';
import { type ApiResource, formatGroupVersion } from '../api/discovery.ts';

/** The schema of a built-in kind with its list merge rules; undefined for custom kinds. */
export function schemaOf(product: Product, { kind, ...of }: ApiResource): StructSchema | undefined {
  return createCatalog(product).kind(formatGroupVersion(of), kind);
}
