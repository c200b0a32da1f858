import { importKeys, type KeySource } from '../../authn/index.ts';
import { type KeySpace, KeySpaceError } from '../../storage/index.ts';

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
    const signing = given.signing ?? (await readStoredKey()) ?? (await createKey());
    return importKeys({ signing, verifying: given.verifying ?? [signing] });
  }

  async function readStoredKey(): Promise<JsonWebKey | undefined> {
    const entry = await storage.get(signingKeyKey);
    return entry && (JSON.parse(entry.value) as JsonWebKey);
  }

  async function createKey(): Promise<JsonWebKey> {
    const key = await create();
    try {
      await storage.commit({ key: signingKeyKey, expected: 'absent', value: JSON.stringify(key) });
      return key;
    } catch (error) {
      // Another server on the same store has created a key.
      const other = error instanceof KeySpaceError && error.code === 'revision-changed' ? await readStoredKey() : undefined;
      if (!other) throw error;
      return other;
    }
  }
}
