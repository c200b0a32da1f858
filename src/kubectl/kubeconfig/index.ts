/** Transport to the server with the credentials of a kubeconfig's current user, for clients beside kubectl. */
import type { Clock } from '../../env/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { type FileSystem, resolvePath } from '../../shell/index.ts';
import { Flags } from '../parse/flags.ts';
import { createConfigAccess } from './access.ts';
import { resolveTarget } from './resolve-target.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface UserTransportOptions extends Pick<TransportOptions, 'connect' | 'host' | 'known'> {
  readonly files: FileSystem;
  readonly file: string;
  readonly clock: Clock;
  readonly product: Product;
}

/** @throws KubectlError */
export async function createUserTransport({
  files,
  file,
  clock,
  product,
  ...options
}: UserTransportOptions): Promise<ApiHandler | undefined> {
  const config = createConfigAccess({ files, path: (path) => resolvePath('/', path), named: file, variable: undefined, home: '/' });
  const flags = new Flags({});
  return createTransport({
    ...options,
    files,
    config,
    flags,
    target: resolveTarget(await config.load(), flags),
    clock,
    rename: (text) => product.rename(text),
    stdinUsed: '',
    onRefreshFailed: () => undefined,
  });
}
