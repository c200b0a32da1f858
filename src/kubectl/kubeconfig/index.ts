/** Transport to the server with the credentials of a kubeconfig's current user, for clients beside kubectl. */
import type { Clock } from '../../env/index.ts';
import { type ApiHandler, base64ToBytes, type Product, textAt, withHeaders } from '../../meta/index.ts';
import { type FileSystem, resolvePath } from '../../shell/index.ts';
import { Flags } from '../parse/flags.ts';
import { KubectlError } from '../program/errors.ts';
import { createConfigAccess } from './access.ts';
import { authenticationHeaders, resolveTarget, type Target } from './resolve-target.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface UserTransportOptions extends Pick<TransportOptions, 'connect' | 'host' | 'known'> {
  readonly files: FileSystem;
  readonly file: string;
  readonly clock: Clock;
  readonly product: Product;
}

/** The API with the TLS settings and credential plugin of the user; other credentials are not added. @throws KubectlError */
export async function createUserTransport(options: UserTransportOptions): Promise<ApiHandler | undefined> {
  return (await openTarget(options, 'load')).transport;
}

/** The server of a kubeconfig. */
export interface UserApi {
  /** The API with all credentials of the current user. */
  readonly api: ApiHandler;
  /** PEM of the embedded authority of the server (`certificate-authority-data`). */
  readonly authority: string | undefined;
}

/** @throws KubectlError */
export async function createUserApi(options: UserTransportOptions): Promise<UserApi> {
  const { transport, target, flags } = await openTarget(options, 'loadPresent');
  if (!transport) throw new KubectlError(`the server ${target.server} is out of reach`);
  const prefix = new URL(target.server).pathname.replace(/\/$/, '');
  const api = withHeaders(transport, Object.entries(authenticationHeaders(target, flags)));
  const data = textAt(target.cluster, 'certificate-authority-data');
  return {
    api: prefix === '' ? api : (request) => api({ ...request, target: prefix + request.target }),
    authority: data === '' ? undefined : new TextDecoder().decode(base64ToBytes(data)),
  };
}

interface OpenTarget {
  readonly target: Target;
  readonly flags: Flags;
  readonly transport: ApiHandler | undefined;
}

async function openTarget(
  { files, file, clock, product, ...options }: UserTransportOptions,
  load: 'load' | 'loadPresent',
): Promise<OpenTarget> {
  const config = createConfigAccess({ files, path: (path) => resolvePath('/', path), named: file, variable: undefined, home: '/' });
  const flags = new Flags({});
  const target = resolveTarget(await config[load](), flags);
  const transport = await createTransport({
    ...options,
    files,
    config,
    flags,
    target,
    clock,
    rename: (text) => product.rename(text),
    stdinUsed: '',
    onRefreshFailed: () => undefined,
  });
  return { target, flags, transport };
}
