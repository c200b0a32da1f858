import type { RequestRecord } from './request-log.ts';

/** A completed list of pods, with overrides. */
export function createRequestRecord(overrides: Partial<RequestRecord> = {}): RequestRecord {
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
    ...overrides,
  };
}
