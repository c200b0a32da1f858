import { type RecordType, resolveName } from '../../network/index.ts';
import { SystemError } from '../files/file-error.ts';
import type { Process } from '../process/process.ts';

const isAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(':');

/** A file of the container as text; empty when it cannot be read. */
export function readText(path: string, { container: { files }, user }: Process): string {
  try {
    return new TextDecoder().decode(files.read(path, user));
  } catch (error) {
    if (error instanceof SystemError) return '';
    throw error;
  }
}

/** The content of `/etc/resolv.conf`. */
interface NameServerConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly ndots: number;
}

export function nameServerConfig(process: Process): NameServerConfig {
  const lines = readText('/etc/resolv.conf', process)
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const valuesOf = (name: string): readonly string[] => lines.filter(([first]) => first === name).flatMap(([, ...values]) => values);
  const ndots = valuesOf('options').find((option) => option.startsWith('ndots:'));
  return { servers: valuesOf('nameserver'), searches: valuesOf('search'), ndots: Number(ndots?.slice('ndots:'.length) ?? 1) };
}

/** The lines of `/etc/hosts` that have a name. */
export function hostsEntries(name: string, process: Process): readonly (readonly string[])[] {
  return readText('/etc/hosts', process)
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    .filter(([, ...names]) => names.includes(name));
}

/** The addresses of a name by `/etc/hosts` and the name servers of `/etc/resolv.conf`. */
export async function lookUpHost(name: string, process: Process, type: RecordType = 'A'): Promise<readonly string[]> {
  const host = name.replace(/^\[|\]$/g, '');
  if (isAddress(host)) return [host];
  const known = hostsEntries(host, process).flatMap(([address = '']) => address);
  const ofFamily = known.filter((address) => address.includes(':') === (type === 'AAAA'));
  if (ofFamily.length > 0) return ofFamily;
  const { network } = process.container.listeners;
  if (!network) return [];
  const answer = await resolveName(network, host, type, nameServerConfig(process));
  return answer.records.filter((record) => record.type === type).map(({ value }) => value);
}
