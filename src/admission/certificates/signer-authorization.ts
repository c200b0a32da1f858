import type { ApiObject } from '../../meta/index.ts';
import type { AdmissionRequest, AdmissionUser } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';

/** Whether a user may `approve`, `sign` or `attest` for a signer, by name. Supplied by `cluster`. */
export type SignerAuthorizer = (user: AdmissionUser, verb: string, signerName: string) => Promise<boolean>;

/** Checks the signer's name, then its domain: `example.com/*` (upstream IsAuthorizedForSignerName). */
async function isAuthorizedForSigner(rights: SignerAuthorizer, user: AdmissionUser, verb: string, signerName: string): Promise<boolean> {
  if (await rights(user, verb, signerName)) return true;
  const [domain = ''] = signerName.split('/');
  return rights(user, verb, `${domain}/*`);
}

/** @throws StatusError 403; `what` names the denied action in the message */
export async function requireSignerAuthorization(
  request: AdmissionRequest,
  object: ApiObject,
  rights: SignerAuthorizer,
  { verb, signerName, what }: { readonly verb: string; readonly signerName: string; readonly what: string },
): Promise<void> {
  if (await isAuthorizedForSigner(rights, request.user, verb, signerName)) return;
  throw createForbiddenError(request, object, `user not permitted to ${what} signerName ${JSON.stringify(signerName)}`);
}
