/** What is served, told to clients: the legacy documents and the aggregated ones, built from the catalog. */
export { type AggregatedDocument, answerAggregated, createDiscovery, type Discovery, type DiscoveryOptions } from './discovery.ts';
export { fingerprint } from './fingerprint.ts';
