import { isProductName, type ProductName } from '../meta/index.ts';

/** The cluster that an address names, apart from the screen. */
export interface ClusterAddress {
  /** The hash without `cluster` and `names`. Lessons retain `names`, which selects their cluster. */
  readonly hash: string;
  /** Empty for the default cluster of the page. Undefined when the address names none. */
  readonly cluster: string | undefined;
  /** The API group names of the requested cluster. */
  readonly names: ProductName | undefined;
}

/** The default cluster in an address. */
const defaultCluster = 'main';

/** Parses `#/o/core/v1/pods?tab=yaml&cluster=c-1` and `#/console?names=kubernetes`. */
export function parseAddress(address: string): ClusterAddress {
  const [path = '', search = ''] = address.split(/\?(.*)/s);
  const isLesson = path.startsWith('#/learn/');
  const parts = search === '' ? [] : search.split('&');
  const params = new URLSearchParams(search);
  const rest = parts.filter((part) => !part.startsWith('cluster=') && (isLesson || !part.startsWith('names=')));
  const cluster = params.get('cluster') ?? undefined;
  const names = params.get('names');
  return {
    hash: path + (rest.length === 0 ? '' : `?${rest.join('&')}`),
    cluster: cluster === defaultCluster ? '' : cluster,
    names: isProductName(names) ? names : undefined,
  };
}

/** The same screen in another cluster; an empty id is the default cluster. */
export function addressInCluster(address: string, cluster: string): string {
  const { hash } = parseAddress(address);
  return cluster === '' ? hash : `${hash}${hash.includes('?') ? '&' : '?'}cluster=${encodeURIComponent(cluster)}`;
}

/** The address with the cluster also when it is the default one, for links out of another cluster. */
export function explicitAddress(address: string, cluster: string): string {
  return addressInCluster(address, cluster || defaultCluster);
}
