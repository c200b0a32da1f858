import type { DnsAnswer, NetworkNamespace, RecordType } from './network-namespace.ts';

/** The part of `/etc/resolv.conf` that names are looked up by. */
export interface ResolverConfig {
  /** Tried in order, without final dots: `default.svc.cluster.local`. */
  readonly searches: readonly string[];
  /** A name with fewer dots is tried with the search paths first. */
  readonly ndots: number;
}

/** The names under which a name is looked up, in order, each with a final dot. A name with a final dot is looked up as it is. */
export function searchNames(name: string, { searches, ndots }: ResolverConfig): readonly string[] {
  if (name.endsWith('.')) return [name];
  const below = searches.map((path) => `${name}.${path}.`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [`${name}.`, ...below] : [...below, `${name}.`];
}

/** Looks a name up as the C library does. The last answer, if no name has records of the type. */
export async function resolveName(
  network: Pick<NetworkNamespace, 'query'>,
  name: string,
  type: RecordType,
  config: ResolverConfig,
): Promise<DnsAnswer> {
  let answer: DnsAnswer = { code: 'NXDOMAIN', records: [] };
  for (const full of searchNames(name, config)) {
    answer = await network.query(full, type);
    if (answer.records.length > 0) return answer;
  }
  return answer;
}
