import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '../../../env/index.ts';
import { createShell } from '../../../kubectl/index.ts';
import { type ProductName, productByName } from '../../../meta/index.ts';
import type { LineStreams } from '../../../shell/index.ts';
import { DiscoveryCache } from './discovery-cache.ts';
import { nodeFiles } from './node-files.ts';
import { programPlugins } from './plugin-host.ts';
import { createServerConnect } from './server-handler.ts';

type LineInput = NonNullable<LineStreams['input']>;

/** `tabplane kubectl …`: the console's kubectl with the files of this machine, for the server of the kubeconfig. */
export async function runKubectl(words: readonly string[], env: Env, signal: AbortSignal): Promise<number> {
  const { names, rest } = parseNames(words);
  const home = homedir();
  const cache = await DiscoveryCache.open(join(process.env['KUBECACHEDIR'] ?? join(home, '.kube/cache'), 'discovery/tabplane.json'), () =>
    env.clock.nowMs(),
  );
  const shell = createShell({
    env,
    files: nodeFiles,
    product: productByName(names),
    connect: createServerConnect(),
    plugins: programPlugins,
    knownResources: cache.known,
    columns: process.stdout.columns ?? 80,
    variables: { ...variables(), HOME: home, PWD: process.cwd() },
  });
  const exit = await shell.run(['kubectl', ...rest].map(quoteArgument).join(' '), {
    signal,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    input: standardInput(),
  });
  await cache.save();
  return exit;
}

/** Parses `--names`, which precedes kubectl's arguments. */
function parseNames(words: readonly string[]): { readonly names: ProductName; readonly rest: readonly string[] } {
  if (words[0] !== '--names') return { names: 'svc', rest: words };
  return { names: words[1] === 'kubernetes' ? 'kubernetes' : 'svc', rest: words.slice(2) };
}

function variables(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Opened on the first read, since a plugin may use standard input itself. */
function standardInput(): LineInput {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  const unread: Uint8Array[] = [];
  return {
    async read() {
      const again = unread.pop();
      if (again) return again;
      chunks ??= process.stdin[Symbol.asyncIterator]();
      const { done, value } = await chunks.next();
      return done === true ? undefined : value;
    },
    unread: (chunk) => void unread.push(chunk),
    close: () => void chunks?.return?.(),
  };
}

/** Quotes an argument for the shell. */
function quoteArgument(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
