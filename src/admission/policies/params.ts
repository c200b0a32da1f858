import {
  type ApiObject,
  type JsonObject,
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
  recordAt,
  textAt,
} from '../../meta/index.ts';
import type { ObjectSource } from '../object-source.ts';
import type { ParamKind, PolicyBinding } from './policy.ts';

/** The objects of a kind that policies take their parameters from, in the version that they ask for. */
export interface ParamSource extends ObjectSource {
  readonly namespaced: boolean;
}

/** A policy or binding that cannot be used as it stands; the message is the real server's. */
export class PolicyConfigError extends Error {
  override readonly name = 'PolicyConfigError';
}

/** @throws PolicyConfigError when the kind is none that is served */
export function requireParamSource({ apiVersion, kind }: ParamKind, source: ParamSource | undefined): ParamSource {
  if (source) return source;
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new PolicyConfigError(`failed to find resource referenced by paramKind: '${groupVersion}, Kind=${kind}'`);
}

/**
 * The parameters with which a binding has its policy asked, one after the other; undefined stands for none. A policy without a kind of
 * parameters takes none, nor does one whose binding names none. Cf. upstream plugin/policy/generic CollectParams.
 * @throws PolicyConfigError
 */
export async function paramsOf(
  source: ParamSource | undefined,
  { paramRef }: PolicyBinding,
  writeNamespace: string,
): Promise<readonly (ApiObject | undefined)[]> {
  if (!source || !paramRef) return [undefined];
  const found = await selectedParams(source, paramRef, paramNamespace(source, paramRef, writeNamespace));
  if (found.length === 0 && textAt(paramRef, 'parameterNotFoundAction') === 'Deny')
    throw new PolicyConfigError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

/** Parameters of a namespaced kind are those of the written object's namespace, unless the binding names another. */
function paramNamespace({ namespaced }: ParamSource, paramRef: JsonObject, writeNamespace: string): string {
  const named = textAt(paramRef, 'namespace');
  if (!namespaced) {
    if (named !== '') throw new PolicyConfigError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    return '';
  }
  if (named === '' && writeNamespace === '')
    throw new PolicyConfigError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  return named || writeNamespace;
}

async function selectedParams(source: ParamSource, paramRef: JsonObject, namespace: string): Promise<readonly ApiObject[]> {
  const name = textAt(paramRef, 'name');
  if (name !== '') {
    const found = await source.find(namespace, name);
    return found ? [found] : [];
  }
  const selector = labelSelectorRequirements(recordAt(paramRef, 'selector') as LabelSelector);
  return (await source.list(namespace)).filter(({ metadata }) => matchesLabels(selector, metadata.labels ?? {}));
}
