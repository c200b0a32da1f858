import { type ApiObject, type LabelSelector, labelSelectorRequirements, matchesLabels } from '../../meta/index.ts';
import type { ObjectSource } from '../object-source.ts';
import type { ParamKind, ParamRef, PolicyBinding } from './policy.ts';

/** Parameter objects of one kind, in the version of the policy's paramKind. */
export interface ParamSource extends ObjectSource {
  readonly namespaced: boolean;
}

/** An invalid policy or binding; the message is upstream's. */
export class PolicyConfigError extends Error {
  override readonly name = 'PolicyConfigError';
}

/** @throws PolicyConfigError when the kind is not served */
export function requireParamSource({ apiVersion, kind }: ParamKind, source: ParamSource | undefined): ParamSource {
  if (source) return source;
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new PolicyConfigError(`failed to find resource referenced by paramKind: '${groupVersion}, Kind=${kind}'`);
}

/**
 * The parameters of a binding; the policy is evaluated once for each. A single undefined stands for no parameter: the policy has no
 * paramKind, or the binding no paramRef. Cf. upstream plugin/policy/generic CollectParams.
 * @throws PolicyConfigError
 */
export async function collectParams(
  source: ParamSource | undefined,
  { paramRef }: PolicyBinding,
  writeNamespace: string,
): Promise<readonly (ApiObject | undefined)[]> {
  if (!source || !paramRef) return [undefined];
  const found = await selectParams(source, paramRef, paramNamespace(source, paramRef, writeNamespace));
  if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
    throw new PolicyConfigError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

/** The namespace of the parameters: the binding's, or else that of the written object. */
function paramNamespace({ namespaced }: ParamSource, { namespace: named = '' }: ParamRef, writeNamespace: string): string {
  if (!namespaced) {
    if (named !== '') throw new PolicyConfigError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    return '';
  }
  if (named === '' && writeNamespace === '')
    throw new PolicyConfigError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  return named || writeNamespace;
}

async function selectParams(
  source: ParamSource,
  { name, selector: labelSelector = {} }: ParamRef,
  namespace: string,
): Promise<readonly ApiObject[]> {
  if (name) {
    const found = await source.find(namespace, name);
    return found ? [found] : [];
  }
  const selector = labelSelectorRequirements(labelSelector as LabelSelector);
  return (await source.list(namespace)).filter(({ metadata }) => matchesLabels(selector, metadata.labels ?? {}));
}
