import { escapeHtml, JsonSyntaxError, parseJsonBytes } from '../meta/index.ts';

/** Stands for a body that is not JSON, for example YAML of an apply. Upstream cannot encode such an event either. */
export const invalidJson = '';

/** JSON strings, and white space between tokens. */
const parts = /"(?:[^"\\]|\\.)*"|\s+/g;

/** A JSON body with its numbers and order of members unchanged, without white space between tokens. */
export function compactJsonBody(body: Uint8Array): string {
  try {
    parseJsonBytes(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return invalidJson;
    throw error;
  }
  const text = new TextDecoder().decode(body);
  return escapeHtml(text.replace(parts, (part) => (part.startsWith('"') ? part : '')));
}
