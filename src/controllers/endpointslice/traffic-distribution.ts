import { sameJson } from '../../meta/index.ts';
import type { discoveryv1 } from '../../schema/api/index.ts';
import type { SliceChanges } from './fill-slices.ts';
import type { Slice } from './new-slice.ts';

type Endpoints = readonly discoveryv1.Endpoint[];

const zonePreferences: ReadonlySet<string> = new Set(['PreferClose', 'PreferSameZone', 'PreferSameNode']);

/** Sets the hints by which proxies prefer endpoints of their zone or node. Cf. endpointslice/trafficdist ReconcileHints. */
export function reconcileHints(distribution: string | undefined, { create, update, unchanged, ...rest }: SliceChanges): SliceChanges {
  const isStale = ({ endpoints }: discoveryv1.EndpointSlice): boolean =>
    !sameJson(withHints(endpoints ?? [], distribution), endpoints ?? []);
  const hinted = (slice: Slice): Slice => ({ ...slice, endpoints: withHints(slice.endpoints, distribution) });
  const stale = unchanged.filter(isStale).map((slice): Slice => ({ ...slice, endpoints: slice.endpoints ?? [] }));
  return {
    ...rest,
    create: create.map(hinted),
    update: [...update, ...stale].map(hinted),
    unchanged: unchanged.filter((slice) => !isStale(slice)),
  };
}

function withHints(endpoints: Endpoints, distribution: string | undefined): Endpoints {
  if (distribution === undefined || !zonePreferences.has(distribution)) return endpoints.map(withoutHints);
  // Not ready endpoints receive no traffic, so their hints do not matter.
  return endpoints.map((endpoint) => (endpoint.conditions.ready ? withPreference(endpoint, distribution === 'PreferSameNode') : endpoint));
}

function withPreference(endpoint: discoveryv1.Endpoint, prefersNode: boolean): discoveryv1.Endpoint {
  const { zone, nodeName } = endpoint;
  const hints = {
    ...(zone === undefined ? {} : { forZones: [{ name: zone }] }),
    ...(nodeName === undefined || !prefersNode ? {} : { forNodes: [{ name: nodeName }] }),
  };
  return Object.keys(hints).length === 0 ? withoutHints(endpoint) : { ...endpoint, hints };
}

function withoutHints({ hints: _, ...endpoint }: discoveryv1.Endpoint): discoveryv1.Endpoint {
  return endpoint;
}
