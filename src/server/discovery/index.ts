/** API discovery: the legacy and the aggregated documents, built from the catalog. */
export { answerAggregated, createDiscovery, type Discovery } from './discovery.ts';
export { fingerprint } from './fingerprint.ts';
