import { expect, test } from 'vitest';
import { openSecretbox, sealSecretbox } from './secretbox.ts';

const key = Uint8Array.from({ length: 32 }, (_, index) => index * 7 + 1);
const nonce = Uint8Array.from({ length: 24 }, (_, index) => index * 3 + 2);

/** Made with golang.org/x/crypto/nacl/secretbox: the message has the bytes 0, 1, 2 and so on. */
const sealed: Readonly<Record<number, string>> = {
  0: '17a938bfa1c58a8300d6af5c4eb1fd3a',
  1: 'aa29432c4ace07bbb372096948ad5f24d4',
  31: '94d4aa8802dcfe5c2dc0748f22834f31d4e65ab796913f763191e8a45c29e88ea32bfa40e2efc1d19f422bedbcfbe0',
  32: '853a6bc7b5b49283dafa53cc015042b9d4e65ab796913f763191e8a45c29e88ea32bfa40e2efc1d19f422bedbcfbe02d',
  33: 'b9dec4a72e50ff07639f5a1e4059241dd4e65ab796913f763191e8a45c29e88ea32bfa40e2efc1d19f422bedbcfbe02dcc',
  100: 'a1f151dad7f4e9199097c740948fe18cd4e65ab796913f763191e8a45c29e88ea32bfa40e2efc1d19f422bedbcfbe02dccc53eedb81f1e429dfbc991c6f6c941a9c1baa2810f4c8823b1d4cf6f699906305dbbe98ba81fa69710381b536c86a706299f8eb86bd0d8e212876b3d82639e8c556b73',
};

test.each(Object.entries(sealed))('seals a message of %s bytes as Go does', (length, expected) => {
  const message = Uint8Array.from({ length: Number(length) }, (_, index) => index);
  const box = sealSecretbox(message, nonce, key);
  expect(Buffer.from(box).toString('hex')).toBe(expected);
  expect(openSecretbox(box, nonce, key)).toEqual(message);
});

test('does not open a box that was changed', () => {
  const box = sealSecretbox(Uint8Array.of(1, 2, 3), nonce, key);
  box[17] = (box[17] ?? 0) ^ 1;
  expect(openSecretbox(box, nonce, key)).toBeUndefined();
});
