import { msg, str } from '@lit/localize';
import { isJsonObject } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { createClient } from './api.ts';

export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  /** The reason from the server, often empty. */
  readonly reason: string;
}

/** Reviews the access of the current identity. Returns allowed when the review fails: the request itself then decides. */
export async function reviewSelfAccess(model: ConsoleModel, attributes: ResourceAttributes, signal?: AbortSignal): Promise<AccessDecision> {
  const group = model.product.rename('authorization.k8s.io');
  const body = {
    apiVersion: `${group}/v1`,
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: attributes },
  };
  try {
    const client = createClient(model, signal === undefined ? {} : { signal });
    const { status } = await client.read('POST', `/apis/${group}/v1/selfsubjectaccessreviews`, { body });
    if (!isJsonObject(status)) return { allowed: true, reason: '' };
    return { allowed: status['allowed'] === true, reason: String(status['reason'] ?? '') };
  } catch {
    return { allowed: true, reason: '' };
  }
}

/** The description of a disabled control. */
export function deniedText(user: string, { verb, resource, group, namespace }: ResourceAttributes): string {
  const type = group === '' ? resource : `${resource}.${group}`;
  return namespace === '' ? msg(str`${user} cannot ${verb} ${type}.`) : msg(str`${user} cannot ${verb} ${type} in ${namespace}.`);
}
