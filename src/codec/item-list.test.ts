import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, type JsonObject, productByName } from '../meta/index.ts';
import { createCatalog, formatGroupVersion, type Schema } from '../schema/index.ts';
import { writeCbor, writeCborList } from './cbor/index.ts';
import { generatedObjects } from './generated-objects.test-support.ts';
import type { ItemList } from './item-list.ts';
import { createProtobuf } from './protobuf/index.ts';
import { printYaml, printYamlList } from './yaml-print.ts';

const product = productByName('kubernetes');
const catalog = createCatalog(product);
const protobuf = createProtobuf(catalog, product);
const metadata = { resourceVersion: '7', continue: 'x', remainingItemCount: 3 };

const without = (list: JsonObject, member: 'items' | 'rows', items: readonly Json[]): ItemList => ({
  frame: { ...list, [member]: [] },
  member,
  count: items.length,
  items,
});

/** Pauses after every item. */
const pause = (): Promise<void> => Promise.resolve();
const joined = (pieces: readonly Uint8Array[]): Buffer => Buffer.concat(pieces);

test('lists of every kind have the same encoding item by item', { timeout: 120_000 }, async () => {
  for (const { name, versions } of catalog.groups) {
    for (const apiVersion of versions.map((version) => formatGroupVersion({ group: name, version }))) {
      for (const { kind, listKind } of catalog.resourcesOf(apiVersion)) {
        const shape = catalog.kind(apiVersion, kind);
        if (!shape) throw new Error(`no shape of ${kind}`);
        const items: Schema = { form: 'list', items: shape, topology: 'atomic', keys: [], wrapped: false };
        const listShape: Schema = { form: 'map', topology: 'granular', values: items };
        await fc.assert(
          fc.asyncProperty(fc.array(generatedObjects(shape), { maxLength: 3 }), async (objects) => {
            const whole: JsonObject = { kind: listKind, apiVersion, metadata, items: objects };
            const list = without(whole, 'items', objects);
            if (objects.length > 0) expect(joined(await printYamlList(list, pause)).toString()).toBe(printYaml(whole));
            expect(joined(await writeCborList(list, listShape, pause))).toEqual(Buffer.from(writeCbor(whole, listShape)));
            if (!protobuf.supports(apiVersion, listKind)) return;
            expect(joined(await protobuf.encodeList(list, pause))).toEqual(Buffer.from(protobuf.encode(whole)));
          }),
          { numRuns: 5 },
        );
      }
    }
  }
});

test('ignores text that resembles the place of the items', async () => {
  const texts = ['items: []\n', '\nitems: []\n', 'rows: []', '\n\n', 'a\n\n\n', ' \n', '- x', '', 'word '.repeat(40)];
  for (const member of ['items', 'rows'] as const) {
    const items: readonly Json[] = [...texts, {}, [], null, 1.5, { [member]: [] }, ...texts.map((text) => ({ a: text, [text]: [text] }))];
    const whole: JsonObject = {
      a: { items: [], rows: [] },
      columnDefinitions: texts,
      kind: 'Table',
      metadata: { continue: texts[1] ?? '' },
    };
    const list = without(whole, member, items);
    expect(joined(await printYamlList(list, pause)).toString()).toBe(printYaml({ ...whole, [member]: items }));
    expect(joined(await writeCborList(list, undefined, pause))).toEqual(Buffer.from(writeCbor({ ...whole, [member]: items }, undefined)));
  }
});
