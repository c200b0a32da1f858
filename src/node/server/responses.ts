import type { ApiResponse } from '../../meta/index.ts';

export type Headers = ApiResponse['headers'];

/** Text of which Go finds the type. */
export const plain = (status: number, body: string, headers: Headers = []): ApiResponse => ({
  status,
  headers: [['content-type', 'text/plain; charset=utf-8'], ...headers],
  body,
});

export const nosniff: Headers = [['x-content-type-options', 'nosniff']];
