import { isJsonObject, type JsonObject, objectsAt, textAt } from '../../meta/index.ts';
import { baseName } from '../../shell/index.ts';
import { KubectlError } from '../program/errors.ts';
import { requireKind } from './field-specs.ts';
import { unmarshalText } from './go-structs.ts';
import type { Configure } from './plugin.ts';
import { updateAt } from './replacements.ts';
import type { Resource } from './resource.ts';
import type { ResourceSet } from './resource-set.ts';
import { readSourceText } from './source-files.ts';
import { placeObject } from './transformers.ts';

/** Sets fields to a value, by default the name of the directory, or inserts it into paths. Cf. kustomize ValueAddTransformer. */
export const valueAddTransformer: Configure = async (folder, config) => {
  const value = textAt(config, 'value').trim() || baseName(folder.root);
  const path = textAt(config, 'targetFilePath');
  const further = path === '' ? {} : unmarshalText('builtins.ValueAddTargets', await readSourceText(folder, path));
  const targets = [...objectsAt(config, 'targets'), ...objectsAt(further, 'targets')];
  if (targets.length === 0) throw new KubectlError('must specify at least one target');
  targets.forEach(checkTarget);
  return (set) => {
    for (const target of targets) {
      const { selector } = target;
      for (const resource of isJsonObject(selector) ? set.select(selector) : set.resources) addValue(set, resource, { target, value });
    }
  };
};

function positionOf(target: JsonObject): number {
  return Number(target['filePathPosition'] ?? 0);
}

function checkTarget(target: JsonObject): void {
  const position = positionOf(target);
  if (textAt(target, 'fieldPath') === '') throw new KubectlError('fieldPath cannot be empty');
  if (position < 0) throw new KubectlError(`value of FilePathPosition (${position}) cannot be negative`);
}

interface Addition {
  readonly target: JsonObject;
  readonly value: string;
}

function addValue(set: ResourceSet, resource: Resource, { target, value }: Addition): void {
  const path = textAt(target, 'fieldPath');
  if (path === 'metadata/namespace') {
    resource.object = placeObject(set, resource, { namespace: value, mode: 'defaultOnly', specs: [], unsetOnly: false });
    return;
  }
  const position = positionOf(target);
  const parts = path.split(/(?<!\\)\//).map((part) => part.replaceAll('\\/', '/'));
  const change = (before = null as Parameters<typeof requireKind>[0]): string => {
    requireKind(before, 'scalar');
    return position > 0 ? insertPathPart(String(before ?? ''), position - 1, value) : value;
  };
  resource.object = updateAt(resource.object, parts, change, true) as JsonObject;
}

/** Inserts a part at a position, or at the end; an absolute path stays one. */
function insertPathPart(path: string, position: number, part: string): string {
  const isAbsolute = path.startsWith('/');
  const parts = path.split('/').filter((one) => one !== '');
  return (isAbsolute ? '/' : '') + parts.toSpliced(position, 0, part).join('/');
}
