import { type ApiObject, bytesToBase64, type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';
import type { KindRow } from '../kind-row.ts';
import { secretWarnings } from '../warnings/others.ts';

/** stringData is stored as data; an update without a type retains it. */
export const secret: KindRow = {
  normalize: withStringData,
  create: withStringData,
  update(next, old) {
    const merged = withStringData(next);
    return textAt(merged, 'type') === '' ? { ...merged, type: old['type'] } : merged;
  },
  warnings: secretWarnings,
};

function withStringData(object: ApiObject): ApiObject {
  const { stringData, ...rest } = object;
  if (stringData === undefined) return object;
  const utf8 = new TextEncoder();
  const encoded = Object.entries(recordAt(object, 'stringData')).map(
    ([key, value]) => [key, bytesToBase64(utf8.encode(String(value)))] as const,
  );
  if (encoded.length === 0) return rest as ApiObject;
  const merged = [...new Map<string, Json | undefined>([...Object.entries(recordAt(object, 'data')), ...encoded])];
  return { ...rest, data: Object.fromEntries(merged.sort(([a], [b]) => (a < b ? -1 : 1))) } as ApiObject;
}

/** Only the names of secrets are stored. Cf. upstream cleanSecretReferences. */
export const serviceAccount: KindRow = { create: withNamesOnly, update: (next) => withNamesOnly(next) };

function withNamesOnly(object: ApiObject): ApiObject {
  const secrets = objectsAt(object, 'secrets');
  if (secrets.every((one) => Object.keys(one).every((key) => key === 'name'))) return object;
  const names: readonly JsonObject[] = secrets.map((one) => (textAt(one, 'name') === '' ? {} : { name: textAt(one, 'name') }));
  return { ...object, secrets: names };
}
