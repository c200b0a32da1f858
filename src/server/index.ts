/** The API server: the request pipeline from a plain request to a plain response. */

export { ByteBudget } from './byte-budget.ts';
export type { ConfigurationReport, Reloads } from './configuration-report.ts';
export type { CorsAndHstsOptions } from './cors-and-hsts.ts';
export { Deadlines } from './deadlines.ts';
export { createDiscovery } from './discovery/index.ts';
export { EventTexts } from './event-texts.ts';
export { FlowIndex } from './flow-index.ts';
export { createServer } from './handle-request.ts';
export type { HealthCheck } from './health.ts';
export { type InFlightLimits, InFlightRequests, inFlightDefaults } from './in-flight.ts';
export { createKinds, type KindSource, type Kinds } from './kinds.ts';
export { Lifecycle } from './lifecycle.ts';
export { Metrics } from './metrics.ts';
export { createOpenApi, definitionSchema, type OpenApi } from './openapi/index.ts';
export type { MeasuredObject, ResourceMetrics, ServerDependencies, TraceListener } from './server-dependencies.ts';
export type { TimingHeaders } from './timing-headers.ts';
export { release } from './version.ts';
