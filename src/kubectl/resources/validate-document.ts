import type { Json, JsonObject } from '../../meta/index.ts';
import type { Cluster } from '../api/cluster.ts';
import type { KnownResource } from '../api/discovery.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { refusalOf } from './manifests.ts';

/** Cf. the validation kubectl does before it leaves the rest to the server. */
export async function validateDocument(cluster: Cluster, value: Json, source: string): Promise<void> {
  const fail = (why: string): never => {
    throw new KubectlError(
      `error validating ${JSON.stringify(source)}: error validating data: ${why}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  };
  const refused = refusalOf(value);
  if (refused !== undefined) fail(refused);
  const known = await cluster.resources(false, 0).catch((error: unknown) => fail(`failed to download openapi: ${messageOf(error)}`));
  const { apiVersion, kind } = value as JsonObject;
  const [version = '', group = ''] = String(apiVersion).split('/').reverse();
  const resource = known.find((one) => one.group === group && one.version === version && one.kind === kind);
  // Kinds that cannot be patched are not found in the OpenAPI document, so kubectl looks for a definition.
  if (resource && !resource.verbs.includes('patch')) {
    await cluster.client
      .read('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
      .catch((error: unknown) => fail(`failed to check CRD: failed to list CRDs: ${messageOf(error)}`));
  }
}

/** Without a server a kind's resource is guessed: it is only shown. */
export function localResource(group: string, version: string, kind: string): KnownResource {
  const name = `${kind.toLowerCase()}s`;
  return {
    group,
    version,
    kind,
    name,
    singular: kind.toLowerCase(),
    namespaced: true,
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [],
    preferred: true,
  };
}
