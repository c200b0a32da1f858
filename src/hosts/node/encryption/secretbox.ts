/** NaCl's secretbox (XSalsa20 and Poly1305), which node:crypto does not have. Cf. golang.org/x/crypto/nacl/secretbox. */

const tagBytes = 16;
const blockBytes = 64;
/** `expand 32-byte k` */
const sigma = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;

/** The tag, followed by the encrypted message. `key` has 32 bytes, `nonce` 24. */
export function sealSecretbox(message: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array {
  const { encrypted, authenticationKey } = applyStream(message, nonce, key);
  const sealed = new Uint8Array(tagBytes + encrypted.length);
  sealed.set(poly1305(encrypted, authenticationKey));
  sealed.set(encrypted, tagBytes);
  return sealed;
}

/** Undefined when the box was changed, or sealed with another key or nonce. */
export function openSecretbox(sealed: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array | undefined {
  if (sealed.length < tagBytes) return undefined;
  const encrypted = sealed.subarray(tagBytes);
  const { encrypted: message, authenticationKey } = applyStream(encrypted, nonce, key);
  const tag = poly1305(encrypted, authenticationKey);
  let difference = 0;
  for (const [index, byte] of tag.entries()) difference |= byte ^ (sealed[index] ?? 0);
  return difference === 0 ? message : undefined;
}

/** The first 32 bytes of the key stream authenticate; the message is combined with those that follow. */
function applyStream(
  message: Uint8Array,
  nonce: Uint8Array,
  key: Uint8Array,
): { readonly encrypted: Uint8Array; readonly authenticationKey: Uint8Array } {
  const words = wordsOf(nonce);
  const subkey = hSalsa20(wordsOf(key), words.slice(0, 4));
  const encrypted = new Uint8Array(message.length);
  let authenticationKey = new Uint8Array();
  for (let counter = 0, from = -32; from < message.length; counter++, from += blockBytes) {
    const block = salsa20Block(subkey, words.slice(4), counter);
    if (counter === 0) authenticationKey = block.slice(0, 32);
    for (let index = Math.max(0, -from); index < blockBytes && from + index < message.length; index++)
      encrypted[from + index] = (message[from + index] ?? 0) ^ (block[index] ?? 0);
  }
  return { encrypted, authenticationKey };
}

function wordsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4, true));
}

/** The state of Salsa20: constants on the diagonal, key, and input. */
function stateOf(key: readonly number[], input: readonly number[]): Uint32Array {
  const [s0, s1, s2, s3] = sigma;
  return Uint32Array.of(s0, ...key.slice(0, 4), s1, ...input, s2, ...key.slice(4), s3);
}

function hSalsa20(key: readonly number[], input: readonly number[]): number[] {
  const mixed = mix(stateOf(key, input));
  return [0, 5, 10, 15, 6, 7, 8, 9].map((index) => mixed[index] ?? 0);
}

function salsa20Block(key: readonly number[], nonce: readonly number[], counter: number): Uint8Array<ArrayBuffer> {
  const state = stateOf(key, [...nonce, counter, 0]);
  const mixed = mix(state);
  const block = new Uint8Array(blockBytes);
  const view = new DataView(block.buffer);
  for (const [index, word] of mixed.entries()) view.setUint32(index * 4, (word + (state[index] ?? 0)) >>> 0, true);
  return block;
}

/** Quarter rounds of a double round: first the columns, then the rows. */
const quarters = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const;

/** The 20 rounds of Salsa20. */
function mix(state: Uint32Array): Uint32Array {
  const x = Uint32Array.from(state);
  const step = (to: number, a: number, b: number, bits: number): void => {
    const sum = ((x[a] ?? 0) + (x[b] ?? 0)) >>> 0;
    x[to] = (x[to] ?? 0) ^ ((sum << bits) | (sum >>> (32 - bits)));
  };
  for (let round = 0; round < 10; round++) {
    for (const [a, b, c, d] of quarters) {
      step(b, a, d, 7);
      step(c, b, a, 9);
      step(d, c, b, 13);
      step(a, d, c, 18);
    }
  }
  return x;
}

const prime = (1n << 130n) - 5n;

function poly1305(message: Uint8Array, key: Uint8Array): Uint8Array {
  const r = littleEndian(key.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn;
  let sum = 0n;
  for (let from = 0; from < message.length; from += 16) {
    const part = message.subarray(from, from + 16);
    sum = ((sum + littleEndian(part) + (1n << BigInt(part.length * 8))) * r) % prime;
  }
  const tag = (sum + littleEndian(key.subarray(16))) & ((1n << 128n) - 1n);
  return Uint8Array.from({ length: 16 }, (_, index) => Number((tag >> BigInt(index * 8)) & 0xffn));
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).reverse().toString('hex')}`);
}
