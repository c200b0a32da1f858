import { errorMessage } from '../../env/index.ts';
import { NetworkError } from '../../network/index.ts';
import { lookUpHost } from '../network/host-names.ts';
import type { Applet } from '../process/applet.ts';
import { parseDuration, parseFlags } from './flags.ts';

/** Connects to HOST:PORT, and prints why it cannot. Cf. test/images/agnhost/connect. */
export const connect: Applet = async ({ args, err, signal }, process) => {
  const flags = parseFlags(args);
  const target = args.find((arg, at) => !arg.startsWith('-') && !/^--\w+$/.test(args[at - 1] ?? '')) ?? '';
  const fail = (reason: string): number => {
    err(`${reason}\n`);
    return 1;
  };
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(target) ?? [];
  if (host === undefined) return fail(`UNKNOWN: address ${target}: missing port in address`);
  const [address] = await lookUpHost(host, process);
  const { network } = process.container.listeners;
  if (address === undefined || !network) return fail(`DNS: lookup ${host}: no such host`);
  const to = { address, port: Number(port) };
  const timeoutMs = parseDuration(flags.get('timeout') ?? '0') ?? 0;
  const timeout = new AbortController();
  const { clock } = process.container.env;
  const cancel = timeoutMs > 0 ? clock.schedule(timeoutMs, () => timeout.abort(new NetworkError('ETIMEDOUT', 'i/o timeout'))) : () => {};
  const both = AbortSignal.any([signal, timeout.signal]);
  try {
    if (flags.get('protocol') === 'udp') {
      let receive = (): void => {};
      const received = new Promise<void>((resolve, reject) => {
        receive = resolve;
        both.addEventListener('abort', () => reject(both.reason), { once: true });
      });
      const socket = network.bind({ port: 0 }, receive);
      socket.send(new TextEncoder().encode(`${flags.get('udp-data') ?? 'hostname'}\n`), to);
      await received.finally(() => socket.close());
    } else await (await network.connect(to, { signal: both })).sink.close();
    return 0;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    const names: Readonly<Partial<Record<string, string>>> = { ETIMEDOUT: 'TIMEOUT', ECONNREFUSED: 'REFUSED' };
    return fail(names[error.code] ?? `OTHER: ${errorMessage(error)}`);
  } finally {
    cancel();
  }
};
