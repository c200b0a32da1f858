import type { Endpoint } from '../../../network/index.ts';
import type { Applet } from '../../process/applet.ts';
import type { ListedSocket } from '../../process/listeners.ts';
import { parseOptions } from '../options.ts';

/** Lists the sockets of the pod. Cf. busybox netstat. */
export const netstat: Applet = ({ args, out }, { container }) => {
  const { flags } = parseOptions(args);
  const isShown = ({ protocol, remote }: ListedSocket): boolean => {
    const isWanted = flags.has('t') || flags.has('u') ? flags.has(protocol === 'tcp' ? 't' : 'u') : true;
    const isListening = remote === undefined;
    return isWanted && (flags.has('a') || (flags.has('l') ? isListening : !isListening));
  };
  const which = flags.has('a') ? 'servers and established' : flags.has('l') ? 'only servers' : 'w/o servers';
  out(`Active Internet connections (${which})\n`);
  out('Proto Recv-Q Send-Q Local Address           Foreign Address         State       \n');
  for (const { protocol, local, remote } of container.listeners.sockets.filter(isShown)) {
    const state = protocol === 'udp' ? '' : remote ? 'ESTABLISHED' : 'LISTEN';
    // Servers listen on every address of both families, unless they name one.
    const isIPv6 = local.address === '' || local.address.includes(':');
    const cells = [formatAddress(local), remote ? formatAddress(remote) : isIPv6 ? ':::*' : '0.0.0.0:*'].map((cell) => cell.padEnd(23));
    out(`${protocol.padEnd(5)} ${'0'.padStart(6)} ${'0'.padStart(6)} ${cells.join(' ')} ${state.padEnd(11)} \n`);
  }
  return 0;
};

function formatAddress({ address, port }: Endpoint): string {
  return `${address === '' ? '::' : address}:${port}`;
}
