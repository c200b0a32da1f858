import type { ApiResponse } from '../meta/index.ts';
import { plain } from './health.ts';

/** What the real server answers as plain text, before it has got to the resource: identity or rights could not be found out. */
export class InternalFailure extends Error {
  override readonly name: string = 'InternalFailure';
}

/** A request of which it cannot even be told what it is about. */
export class UnclearRequest extends InternalFailure {
  override readonly name = 'UnclearRequest';
}

export function answerInternalFailure(error: InternalFailure, target: string): ApiResponse {
  const text = `Internal Server Error: ${JSON.stringify(target)}: ${error.message}`;
  const answer = plain(500, `${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n`);
  // That answers are not to be kept is said only once a request is understood.
  return error instanceof UnclearRequest ? { ...answer, headers: answer.headers.filter(([name]) => name !== 'cache-control') } : answer;
}
