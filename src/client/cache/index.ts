/** Caches of collections. */
export { Indexer } from './indexer.ts';
export { InformerFactory } from './informer-factory.ts';
export { createMetadataInformer, metadataListType, metadataType, type ObjectMetadata } from './metadata-informer.ts';
export { type InformerSource, ScopedInformers } from './scoped-informers.ts';
export { cacheKeyOf, type EventHandler, type SharedInformer, splitCacheKey } from './shared-informer.ts';
