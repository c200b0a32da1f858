import { randomBytes } from 'node:crypto';
import { type Env, errorMessage } from '../../../../env/index.ts';
import { aggregateErrors, formatTime } from '../../../../meta/index.ts';
import { type Cipher, createGcmCipher, createSeededGcmCipher, DecryptionError, EncryptionError, seedBytes } from '../ciphers.ts';
import {
  EncryptedObjectError,
  type EncryptedSource,
  keyIdProblem,
  readEncryptedObject,
  sourceProblem,
  sourceTypes,
  writeEncryptedObject,
} from './encrypted-object.ts';
import { hashOf, type KmsMetrics } from './kms-metrics.ts';
import { type KmsPlugin, KmsPluginError, type KmsStatus } from './kms-plugin.ts';

/** The intervals of k8s.io/apiserver server/options/encryptionconfig. */
const healthyIntervalMs = 60_000;
const unhealthyIntervalMs = 10_000;
/** How long the outcome of a check is reused. */
const healthyTtlMs = 20_000;
const unhealthyTtlMs = 3_000;
/** How long values are encrypted with a seed after the last successful check. */
const seedTtlMs = 180_000;

const versions: readonly string[] = ['v2', 'v2beta1'];

/** The seed with which values are encrypted. */
interface WriteKey {
  readonly cipher: Cipher;
  readonly encrypted: EncryptedSource;
  readonly expiresMs: number;
}

interface CheckResult {
  readonly problem: string | undefined;
  readonly atMs: number;
}

export interface KmsProviderOptions {
  readonly name: string;
  readonly plugin: KmsPlugin;
  readonly env: Env;
  readonly metrics: KmsMetrics;
  /** Called when the plugin has decrypted a source that it had not before. */
  readonly onDecodable: () => void;
}

/**
 * Encrypts values with keys of a seed that a KMS v2 plugin has encrypted, and decrypts those of every seed that the plugin can decrypt. A
 * new seed is made at the start, and when the plugin's key id changes. Cf. k8s.io/apiserver storage/value/encrypt/envelope/kmsv2.
 */
export class KmsProvider implements Cipher {
  readonly #name: string;
  readonly #plugin: KmsPlugin;
  readonly #env: Env;
  readonly #metrics: KmsMetrics;
  readonly #onDecodable: () => void;
  /** By the encrypted source. */
  readonly #ciphers = new Map<string, Cipher>();
  readonly #pending = new Map<string, Promise<boolean>>();
  /** Sources that the plugin has not decrypted, with its errors. */
  readonly #failed = new Map<string, { readonly source: EncryptedSource; readonly problem: string }>();
  #writeKey: WriteKey | undefined;
  #version: string | undefined;
  #last: CheckResult | undefined;
  #checks: Promise<unknown> = Promise.resolve();
  #cancelPoll = (): void => {};
  #isClosed = false;

  constructor({ name, plugin, env, metrics, onDecodable }: KmsProviderOptions) {
    this.#name = name;
    this.#plugin = plugin;
    this.#env = env;
    this.#metrics = metrics;
    this.#onDecodable = onDecodable;
  }

  /** Checks the plugin, which need not work yet, and goes on checking it. */
  async start(): Promise<void> {
    await this.#poll();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPoll();
    this.#plugin.close();
  }

  /** Undefined when healthy, else the reason. One check at a time; a recent outcome is reused. */
  check(): Promise<string | undefined> {
    const check = this.#checks.then(() => this.#checkOnce());
    this.#checks = check;
    return check;
  }

  encrypt(plain: Uint8Array, context: string): Uint8Array {
    const key = this.#writeKey;
    if (!key) throw new EncryptionError(noKey);
    const nowMs = this.#env.clock.nowMs();
    if (nowMs > key.expiresMs) {
      const times = `expired at ${formatTime(key.expiresMs)} (current time is ${formatTime(nowMs)})`;
      throw new EncryptionError(`encryptedDEKSource with keyID hash ${JSON.stringify(hashOf(key.encrypted.keyId))} ${times}`);
    }
    this.#metrics.countUse(this.#name, 'to_storage', key.encrypted.keyId, nowMs);
    return writeEncryptedObject({ ...key.encrypted, data: key.cipher.encrypt(plain, context) });
  }

