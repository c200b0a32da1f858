import type { RequestRecord } from './request-log.ts';

/** A read of the pods that was answered, with what a test says of it. */
export function requestRecord(more: Partial<RequestRecord> = {}): RequestRecord {
  return {
    id: '1',
    source: { kind: 'internal' },
    method: 'GET',
    target: '/api/v1/pods?limit=5',
    startMs: 0,
    requestHeaders: [
      ['authorization', 'Bearer admin-token'],
      ['x-tabplane-attempt-id', '1'],
    ],
    requestBody: '',
    status: 200,
    ms: 1,
    user: '',
    auditId: '',
    responseHeaders: [],
    responseBody: '',
    bytes: 0,
    state: 'done',
    stages: [],
    ...more,
  };
}
