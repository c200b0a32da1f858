import type { JsonObject } from '../../meta/index.ts';
import { pathOf, qualifiedResource } from '../api/discovery.ts';
import type { DryRun } from '../printers/printer.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import type { Info } from './info.ts';

export type Place = Pick<Info, 'resource' | 'namespace'> & { readonly name?: string };

export interface ChangeOptions {
  readonly manager: string;
  readonly dryRun: DryRun;
  /** Undefined where a command does not say. */
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

function queryOf({ manager, dryRun, validation, force }: ChangeOptions): Record<string, string | undefined> {
  return {
    dryRun: dryRun === 'server' ? 'All' : undefined,
    fieldManager: manager || undefined,
    fieldValidation: validation,
    force: force ? 'true' : undefined,
  };
}

function aboutOf({ resource, name }: Place): { resource: string; name?: string } {
  return { resource: qualifiedResource(resource), ...(name === undefined ? {} : { name }) };
}

export async function createOn(call: Call, place: Place, object: JsonObject, options: ChangeOptions): Promise<JsonObject> {
  const client = await call.api();
  const path = pathOf(place.resource, place.namespace, options.subresource === undefined ? undefined : place.name, options.subresource);
  // What is posted has its name in the body only.
  return client.read('POST', path, { query: queryOf(options), body: object, about: { resource: qualifiedResource(place.resource) } });
}

export async function patchOn(call: Call, place: Place, type: PatchType, body: string, options: ChangeOptions): Promise<JsonObject> {
  const client = await call.api();
  const path = pathOf(place.resource, place.namespace, place.name ?? '', options.subresource);
  return client.read('PATCH', path, { query: queryOf(options), body, contentType: patchMediaTypes[type], about: aboutOf(place) });
}

export async function replaceOn(call: Call, place: Place, object: JsonObject, options: ChangeOptions): Promise<JsonObject> {
  const client = await call.api();
  const path = pathOf(place.resource, place.namespace, place.name ?? '', options.subresource);
  return client.read('PUT', path, { query: queryOf(options), body: object, about: aboutOf(place) });
}

export async function getFrom(call: Call, place: Place, subresource?: string): Promise<JsonObject> {
  const client = await call.api();
  return client.read('GET', pathOf(place.resource, place.namespace, place.name ?? '', subresource), { about: aboutOf(place) });
}

/** `--validate` as the server's fieldValidation. @throws KubectlError */
export function validationOf({ flags }: Call): string {
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
