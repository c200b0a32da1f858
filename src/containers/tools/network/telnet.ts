import { NetworkError } from '../../../network/index.ts';
import { CommandError } from '../../../shell/index.ts';
import { lookUpHost } from '../../network/host-names.ts';
import type { Applet } from '../../process/applet.ts';
import { readArguments } from '../arguments.ts';

const usage = { options: 'al:', synopsis: '[-a] [-l USER] HOST [PORT]', operands: [1, 2] as const };

const reasons: Readonly<Partial<Record<string, string>>> = { ETIMEDOUT: 'Operation timed out', EHOSTUNREACH: 'Host is unreachable' };

/** Connects to a port, sends the input and prints what arrives. Ends with the input. */
export const telnet: Applet = async (invocation, process) => {
  const { operands } = readArguments(invocation, usage);
  const [host = '', port = '23'] = operands;
  const { input, out, signal } = invocation;
  const { network } = process.container.listeners;
  if (!/^\d+$/.test(port) || Number(port) > 65_535) throw new CommandError(`telnet: bad port '${port}'`);
  const [address] = await lookUpHost(host, process);
  if (address === undefined || !network) throw new CommandError(`telnet: bad address '${host}'`);
  const connect = network.connect({ address, port: Number(port) }, { signal });
  const connection = await connect.catch((error: unknown) => {
    if (!(error instanceof NetworkError)) throw error;
    throw new CommandError(`telnet: can't connect to remote host (${address}): ${reasons[error.code] ?? 'Connection refused'}`);
  });
  out(`Connected to ${host}\n`);
  const sent = (async (): Promise<number> => {
    for (let chunk = await input.read(); chunk; chunk = await input.read()) await connection.sink.write(chunk);
    return 0;
  })();
  const received = (async (): Promise<number> => {
    for await (const bytes of connection.source) out(bytes);
    out('Connection closed by foreign host\n');
    return 1;
  })();
  const closed = (): number => 1;
  try {
    return await Promise.race([sent.catch(closed), received.catch(closed)]);
  } finally {
    await connection.sink.close();
  }
};
