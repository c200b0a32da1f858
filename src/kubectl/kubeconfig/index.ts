/** The way of a kubeconfig's current user to the server, for who makes requests of its own beside kubectl. */
import type { Clock } from '../../env/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { Flags } from '../parse/flags.ts';
import { type FileSystem, resolvePath } from '../shell/files.ts';
import { createConfigAccess } from './access.ts';
import { resolveTarget } from './resolve.ts';
import { openWay, type WayOptions } from './way.ts';

export interface UserWayOptions extends Pick<WayOptions, 'connect' | 'host' | 'known'> {
  readonly files: FileSystem;
  readonly file: string;
  readonly clock: Clock;
  readonly product: Product;
}

/** @throws KubectlError */
export async function openUserWay({ files, file, clock, product, ...options }: UserWayOptions): Promise<ApiHandler | undefined> {
  const config = createConfigAccess({ files, path: (path) => resolvePath('/', path), named: file, variable: undefined, home: '/' });
  const flags = new Flags({});
  return openWay({
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
