import type { Product } from '../../meta/index.ts';
import { createCatalog, type StructSchema } from '../../schema/index.ts';
import { groupVersionText, type KnownResource } from '../api/discovery.ts';

/** The shape of a built-in kind, which knows how its lists merge; custom kinds have none here. */
export function schemaOf(product: Product, { kind, ...of }: KnownResource): StructSchema | undefined {
  return createCatalog(product).kind(groupVersionText(of), kind);
}
