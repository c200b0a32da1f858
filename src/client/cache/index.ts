/** Caches of collections. */
export { Indexer, type IndexFunction } from './indexer.ts';
export { InformerFactory } from './informer-factory.ts';
export { createMetadataInformer, metadataListType, metadataType, type ObjectMetadata } from './metadata-informer.ts';
export { cacheKeyOf, type EventHandler, SharedInformer, splitCacheKey } from './shared-informer.ts';
