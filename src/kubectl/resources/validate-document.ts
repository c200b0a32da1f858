import type { Json, JsonObject } from '../../meta/index.ts';
import type { Cluster } from '../api/cluster.ts';
import type { ApiResource } from '../api/discovery.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { findShapeError } from './manifests.ts';

/** Client-side validation before the server's. Cf. kubectl's schema validation. */
export async function validateDocument(cluster: Cluster, value: Json, source: string): Promise<void> {
  const fail = (why: string): never => {
    throw new KubectlError(
      `error validating ${JSON.stringify(source)}: error validating data: ${why}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  };
  const shapeError = findShapeError(value);
  if (shapeError !== undefined) fail(shapeError);
  const known = await cluster.resources(false, 0).catch((error: unknown) => fail(`failed to download openapi: ${messageOf(error)}`));
  const { apiVersion, kind } = value as JsonObject;
  const [version = '', group = ''] = String(apiVersion).split('/').reverse();
  const resource = known.find((one) => one.group === group && one.version === version && one.kind === kind);
  // The OpenAPI document lacks kinds without the patch verb, so kubectl looks for a CustomResourceDefinition.
  if (resource && !resource.verbs.includes('patch')) {
    await cluster.client
      .read('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
      .catch((error: unknown) => fail(`failed to check CRD: failed to list CRDs: ${messageOf(error)}`));
  }
}

/** Guesses the resource of a kind without discovery; it is used for output only. */
export function guessResource(group: string, version: string, kind: string): ApiResource {
  const name = `${kind.toLowerCase()}s`;
  return {
    group,
    version,
    kind,
    name,
    singular: kind.toLowerCase(),
    namespaced: false,
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [],
    preferred: true,
  };
}
