/** The API server: the request pipeline from a plain request to a plain response. */

export { type AggregatedApis, type AggregatedVersion, ServiceUnresolved } from './aggregation/aggregated-apis.ts';
export { userHeaders } from './aggregation/proxy-to-service.ts';
export { ByteBudget } from './body/byte-budget.ts';
export type { ConfigurationReport, Reloads } from './configuration-report.ts';
export type { CorsAndHstsOptions } from './cors-and-hsts.ts';
export { createDiscovery } from './discovery/index.ts';
export { createServer } from './handle-request.ts';
export { createKinds, type Kinds } from './kinds.ts';
export { Deadlines, type RequestTimeouts, requestTimeoutDefaults } from './limits/deadlines.ts';
export { type InFlightLimits, InFlightRequests, inFlightDefaults, unlimitedInFlight } from './limits/in-flight.ts';
export { Lifecycle } from './limits/lifecycle.ts';
export { EventTexts } from './observability/event-texts.ts';
export { Metrics } from './observability/metrics/metrics.ts';
export type { TimingHeaders } from './observability/timing-headers.ts';
export { createOpenApi, definitionSchema, type OpenApi, type OpenApiOptions } from './openapi/index.ts';
export type { HealthCheck } from './paths/health.ts';
export type { HostPage, MeasuredObject, ResourceMetrics, ServerDependencies, TraceListener } from './server-dependencies.ts';
