import { JsonSyntaxError, parseJsonBytes, withEscapedHtml } from '../meta/index.ts';

/** What is no JSON, for instance an apply in YAML: an event that would hold it cannot be written, nor can the real server's. */
export const unwritable = '';

/** Texts, and what is between them. */
const parts = /"(?:[^"\\]|\\.)*"|\s+/g;

/** A body of JSON as it was written, numbers and order too, without the white space around. */
export function bodyText(body: Uint8Array): string {
  try {
    parseJsonBytes(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return unwritable;
    throw error;
  }
  const text = new TextDecoder().decode(body);
  return withEscapedHtml(text.replace(parts, (part) => (part.startsWith('"') ? part : '')));
}
