import type { ClientRequest, HttpResponse } from '../../http/index.ts';
import type { JsonObject } from '../../meta/index.ts';

/** The APIs of other servers that APIService objects aggregate into this one. Cf. k8s.io/kube-aggregator. */
export interface AggregatedApis {
  readonly versions: readonly AggregatedVersion[];
  /** The priority of a group in discovery: the greatest `groupPriorityMinimum` of its versions. */
  groupPriority(group: string): number;
}

export interface AggregatedVersion {
  readonly group: string;
  readonly version: string;
  /** `versionPriority` */
  readonly priority: number;
  /** Whether its condition `Available` is true. */
  readonly isAvailable: boolean;
  /** The APIVersionDiscovery of the server, which is stale while it is not reachable. */
  readonly discovery: JsonObject;
  /** Its documents of OpenAPI v3, `apis/GROUP` and `apis/GROUP/VERSION`, and their server-relative URLs with a hash; undefined: only v2. */
  readonly openApiUrls: Readonly<Record<string, string>> | undefined;
  /** Its document of OpenAPI v2; undefined: it has none. */
  readonly openApiV2: JsonObject | undefined;
  /** @throws OutboundError when there is no connection, with the message of Go's dialer; ServiceUnresolved */
  send(request: ClientRequest, signal: AbortSignal): Promise<HttpResponse>;
}

/** The Service of an API server has no address. */
export class ServiceUnresolved extends Error {
  override readonly name = 'ServiceUnresolved';
}

export const noAggregatedApis: AggregatedApis = { versions: [], groupPriority: () => 0 };

const openApiPrefix = '/openapi/v3/';

/** The version whose server serves a path: `/apis/GROUP/VERSION` and everything below it, and its OpenAPI documents. */
export function aggregatedVersionOf({ versions }: AggregatedApis, path: string): AggregatedVersion | undefined {
  if (versions.length === 0) return undefined;
  if (path.startsWith(openApiPrefix)) {
    const name = path.slice(openApiPrefix.length);
    return versions.find(({ openApiUrls }) => Object.hasOwn(openApiUrls ?? {}, name));
  }
  const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)(?:\/|$)/.exec(path) ?? [];
  return versions.find((one) => one.group === group && one.version === version);
}
