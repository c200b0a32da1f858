import { bytesOfText, textOfBytes } from './wtf8.ts';

/** Maps the key prefix `own` of the key space to the key prefix `stored` in etcd. */
export interface KeyPrefixMapping {
  readonly own: string;
  readonly stored: string;
}

export interface KeyLayoutOptions {
  readonly roots: readonly KeyPrefixMapping[];
  /** Prefix of the etcd keys that record request ids. */
  readonly requests: string;
}

/** Maps keys of the key space to keys of etcd. */
export class KeyLayout {
  readonly #options: KeyLayoutOptions;

  constructor(options: KeyLayoutOptions) {
    this.#options = options;
  }

  /** The etcd key ranges of this key space, with exclusive ends. */
  ranges(): readonly { readonly key: Uint8Array; readonly end: Uint8Array }[] {
    return this.#options.roots.map(({ stored }) => ({ key: bytesOfText(stored), end: afterPrefix(bytesOfText(stored)) }));
  }

  etcdKeyOf(key: string): Uint8Array {
    const root = this.#options.roots.find(({ own }) => key.startsWith(own));
    if (!root) throw new Error(`the key ${JSON.stringify(key)} has no place in etcd`);
    return bytesOfText(`${root.stored}${key.slice(root.own.length)}`);
  }

  requestKey(requestId: string): Uint8Array {
    return bytesOfText(`${this.#options.requests}${requestId}`);
  }

  /** Parses a key of etcd; undefined for keys outside of this key space. */
  parse(stored: Uint8Array): { readonly key: string } | { readonly requestId: string } | undefined {
    const text = textOfBytes(stored);
    const { requests, roots } = this.#options;
    if (text.startsWith(requests)) return { requestId: text.slice(requests.length) };
    const root = roots.find((each) => text.startsWith(each.stored));
    return root && { key: `${root.own}${text.slice(root.stored.length)}` };
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
