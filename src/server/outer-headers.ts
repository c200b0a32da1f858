import type { ApiRequest, ApiResponse } from '../meta/index.ts';
import { type Header, uncached } from './respond.ts';

export interface OriginPattern {
  test(origin: string): boolean;
}

/** What every answer tells browsers, whatever it is an answer to. */
export interface OuterHeaders {
  /** `--cors-allowed-origins`: pages of which origins may read answers. */
  readonly corsAllowedOrigins: readonly OriginPattern[];
  /** `--strict-transport-security-directives`. */
  readonly strictTransportSecurity: readonly string[];
}

const crossOrigin: readonly Header[] = [
  ['access-control-allow-methods', 'POST, GET, OPTIONS, PUT, DELETE, PATCH'],
  [
    'access-control-allow-headers',
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  ],
  ['access-control-expose-headers', 'Date'],
  ['access-control-allow-credentials', 'true'],
];

export function outerHeaders(request: ApiRequest, { corsAllowedOrigins, strictTransportSecurity }: OuterHeaders): readonly Header[] {
  const origin = allowedOrigin(request, corsAllowedOrigins);
  return [
    ...(strictTransportSecurity.length > 0 ? [['strict-transport-security', strictTransportSecurity.join('; ')] as const] : []),
    ...(origin === undefined ? [] : [['access-control-allow-origin', origin] as const, ...crossOrigin]),
  ];
}

function allowedOrigin({ headers }: ApiRequest, allowed: readonly OriginPattern[]): string | undefined {
  const origin = headers.get('origin') ?? '';
  return origin !== '' && allowed.some((pattern) => pattern.test(origin)) ? origin : undefined;
}

/** What a browser asks before it lets a page ask: answered before anybody is asked who they are. Undefined for all else. */
export function preflightAnswer(request: ApiRequest, { corsAllowedOrigins }: OuterHeaders): ApiResponse | undefined {
  if (request.method !== 'OPTIONS' || allowedOrigin(request, corsAllowedOrigins) === undefined) return undefined;
  return { status: 204, headers: [uncached], body: undefined };
}
