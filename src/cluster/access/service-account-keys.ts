import { importKeys, type KeySource } from '../../authn/index.ts';
import { type KeySpace, readOrCreate } from '../../storage/index.ts';

/** Storage key outside of the API objects: no request can read it. */
const signingKeyKey = '/tabplane/service-account-key';

/** Configured keys; undefined: the cluster's own. */
export interface ConfiguredKeys {
  readonly signing: JsonWebKey | undefined;
  readonly verifying: readonly JsonWebKey[] | undefined;
}

/** The configured keys, or the cluster's own, which are generated on first use and stored with the cluster. */
export function createServiceAccountKeySource(given: ConfiguredKeys, storage: KeySpace, create: () => Promise<JsonWebKey>): KeySource {
  let keys: ReturnType<KeySource> | undefined;
  return () => {
    keys ??= read().catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };

  async function read(): ReturnType<KeySource> {
    const signing = given.signing ?? (await readOwnKey());
    return importKeys({ signing, verifying: given.verifying ?? [signing] });
  }

  async function readOwnKey(): Promise<JsonWebKey> {
    return JSON.parse(await readOrCreate(storage, signingKeyKey, async () => JSON.stringify(await create()))) as JsonWebKey;
  }
}
