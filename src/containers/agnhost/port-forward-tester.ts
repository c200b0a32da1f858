import { errorMessage } from '../../env/index.ts';
import type { Connection } from '../../network/index.ts';
import type { Invocation } from '../../shell/index.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { listen, serveForever } from './http-server.ts';

/** Between the end of the output and the close of a connection, in milliseconds. */
const closeDelayMs = 500;

/** Returns the exit code if the data differs. */
async function receive(expected: string, source: Connection['source'], { out }: Invocation): Promise<number | undefined> {
  if (expected === '') return undefined;
  const { value, done } = await source[Symbol.asyncIterator]().next();
  const read = value?.subarray(0, expected.length) ?? new Uint8Array();
  if (read.length !== expected.length) {
    out(`Expected to read ${expected.length} bytes from client, but got ${read.length} instead. err=${done ? 'EOF' : '<nil>'}\n`);
    return 2;
  }
  const text = new TextDecoder().decode(read);
  if (text !== expected) {
    out(`Expect to read ${JSON.stringify(expected)}, but got ${JSON.stringify(text)}. err=<nil>\n`);
    return 3;
  }
  out('Received expected client data\n');
  return undefined;
}

/** Returns the exit code if the connection is closed. */
async function sendChunks(sink: Connection['sink'], { environment, out }: Invocation, process: Process): Promise<number | undefined> {
  const numberOf = (name: string): number => Number(environment.get(name) ?? 0);
  const [chunks, size] = [numberOf('CHUNKS'), numberOf('CHUNK_SIZE')];
  for (let chunk = 0; chunk < chunks; chunk++) {
    if (chunk > 0) await process.sleep(numberOf('CHUNK_INTERVAL'));
    try {
      await sink.write(new TextEncoder().encode('x'.repeat(size)));
    } catch (error) {
      out(`Expected to write ${size} bytes from client, but wrote 0 instead. err=${errorMessage(error)}\n`);
      return 4;
    }
  }
  return undefined;
}

/**
 * Accepts one connection, compares what the client sends with EXPECTED_CLIENT_DATA, and sends CHUNKS of CHUNK_SIZE bytes, with
 * CHUNK_INTERVAL milliseconds between them. Cf. test/images/agnhost/port-forward-tester.
 */
export const portForwardTester: Applet = (invocation, process) => {
  const { environment, out } = invocation;
  const serve = async ({ source, sink }: Connection): Promise<number> => {
    out('Accepted client connection\n');
    const failed =
      (await receive(environment.get('EXPECTED_CLIENT_DATA') ?? '', source, invocation)) ?? (await sendChunks(sink, invocation, process));
    if (failed !== undefined) return failed;
    out('Shutting down connection\n');
    await sink.close();
    await process.sleep(closeDelayMs);
    out('Done\n');
    return 0;
  };
  const bound = environment.get('BIND_ADDRESS') ?? '';
  const address = bound === '' || bound === 'localhost' ? '127.0.0.1' : bound;
  let isAccepted = false;
  const accept = async (connection: Connection): Promise<void> => {
    // Further connections wait.
    if (isAccepted) return process.ended.then(() => {});
    isAccepted = true;
    const code = await serve(connection).catch((error: unknown) => {
      if (process.signal.aborted) return undefined;
      throw error;
    });
    if (code === undefined) return;
    await connection.sink.close();
    process.end({ code });
  };
  const problem = listen({ port: Number(environment.get('BIND_PORT')), address }, { accept }, process);
  if (problem !== undefined) {
    out(`Error listening: ${problem}\n`);
    return 1;
  }
  return serveForever(process);
};
