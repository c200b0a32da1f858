import type { ApiResponse } from '../meta/index.ts';
import { plain } from './health.ts';

/** What the real server answers as plain text, before it has got to the resource: identity or rights could not be found out. */
export class InternalFailure extends Error {
  override readonly name = 'InternalFailure';
}

export function answerInternalFailure({ message }: InternalFailure, target: string): ApiResponse {
  const text = `Internal Server Error: ${JSON.stringify(target)}: ${message}`;
  return plain(500, `${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n`);
}
