import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prettyJson } from '../../meta/index.ts';
import { byteChunks, jsonChunks, type ListJson, wholeJson } from './body-chunks.ts';

const listOf = (items: Iterable<string>): ListJson => ({ head: '{"kind":"List","metadata":{},"items":[', items, tail: ']}' });

test('chunks form the whole text, compact and indented', async () => {
  const items = fc.array(
    fc.json({ maxDepth: 3 }).map((text) => JSON.stringify({ a: JSON.parse(text), pad: 'x'.repeat(30_000) })),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(items, async (texts) => {
      const [plain, indented]: [string[], string[]] = [[], []];
      for await (const piece of jsonChunks(listOf(texts), false, () => undefined)) plain.push(piece);
      for await (const piece of jsonChunks(listOf(texts), true, () => undefined)) indented.push(piece);
      expect(plain.join('')).toBe(`${wholeJson(listOf(texts))}\n`);
      expect(indented.join('')).toBe(prettyJson(wholeJson(listOf(texts))));
    }),
  );
});

test('encodes no more items than the client reads', async () => {
  let encoded = 0;
  const items = (function* (): Generator<string> {
    for (;;) {
      encoded++;
      yield JSON.stringify('x'.repeat(30_000));
    }
  })();
  const pieces = jsonChunks(listOf(items), false, () => undefined);
  expect((await pieces.next()).done).toBe(false);
  expect(encoded).toBe(3);
  await pieces.return(undefined);
  expect(encoded).toBe(3);
});

test('calls end once, when all bytes are sent or the reader cancels', async () => {
  for (const takesAll of [true, false]) {
    let ends = 0;
    const pieces = byteChunks(new Uint8Array(200_000), () => {
      ends++;
    })[Symbol.asyncIterator]();
    let length = 0;
    for (let next = await pieces.next(); !next.done && (takesAll || length === 0); next = await pieces.next()) length += next.value.length;
    if (!takesAll) await pieces.return?.();
    expect(length).toBeGreaterThan(0);
    if (takesAll) expect(length).toBe(200_000);
    expect(ends).toBe(1);
  }
});
