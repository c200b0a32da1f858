import type { ApiResponse } from '../../meta/index.ts';
import { plain } from '../paths/health.ts';

/**
 * A failure before the request is routed, such as a failed authorizer; kube-apiserver answers it as plain text (cf. upstream
 * responsewriters.InternalError).
 */
export class InternalFailure extends Error {
  override readonly name: string = 'InternalFailure';
}

/** The request info cannot be determined from the URL. */
export class UnclearRequest extends InternalFailure {
  override readonly name = 'UnclearRequest';
}

export function answerInternalFailure(error: InternalFailure, target: string): ApiResponse {
  const text = `Internal Server Error: ${JSON.stringify(target)}: ${error.message}`;
  const answer = plain(500, `${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n`);
  // The cache-control header is only set once the request info is known.
  return error instanceof UnclearRequest ? { ...answer, headers: answer.headers.filter(([name]) => name !== 'cache-control') } : answer;
}
