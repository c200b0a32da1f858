import { addressInCluster, parseAddress } from '../address.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { isLessonRoute, type Route } from '../routes.ts';
import { readLastCluster } from './last-cluster.ts';

/** The cluster of the address, which is undefined when it names none. An empty id is the default cluster. */
export function clusterInAddress({ names: hostNames }: Pick<ConsoleOptions, 'names'>, current?: ConsoleModel): string | undefined {
  const { cluster, names } = parseAddress(location.hash);
  if (cluster !== undefined) return cluster;
  if (names !== undefined && names !== current?.workspace.names) return names === hostNames ? '' : names;
  // Of an entry of the session history.
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'cluster' in state ? String(state.cluster) : undefined;
}

/** The cluster that the page opens first: that of the address, else the last one that was used. */
export function initialCluster(options: Pick<ConsoleOptions, 'names'>, route: Route): string {
  const inPage = new URLSearchParams(location.search).get('names');
  if (inPage === 'svc' || inPage === 'kubernetes') return inPage === options.names ? '' : inPage;
  // The names in the address of a lesson are those of its own cluster.
  if (isLessonRoute(route)) return readLastCluster();
  return clusterInAddress(options) ?? (/^#?\/?$/.test(location.hash) ? readLastCluster() : '');
}

/** Writes the cluster into the address of the current screen. */
export function writeCluster(id: string): void {
  // The entry may have the state of a list, too.
  history.replaceState(
    { ...(history.state as object | null), cluster: id },
    '',
    addressInCluster(location.hash, id) || location.pathname + location.search,
  );
}

/** Adds the cluster to a link before the browser follows, copies or opens it in another tab. */
export function addClusterToLink(event: Event, route: Route, { workspace }: ConsoleModel): void {
  const path = event.composedPath();
  const link = path.find((target) => target instanceof HTMLAnchorElement);
  const href = link?.getAttribute('href') ?? '';
  if (workspace.id === '' || !/^#\/(?!learn|author|s\/)/.test(href) || parseAddress(href).cluster !== undefined) return;
  // The links of the rail lead from a lesson to the cluster before it.
  if (isLessonRoute(route) && path.some((target) => target instanceof HTMLElement && target.localName === 'nav')) return;
  link?.setAttribute('href', addressInCluster(href, workspace.id));
}
