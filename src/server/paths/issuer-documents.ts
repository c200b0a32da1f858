import { routeProduces } from '../../codec/index.ts';
import { type ApiRequest, type ApiResponse, methodNotAllowed, StatusError } from '../../meta/index.ts';
import type { ServerDependencies } from '../server-dependencies.ts';

interface IssuerDocument {
  readonly mediaType: string;
  read(server: ServerDependencies): Promise<string | undefined>;
}

/** OpenID Connect Discovery documents, for verifying service account tokens. */
const documents: Readonly<Record<string, IssuerDocument>> = {
  '/.well-known/openid-configuration': { mediaType: 'application/json', read: ({ issuer }) => issuer.configuration() },
  '/openid/v1/jwks': { mediaType: 'application/jwk-set+json', read: ({ issuer }) => issuer.keySet() },
};

export const issuerDocumentPaths: readonly string[] = Object.keys(documents);

/** Undefined when the path is no issuer document, or the issuer serves none. @throws StatusError 405, 406 */
export async function answerIssuerDocument(
  server: ServerDependencies,
  request: ApiRequest,
  path: string,
): Promise<ApiResponse | undefined> {
  const document = Object.hasOwn(documents, path) ? documents[path] : undefined;
  const body = await document?.read(server);
  if (!document || body === undefined) return undefined;
  if (request.method !== 'GET') throw methodNotAllowed();
  const { mediaType } = document;
  if (!routeProduces(request.headers.get('accept') ?? undefined, [mediaType]))
    throw new StatusError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${mediaType}`, {});
  const headers = [
    ['content-type', mediaType],
    ['cache-control', 'public, max-age=3600'],
  ] as const;
  return { status: 200, headers, body };
}