  decrypt(encrypted: Uint8Array, context: string): Uint8Array {
    const object = decode(encrypted);
    if (!this.#writeKey) throw new DecryptionError(noKey);
    const source = identityOf(object);
    const cipher = this.#ciphers.get(source);
    if (!cipher) throw new DecryptionError(this.#failed.get(source)?.problem ?? 'the encryption key was not decrypted');
    this.#metrics.countUse(this.#name, 'from_storage', object.keyId, this.#env.clock.nowMs());
    return cipher.decrypt(object.data, context);
  }

  /** Decrypts the key of a value, unless that was tried before; undefined: it was. */
  prepare(encrypted: Uint8Array): Promise<unknown> | undefined {
    const source = tryDecode(encrypted);
    if (!source) return undefined;
    const identity = identityOf(source);
    return this.#ciphers.has(identity) || this.#failed.has(identity) ? undefined : this.#decryptSource(identity, source);
  }

  keyOf(encrypted: Uint8Array): string {
    const source = tryDecode(encrypted);
    return source ? keyName(source) : '';
  }

  currentKey(): string {
    return this.#writeKey ? keyName(this.#writeKey.encrypted) : '';
  }

  async #poll(): Promise<void> {
    const problem = await this.check();
    if (problem !== undefined) this.#env.log.error('kms plugin failed health check probe', { name: this.#name, error: problem });
    await this.#retryFailed();
    this.#schedulePoll(problem !== undefined || this.#failed.size > 0 ? unhealthyIntervalMs : healthyIntervalMs);
  }

  #schedulePoll(ms: number): void {
    this.#cancelPoll();
    if (!this.#isClosed) this.#cancelPoll = this.#env.clock.schedule(ms, () => void this.#poll());
  }

  async #retryFailed(): Promise<void> {
    const decrypted = await Promise.all([...this.#failed].map(([identity, { source }]) => this.#decryptSource(identity, source)));
    if (decrypted.includes(true)) this.#onDecodable();
  }

  /** One call at a time for a source. Resolves to whether it is decrypted. */
  #decryptSource(identity: string, source: EncryptedSource): Promise<boolean> {
    const pending = this.#pending.get(identity);
    if (pending) return pending;
    const done = this.#requestKey(identity, source).finally(() => this.#pending.delete(identity));
    this.#pending.set(identity, done);
    return done;
  }

  async #requestKey(identity: string, source: EncryptedSource): Promise<boolean> {
    try {
      const key = await this.#timed('Decrypt', () => this.#plugin.decrypt(this.#env.random.uuid(), source));
      this.#addCipher(identity, cipherOf(source, key));
      this.#failed.delete(identity);
      return true;
    } catch (error) {
      const problem = error instanceof DecryptionError ? error.message : `failed to decrypt DEK, error: ${errorMessage(error)}`;
      if (this.#failed.size === 0) this.#schedulePoll(unhealthyIntervalMs);
      this.#failed.set(identity, { source, problem });
      return false;
    }
  }

  async #checkOnce(): Promise<string | undefined> {
    const { clock } = this.#env;
    const last = this.#last;
    if (last && clock.nowMs() - last.atMs < (last.problem === undefined ? healthyTtlMs : unhealthyTtlMs)) return last.problem;
    const finish = (problem: string | undefined): string | undefined => {
      this.#last = { problem, atMs: clock.nowMs() };
      return problem;
    };
    const status = await this.#timed('Status', () => this.#plugin.status()).catch((error: unknown) => errorMessage(error));
    if (typeof status === 'string') {
      // The reused outcome has no context.
      finish(status);
      return `failed to perform status section of the healthz check for KMS Provider ${this.#name}, error: ${status}`;
    }
    const problem = aggregateErrors([...this.#statusProblems(status), await this.#adoptKeyId(status.keyId)]);
    if (problem !== '') return finish(`kmsv2 Provider ${this.#name} is not healthy, error: ${problem}`);
    if (last?.problem !== undefined) await this.#retryFailed();
    return finish(undefined);
  }

  #statusProblems({ healthz, version }: KmsStatus): readonly string[] {
    const problems = healthz === 'ok' ? [] : [`got unexpected healthz status: ${healthz}`];
    if (!versions.includes(version)) return [...problems, `expected KMSv2 API version v2, got ${version}`];
    this.#version ??= version;
    if (this.#version === version) return problems;
    const change = `initial status response version ${this.#version}, got ${version}`;
    return [...problems, `KMSv2 API version should not change after the ${change}`];
  }

  /** Makes a new seed when the key id has changed, else extends the time of the current one. Returns the problem, or an empty text. */
  async #adoptKeyId(keyId: string): Promise<string> {
    const wrong = keyIdProblem(keyId);
    const nowMs = this.#env.clock.nowMs();
    if (wrong) this.#metrics.countInvalidKeyId(this.#name, wrong.code, nowMs);
    else this.#metrics.countStatus(this.#name, keyId, nowMs);
    if (wrong) return `got invalid KMSv2 KeyID hash ${JSON.stringify(hashOf(keyId))}: ${wrong.message}`;
    const expiresMs = nowMs + seedTtlMs;
    const current = this.#writeKey;
    if (current?.encrypted.keyId === keyId) {
      this.#writeKey = { ...current, expiresMs };
      return '';
    }
    const uid = this.#env.random.uuid();
    const seed = randomBytes(seedBytes);
    const made = await this.#encryptSeed(uid, seed);
    const madeKeyId = typeof made === 'string' ? '' : made.keyId;
    if (typeof made !== 'string' && madeKeyId === keyId) {
      this.#writeKey = { cipher: createSeededGcmCipher(seed), encrypted: made, expiresMs };
      this.#addCipher(identityOf(made), this.#writeKey.cipher);
      // Without a key to write, nothing was readable.
      if (!current) this.#onDecodable();
      return '';
    }
    const hashes = [keyId, madeKeyId, current?.encrypted.keyId ?? ''].map((id) => JSON.stringify(hashOf(id)));
    const expiration = current ? formatTime(current.expiresMs) : '0001-01-01T00:00:00Z';
    return (
      `failed to rotate DEK uid=${JSON.stringify(uid)}, useSeed=true, errState=${current ? '<nil>' : noKey}, ` +
      `errGen=${typeof made === 'string' ? made : '<nil>'}, statusKeyIDHash=${hashes[0]}, encryptKeyIDHash=${hashes[1]}, ` +
      `stateKeyIDHash=${hashes[2]}, expirationTimestamp=${expiration}`
    );
  }

  async #timed<T>(method: string, call: () => Promise<T>): Promise<T> {
    const { clock } = this.#env;
    const startMs = clock.monotonicMs();
    const observe = (code: string): void => this.#metrics.observeCall(this.#name, method, code, (clock.monotonicMs() - startMs) / 1000);
    try {
      const result = await call();
      observe('OK');
      return result;
    } catch (error) {
      observe(error instanceof KmsPluginError ? error.code : 'unknown-non-grpc');
      throw error;
    }
  }

