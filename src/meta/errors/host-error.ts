import type { ApiResponse } from '../requests/api-request.ts';

/** A Status response for a request outside the API that the host does not support, so that clients can show the error. */
export function hostErrorResponse(code: number, message: string): ApiResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code };
  return { status: code, headers: [['content-type', 'application/json']], body: JSON.stringify(status) };
}
