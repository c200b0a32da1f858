import { msg } from '@lit/localize';
import type { ApiResource } from '../../../kubectl/index.ts';
import { isJsonObject, type JsonObject } from '../../../meta/index.ts';
import { fieldManager } from '../api.ts';
import type { KindSchema } from '../editor/schema-source.ts';
import { omitServerFields } from '../object/omit-fields.ts';
import { objectPath } from '../object-path.ts';
import type { ExplorePlace } from '../place.ts';
import { buildApplyConfiguration } from './apply-configuration.ts';
import { diffObjects, toJsonPatch } from './changes.ts';

export type Strategy = 'apply' | 'patch' | 'replace' | 'create';

export const strategies = (): readonly (readonly [Strategy, name: string, about: string])[] => [
  ['patch', msg('Patch', { desc: 'a way to save' }), msg('only your changes; fails if someone changed them meanwhile')],
  ['apply', msg('Server-side apply'), msg('the fields you changed; you become their owner, conflicts with other owners are reported')],
  ['replace', msg('Replace', { desc: 'a way to save' }), msg('the whole object; fails if someone changed it meanwhile')],
  ['create', msg('Create a copy'), msg('as a separate object')],
];

/** The objects of a save: the base, the edited one, and the live one. */
export interface SaveContext {
  readonly type: ApiResource;
  readonly place: ExplorePlace;
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly live: JsonObject;
  readonly schema: KindSchema | undefined;
  /** Takes fields from their owners (`force=true`). */
  readonly force: boolean;
}

export interface SaveRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly contentType: string;
  readonly query: Readonly<Record<string, string>>;
}

export function createSaveRequest(strategy: Strategy, saving: SaveContext): SaveRequest {
  const { base, mine, live, place, schema, force } = saving;
  const path = objectPath(place);
  const query = { fieldManager, fieldValidation: 'Strict' };
  const changes = diffObjects(omitServerFields(base), omitServerFields(mine));
  switch (strategy) {
    case 'apply': {
      const body = buildApplyConfiguration({ mine, live, changes, manager: fieldManager, schema });
      return {
        method: 'PATCH',
        path,
        body,
        contentType: 'application/apply-patch+yaml',
        query: force ? { ...query, force: 'true' } : query,
      };
    }
    case 'patch':
      return { method: 'PATCH', path, body: toJsonPatch(changes, base), contentType: 'application/json-patch+json', query };
    case 'replace':
      return { method: 'PUT', path, body: mine, contentType: 'application/json', query };
    case 'create': {
      const namespace = place.namespace === '' ? '' : String(metadataOf(mine)['namespace'] ?? place.namespace);
      return {
        method: 'POST',
        path: objectPath({ ...place, namespace, name: '' }),
        body: omitServerFields(mine),
        contentType: 'application/json',
        query,
      };
    }
    default:
      return strategy satisfies never;
  }
}

/** Whether the edited object has another name or namespace. */
export function isRenamed({ base, mine }: Pick<SaveContext, 'base' | 'mine'>): boolean {
  const [before, after] = [metadataOf(base), metadataOf(mine)];
  return before['name'] !== after['name'] || (after['namespace'] !== undefined && before['namespace'] !== after['namespace']);
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}
