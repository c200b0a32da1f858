import { isJsonObject } from '../json/json.ts';
import { base64ToBytes } from '../values/base64.ts';

/** Returns a function that decodes a Secret's values as text; absent keys are empty. */
export function secretDataReader(secret: object): (key: string) => string {
  const { data } = secret as { readonly data?: unknown };
  return (key) => {
    const value = isJsonObject(data) && Object.hasOwn(data, key) ? data[key] : undefined;
    if (typeof value !== 'string') return '';
    return new TextDecoder().decode(base64ToBytes(value));
  };
}
