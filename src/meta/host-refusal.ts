import type { ApiResponse } from './api-request.ts';

/** What a host says to who asks it for something beside the API that it does not do: a Status, so that clients can show it. */
export function hostRefusal(code: number, message: string): ApiResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code };
  return { status: code, headers: [['content-type', 'application/json']], body: JSON.stringify(status) };
}
