import type { StorageMediaType } from '../../../cluster/index.ts';
import { FlagError } from '../flags/flag-error.ts';
import { type FlagValues, productOf } from '../flags/flag-values.ts';

/** Before the errors of the real server's first storage, that of the leases of API servers. */
export const storageErrorLead = 'Error creating leases: error creating storage factory:';

/** The etcd flags, with the real server's names. */
export interface EtcdFlags {
  readonly servers: readonly string[];
  readonly caFile: string | undefined;
  readonly identity: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly prefix: string;
  readonly mediaType: StorageMediaType;
  readonly eventTtlSeconds: number;
}

/** Undefined without `--etcd-servers`. @throws FlagError */
export function etcdFlags(flags: FlagValues): EtcdFlags | undefined {
  const servers = flags.list('etcd-servers').filter((server) => server !== '');
  if (servers.length === 0) return undefined;
  const [certFile, keyFile] = [flags.text('etcd-certfile'), flags.text('etcd-keyfile')];
  if ((certFile === '') !== (keyFile === ''))
    throw new FlagError(`${storageErrorLead} KeyFile and CertFile must both be present[key: ${keyFile}, cert: ${certFile}]`);
  return {
    servers: servers.map(withScheme),
    caFile: flags.text('etcd-cafile') || undefined,
    identity: certFile === '' ? undefined : { certFile, keyFile },
    // Normalized: one leading slash, no trailing one.
    prefix: `/${flags.text('etcd-prefix')}`.replace(/\/+/g, '/').replace(/(?<=.)\/$/, ''),
    // `application/yaml` is stored as JSON, which is valid YAML.
    mediaType:
      !flags.isGiven('storage-media-type') || flags.text('storage-media-type') === productOf(flags).names.protobufMediaType
        ? 'application/vnd.kubernetes.protobuf'
        : 'application/json',
    eventTtlSeconds: flags.durationMs('event-ttl') / 1000,
  };
}

/** Adds `http://` to a plain address. @throws FlagError when the address is invalid */
function withScheme(server: string): string {
  const url = /^https?:\/\//.test(server) ? server : `http://${server}`;
  if (!URL.canParse(url)) throw new FlagError('context deadline exceeded');
  return url;
}
