import type { ApiRequest, ApiResponse } from '../meta/index.ts';
import { type Header, uncached } from './response/respond.ts';

export interface OriginPattern {
  test(origin: string): boolean;
}

/** Headers for browsers on every response: CORS and HSTS (cf. k8s.io/apiserver WithCORS, WithHSTS). */
export interface CorsAndHstsOptions {
  /** `--cors-allowed-origins`: origins whose pages may read responses. */
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

export function corsAndHstsHeaders(
  request: ApiRequest,
  { corsAllowedOrigins, strictTransportSecurity }: CorsAndHstsOptions,
): readonly Header[] {
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

/** The response to a CORS preflight request, which is not authenticated. Undefined for all other requests. */
export function corsPreflightResponse(request: ApiRequest, { corsAllowedOrigins }: CorsAndHstsOptions): ApiResponse | undefined {
  if (request.method !== 'OPTIONS' || allowedOrigin(request, corsAllowedOrigins) === undefined) return undefined;
  return { status: 204, headers: [uncached], body: undefined };
}