  #addCipher(identity: string, cipher: Cipher): void {
    this.#ciphers.set(identity, cipher);
    this.#metrics.setSources(this.#name, this.#ciphers.size);
  }

  /** Returns the problem as a text. */
  async #encryptSeed(uid: string, seed: Uint8Array): Promise<EncryptedSource | string> {
    try {
      const encrypted = { ...(await this.#timed('Encrypt', () => this.#plugin.encrypt(uid, seed))), type: sourceTypes.seed };
      return sourceProblem(encrypted) ?? encrypted;
    } catch (error) {
      return `failed to encrypt DEK, error: ${errorMessage(error)}`;
    }
  }
}

/** The real server's message while it has no seed. */
const noKey = 'got unexpected nil transformer';

const keyName = ({ keyId, type }: EncryptedSource): string => `${keyId}:${type}`;

/** Identifies a source with everything that its decryption depends on. */
function identityOf({ keyId, source, annotations, type }: EncryptedSource): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return JSON.stringify([type, base64(source), keyId, [...annotations].map(([key, value]) => [key, base64(value)]).sort()]);
}

/** @throws DecryptionError */
function cipherOf({ type }: EncryptedSource, key: Uint8Array): Cipher {
  if (type === sourceTypes.seed) {
    if (key.length < seedBytes) throw new DecryptionError(`invalid seed length ${key.length} used for key generation`);
    return createSeededGcmCipher(key);
  }
  if (![16, 24, 32].includes(key.length)) throw new DecryptionError(`crypto/aes: invalid key size ${key.length}`);
  return createGcmCipher(key);
}

/** @throws DecryptionError */
function decode(encrypted: Uint8Array): ReturnType<typeof readEncryptedObject> {
  try {
    return readEncryptedObject(encrypted);
  } catch (error) {
    if (error instanceof EncryptedObjectError) throw new DecryptionError(error.message, { cause: error });
    throw error;
  }
}

/** Undefined: the value is invalid, which decrypting it reports. */
function tryDecode(encrypted: Uint8Array): EncryptedSource | undefined {
  try {
    return readEncryptedObject(encrypted);
  } catch (error) {
    if (error instanceof EncryptedObjectError) return undefined;
    throw error;
  }
}
