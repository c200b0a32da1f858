import { type ApiObject, bytesToBase64, type Json, type JsonObject, recordAt, setMember } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { KindRow } from '../kind-row.ts';
import { secretWarnings, serviceAccountWarnings } from '../warnings/others.ts';

/** stringData is stored as data; an update without a type retains it. */
export const secret: KindRow = {
  normalize: withStringData,
  create: withStringData,
  update(next, old) {
    const merged = withStringData(next);
    const { type }: Decoded<corev1.Secret> = merged;
    return type ? merged : { ...merged, type: old['type'] };
  },
  warnings: secretWarnings,
};

function withStringData(object: ApiObject): ApiObject {
  const { stringData, ...rest } = object;
  if (stringData === undefined) return object;
  const texts = recordAt(object, 'stringData');
  const keys = Object.keys(texts);
  if (keys.length === 0) return rest as ApiObject;
  // Encoding puts the members in order.
  const data: Record<string, Json> = { ...(recordAt(object, 'data') as Record<string, Json>) };
  for (const key of keys) setMember(data, key, textToBase64(String(texts[key])));
  return { ...rest, data } as ApiObject;
}

const ascii = /^\p{ASCII}*$/u;

function textToBase64(text: string): string {
  return ascii.test(text) ? btoa(text) : bytesToBase64(new TextEncoder().encode(text));
}

/** Only the names of secrets are stored. Cf. upstream cleanSecretReferences. */
export const serviceAccount: KindRow = {
  create: withNamesOnly,
  update: (next) => withNamesOnly(next),
  warnings: serviceAccountWarnings,
};

function withNamesOnly(object: ApiObject): ApiObject {
  const { secrets = [] }: Decoded<corev1.ServiceAccount> = object;
  if (secrets.every((one) => Object.keys(one).every((key) => key === 'name'))) return object;
  return { ...object, secrets: secrets.map(({ name }): JsonObject => (name ? { name } : {})) };
}
