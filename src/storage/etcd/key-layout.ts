import { decodeWtf8, encodeWtf8 } from './wtf8.ts';

/** Maps the key prefix `own` of the key space to the key prefix `stored` in etcd. */
export interface KeyPrefixMapping {
  readonly prefix: string;
  readonly etcdPrefix: string;
}

export interface KeyLayoutOptions {
  readonly prefixes: readonly KeyPrefixMapping[];
  /** Prefix of the etcd keys that record request ids. */
  readonly requestPrefix: string;
}

/** Maps keys of the key space to keys of etcd. */
export class KeyLayout {
  readonly #options: KeyLayoutOptions;

  constructor(options: KeyLayoutOptions) {
    this.#options = options;
  }

  /** The etcd key ranges of this key space, with exclusive ends. */
  ranges(): readonly { readonly key: Uint8Array; readonly end: Uint8Array }[] {
    return this.#options.prefixes.map(({ etcdPrefix: stored }) => ({ key: encodeWtf8(stored), end: afterPrefix(encodeWtf8(stored)) }));
  }

  etcdKeyOf(key: string): Uint8Array {
    const root = this.#options.prefixes.find(({ prefix: own }) => key.startsWith(own));
    if (!root) throw new Error(`the key ${JSON.stringify(key)} has no place in etcd`);
    return encodeWtf8(`${root.etcdPrefix}${key.slice(root.prefix.length)}`);
  }

  requestKey(requestId: string): Uint8Array {
    return encodeWtf8(`${this.#options.requestPrefix}${requestId}`);
  }

  /** Parses a key of etcd; undefined for keys outside of this key space. */
  parse(stored: Uint8Array): { readonly key: string } | { readonly requestId: string } | undefined {
    const text = decodeWtf8(stored);
    const { requestPrefix: requests, prefixes: roots } = this.#options;
    if (text.startsWith(requests)) return { requestId: text.slice(requests.length) };
    const root = roots.find((each) => text.startsWith(each.etcdPrefix));
    return root && { key: `${root.prefix}${text.slice(root.etcdPrefix.length)}` };
  }
}

/** The first key after all that begin with `prefix`. */
function afterPrefix(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice();
  for (let at = end.length - 1; at >= 0; at--) {
    const byte = end[at] ?? 0;
    if (byte === 0xff) continue;
    end[at] = byte + 1;
    return end.slice(0, at + 1);
  }
  // In etcd, the range end "\0" means all keys from the first one on.
  return Uint8Array.of(0);
}
