import type { JsonObject } from '../../meta/index.ts';
import type { ApiClient } from '../api/client.ts';
import { qualifiedResourceName, resourcePath } from '../api/discovery.ts';
import type { DryRun } from '../printers/printer.ts';
import type { Call } from '../program/command.ts';
import { isStatus, KubectlError } from '../program/errors.ts';
import { type Info, metadataOf, setMetadata } from './info.ts';

export type ObjectReference = Pick<Info, 'resource' | 'namespace'> & { readonly name?: string };

export interface ChangeOptions {
  readonly manager: string;
  readonly dryRun: DryRun;
  /** Undefined where the command has no such flag. */
  readonly validation?: string;
  readonly subresource?: string;
  readonly force?: boolean;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export const patchMediaTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

function changeQuery({ manager, dryRun, validation, force }: ChangeOptions): Record<string, string | undefined> {
  return {
    dryRun: dryRun === 'server' ? 'All' : undefined,
    fieldManager: manager || undefined,
    fieldValidation: validation,
    force: force ? 'true' : undefined,
  };
}

function describeReference({ resource, name }: ObjectReference): { resource: string; name?: string } {
  return { resource: qualifiedResourceName(resource), ...(name === undefined ? {} : { name }) };
}

export async function createObject(call: Call, place: ObjectReference, object: JsonObject, options: ChangeOptions): Promise<JsonObject> {
  const client = await call.api();
  const path = resourcePath(
    place.resource,
    place.namespace,
    options.subresource === undefined ? undefined : place.name,
    options.subresource,
  );
  // The server sets the version.
  const body = metadataOf(object)['resourceVersion'] === undefined ? object : setMetadata(object, { resourceVersion: undefined });
  // In a POST request, only the body has the name.
  return client.read('POST', path, {
    query: changeQuery(options),
    body,
    about: { resource: qualifiedResourceName(place.resource) },
  });
}

export async function patchObject(
  call: Call,
  place: ObjectReference,
  type: PatchType,
  body: string,
  options: ChangeOptions,
): Promise<JsonObject> {
  const client = await call.api();
  const path = resourcePath(place.resource, place.namespace, place.name ?? '', options.subresource);
  return client.read('PATCH', path, {
    query: changeQuery(options),
    body,
    contentType: patchMediaTypes[type],
    about: describeReference(place),
  });
}

export async function replaceObject(call: Call, place: ObjectReference, object: JsonObject, options: ChangeOptions): Promise<JsonObject> {
  const client = await call.api();
  const path = resourcePath(place.resource, place.namespace, place.name ?? '', options.subresource);
  return client.read('PUT', path, { query: changeQuery(options), body: object, about: describeReference(place) });
}

export async function getObject(call: Call, place: ObjectReference, subresource?: string): Promise<JsonObject> {
  const client = await call.api();
  return client.read('GET', resourcePath(place.resource, place.namespace, place.name ?? '', subresource), {
    about: describeReference(place),
  });
}

/** Of an object that was not found, kubectl reports the missing namespace. Cf. cli-runtime Info.Get. @throws StatusError */
export async function requireNamespaceOf(client: ApiClient, namespace: string, error: unknown): Promise<void> {
  if (!isStatus(error, 'NotFound') || namespace === '' || namespace === 'default') return;
  const path = `/api/v1/namespaces/${namespace}`.replace(/\/{2,}/g, '/');
  await client.read('GET', path, { about: { resource: 'namespaces', name: namespace } }).catch((failure: unknown) => {
    if (isStatus(failure, 'NotFound')) throw failure;
  });
}

/** `--validate` as the fieldValidation parameter. @throws KubectlError */
export function parseValidation({ flags }: Call): string {
  switch (flags.text('validate')) {
    case 'strict':
    case 'true':
      return 'Strict';
    case 'warn':
      return 'Warn';
    case 'ignore':
    case 'false':
      return 'Ignore';
    default:
      throw new KubectlError(
        `invalid - validate option ${JSON.stringify(flags.text('validate'))}; must be one of: strict (or true), warn, ignore (or false)`,
      );
  }
}
