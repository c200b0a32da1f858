import { bytesOfText, textOfBytes } from './text-bytes.ts';

/** Keys that begin with `own` here begin with `stored` in etcd. */
export interface KeyRoot {
  readonly own: string;
  readonly stored: string;
}

export interface KeyLayoutOptions {
  readonly roots: readonly KeyRoot[];
  /** What etcd's keys of request ids begin with. */
  readonly requests: string;
}

/** Which of etcd's keys are ours, and what they are here. */
export class KeyLayout {
  readonly #options: KeyLayoutOptions;

  constructor(options: KeyLayoutOptions) {
    this.#options = options;
  }

  /** First and last key (exclusive) of each part of etcd that is ours. */
  ranges(): readonly { readonly key: Uint8Array; readonly end: Uint8Array }[] {
    return this.#options.roots.map(({ stored }) => ({ key: bytesOfText(stored), end: afterPrefix(bytesOfText(stored)) }));
  }

  stored(key: string): Uint8Array {
    const root = this.#options.roots.find(({ own }) => key.startsWith(own));
    if (!root) throw new Error(`the key ${JSON.stringify(key)} has no place in etcd`);
    return bytesOfText(`${root.stored}${key.slice(root.own.length)}`);
  }

  requestKey(requestId: string): Uint8Array {
    return bytesOfText(`${this.#options.requests}${requestId}`);
  }

  /** What a key of etcd is to us. */
  read(stored: Uint8Array): { readonly key: string } | { readonly requestId: string } | undefined {
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
  // A zero means: to the end of all keys.
  return Uint8Array.of(0);
}
