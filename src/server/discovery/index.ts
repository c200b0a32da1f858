/** API discovery: the legacy and the aggregated documents, built from the catalog. */
export { type AggregatedDocument, answerAggregated, createDiscovery, type Discovery, type DiscoveryOptions } from './discovery.ts';
export { fingerprint } from './fingerprint.ts';
