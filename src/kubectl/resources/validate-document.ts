import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import type { Cluster, GroupVersionKind } from '../api/cluster.ts';
import type { ApiResource } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { AggregatedErrors, KubectlError, messageOf } from '../program/errors.ts';
import { logLine } from '../program/log-line.ts';
import { findShapeErrors } from './manifests.ts';

export interface DocumentValidation {
  /** The file. */
  readonly source: string;
  /** The fieldValidation parameter of the request that follows: `Strict`, `Warn`. */
  readonly directive: string;
}

/** Client-side validation: of everything that the server does not validate itself. Cf. kubectl validation paramVerifyingSchema. */
export async function validateDocument(call: Call, cluster: Cluster, value: Json, validation: DocumentValidation): Promise<void> {
  const fail = (why: string): never => {
    throw new KubectlError(
      `error validating ${JSON.stringify(validation.source)}: error validating data: ${why}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  };
  const failWith = (errors: readonly string[]): void => {
    if (errors.length > 0) fail(messageOf(new AggregatedErrors(errors.map((one) => new KubectlError(one)))));
  };
  failWith(findShapeErrors(value));
  const known = await cluster.resources(false, 0).catch((error: unknown) =>
    // kubectl reads the OpenAPI document, not discovery.
    fail(`failed to download openapi: ${messageOf(error).replace('/api?', '/openapi/v2?')}`),
  );
  const object = value as JsonObject;
  const isList = object['kind'] === 'List' && object['apiVersion'] === 'v1';
  // The kind may be newer than the cache.
  const resource = isList ? undefined : (resourceOf(known, object) ?? resourceOf(await cluster.resources(true, 0), object));
  if (resource?.verbs.includes('patch')) return;
  // The OpenAPI document lacks kinds without the patch verb, so kubectl looks for a CustomResourceDefinition.
  if (resource) {
    await cluster.client
      .read('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
      .catch((error: unknown) => fail(`failed to check CRD: failed to list CRDs: ${messageOf(error)}`));
  }
  if (validation.directive !== 'Strict') {
    const why = 'cannot perform warn validation if server-side field validation is unsupported, skipping validation';
    return call.err(logLine(call, 'W', 'schema.go:145', why));
  }
  const { findModelErrors } = await import('./validate-model.ts');
  if (!isList) return failWith(await findModelErrors(cluster, object));
  const { items } = object;
  if (!Array.isArray(items)) return fail('invalid object to validate');
  const errors: string[] = [];
  for (const item of items as readonly Json[]) {
    const shapeErrors = findShapeErrors(item);
    errors.push(...(isJsonObject(item) && shapeErrors.length === 0 ? await findModelErrors(cluster, item) : shapeErrors));
  }
  failWith(errors);
}

function resourceOf(known: readonly ApiResource[], { apiVersion, kind }: JsonObject): ApiResource | undefined {
  const [version = '', group = ''] = String(apiVersion).split('/').reverse();
  return known.find((one) => one.group === group && one.version === version && one.kind === kind);
}

/** Guesses the resource of a kind without discovery; it is used for output only. */
export function guessResource({ group, version, kind }: GroupVersionKind, namespaced: boolean): ApiResource {
  const name = `${kind.toLowerCase()}s`;
  return {
    group,
    version,
    kind,
    name,
    singular: kind.toLowerCase(),
    namespaced,
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [],
    preferred: true,
    guessed: true,
  };
}
