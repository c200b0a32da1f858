import { identityKey, type ObjectIdentity } from './object-identity.ts';

/** The last identities that were added or looked up, up to a number. Cf. upstream ReferenceCache. */
export class IdentityCache {
  readonly #capacity: number;
  /** In order of use. */
  readonly #keys = new Set<string>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(identity: ObjectIdentity): void {
    this.#use(identityKey(identity));
    const [oldest] = this.#keys;
    if (this.#keys.size > this.#capacity && oldest !== undefined) this.#keys.delete(oldest);
  }

  has(identity: ObjectIdentity): boolean {
    const key = identityKey(identity);
    if (!this.#keys.has(key)) return false;
    this.#use(key);
    return true;
  }

  #use(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
  }
}
