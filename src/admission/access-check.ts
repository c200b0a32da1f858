import type { AccessDecision } from '../cel/index.ts';
import type { AdmissionUser } from './admission.ts';

/** The action to authorize. */
export interface CheckedAction {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace: string;
  readonly name: string;
}

/** Authorizes an action of a user; supplied by `cluster`. */
export type AccessCheck = (user: AdmissionUser, action: CheckedAction) => Promise<AccessDecision>;
