import type { Product } from '../../meta/index.ts';
import {
  type CustomObjectCodec,
  createCustomObjectCodec,
  createCustomRules,
  createCustomStrategy,
  type Strategy,
} from '../../registry/index.ts';
import { type Catalog, createMetadataDecoder, type DecodeTyped, type Resource, type Validation } from '../../schema/index.ts';

/** Decoding and strategies of custom resources. */
export interface CustomKinds {
  codecOf(resource: Resource): CustomObjectCodec;
  strategyOf(resource: Resource): Strategy | undefined;
}

export function createCustomKinds(catalog: Catalog, decode: DecodeTyped, validation: Validation, product: Product): CustomKinds {
  const rules = createCustomRules(product);
  const metadata = createMetadataDecoder(decode, catalog.type('meta/v1.ObjectMeta'));
  const forms = new WeakMap<Resource, CustomObjectCodec>();
  const codecOf = (resource: Resource): CustomObjectCodec => {
    const known = forms.get(resource);
    if (known) return known;
    if (!resource.custom) throw new Error(`${resource.name} is no custom resource`);
    const form = createCustomObjectCodec(resource, resource.custom, metadata);
    forms.set(resource, form);
    return form;
  };
  return {
    codecOf,
    strategyOf: (resource) =>
      resource.custom &&
      createCustomStrategy(resource, resource.custom, {
        codec: codecOf(resource),
        embeddedMetadata: validation.embeddedMetadata,
        validateMetadata: (object) => validation.metadata(resource, object),
        rules,
      }),
  };
}
