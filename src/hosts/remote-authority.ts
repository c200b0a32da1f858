import { type ApiClient, hasStatus } from '../client/index.ts';
import type { CertificateAuthority, CertificateOrder, CertificateRequest } from '../cluster/index.ts';
import { errorMessage, type Log } from '../env/index.ts';
import { type ApiHandler, type ApiResponse, hostErrorResponse } from '../meta/index.ts';
import { X509Error } from '../x509/index.ts';
import { adminToken } from './browser/users.ts';

/** Path at which controllers in another thread use the CA, whose key remains in the thread of the API server. */
const authorityPath = '/~certificate-authority';

/** The request in PEM, to be described or to be signed; without one, a certificate for the Service of the API server is created. */
type AuthorityCall = Partial<Pick<CertificateOrder, 'request'>> | CertificateOrder;

/** The CA of a cluster in another thread. */
export interface RemoteAuthority extends CertificateAuthority {
  /** A certificate with which pods reach the API server, in PEM; undefined: the cluster has no CA. */
  servingCertificate(): Promise<string | undefined>;
}

/** Handles requests of the administrator to the CA, and passes all others to `next`. */
export function wrapAuthorityHandler(authority: RemoteAuthority, next: ApiHandler, log: Log): ApiHandler {
  return async (request) => {
    if (request.target !== authorityPath) return next(request);
    if (request.headers.get('authorization') !== `Bearer ${adminToken}`) return hostErrorResponse(403, 'only the administrator has access');
    try {
      const call = JSON.parse(new TextDecoder().decode(request.body)) as AuthorityCall;
      return jsonResponse(await answer(authority, call));
    } catch (error) {
      if (error instanceof X509Error || error instanceof SyntaxError) return hostErrorResponse(400, error.message);
      log.error('certificate authority failed', { error });
      return hostErrorResponse(500, errorMessage(error));
    }
  };
}

async function answer(authority: RemoteAuthority, call: AuthorityCall): Promise<object> {
  if ('usages' in call) return { certificate: await authority.sign(call) };
  if (call.request === undefined) return { certificate: await authority.servingCertificate() };
  return authority.readRequest(call.request);
}

/** The CA of the cluster that `client` connects to as the administrator. */
export function createRemoteAuthority(client: ApiClient): RemoteAuthority {
  const send = (call: AuthorityCall): Promise<object> => client.send('POST', authorityPath, { body: call });
  const certificateOf = async (call: AuthorityCall): Promise<string> =>
    ((await send(call)) as { readonly certificate: string }).certificate;
  return {
    readRequest: async (request) => (await send({ request })) as CertificateRequest,
    sign: certificateOf,
    async servingCertificate() {
      try {
        return await certificateOf({});
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        throw error;
      }
    },
  };
}

function jsonResponse(content: object): ApiResponse {
  return { status: 200, headers: [['content-type', 'application/json']], body: JSON.stringify(content) };
}
