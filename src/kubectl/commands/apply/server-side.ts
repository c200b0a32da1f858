import { isJsonObject, type Json, type JsonObject, ownMember, setMember } from '../../../meta/index.ts';
import { compactJson } from '../../printers/json.ts';
import type { Call } from '../../program/command.ts';
import { isStatus, KubectlError, messageOf } from '../../program/errors.ts';
import { patchObject } from '../../resources/changes.ts';
import { type Info, metadataOf } from '../../resources/info.ts';
import { getLastApplied } from '../../resources/last-applied.ts';
import type { ApplyOptions, ApplyResult } from './index.ts';

const advice = `
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;

const defaultManager = 'kubectl';

/** Server-side apply. Migrates the fields owned by client-side apply. */
export async function applyServerSide(call: Call, info: Info, options: ApplyOptions): Promise<ApplyResult> {
  const object = info.object ?? {};
  if (metadataOf(object)['managedFields'] !== undefined) throw new KubectlError(`metadata.managedFields must be nil`);
  let applied = await send(call, info, compactJson(object), options);
  if (options.dryRun === 'none' && (await migrateOwnership(call, info, applied, options)) && !options.force) {
    applied = await send(call, info, compactJson(object), options);
  }
  return { object: applied, operation: 'serverside-applied' };
}

async function send(call: Call, info: Info, body: string, { dryRun, validation, manager, force }: ApplyOptions): Promise<JsonObject> {
  try {
    return await patchObject(call, info, 'apply', body, { dryRun, validation, manager, force });
  } catch (error) {
    if (isStatus(error, 'Conflict')) throw new KubectlError(messageOf(error) + advice);
    throw error;
  }
}

type ManagedFieldsEntry = JsonObject & { readonly manager?: string; readonly operation?: string; readonly fieldsV1?: JsonObject };

/** True when field ownership was migrated. Cf. kubectl apply migrateToSSAIfNecessary and client-go csaupgrade. */
async function migrateOwnership(call: Call, info: Info, live: JsonObject, options: ApplyOptions): Promise<boolean> {
  const annotation = call.product.names.lastAppliedAnnotation;
  const lastApplied = getLastApplied(call, live);
  if (options.manager !== defaultManager || lastApplied === undefined) return false;
  let current = live;
  const owned = (entry: ManagedFieldsEntry): boolean => ownsAnnotation(entry, annotation);
  if (!entriesOf(current).some((entry) => entry.operation === 'Apply' && owned(entry))) {
    const { apiVersion = '', kind = '' } = live;
    const { name = '', namespace } = metadataOf(live);
    const only = {
      apiVersion,
      kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), annotations: { [annotation]: lastApplied } },
    };
    const change = { manager: 'kubectl-last-applied', dryRun: options.dryRun, validation: options.validation };
    current = await patchObject(call, info, 'apply', compactJson(only), change);
  }
  const entries = entriesOf(current);
  const managers = new Set(entries.filter((entry) => entry.operation === 'Update' && owned(entry)).map(({ manager }) => manager));
  if (managers.size === 0) return false;
  const upgraded = mergeManagedFields(entries, managers, options.manager);
  const patch = [
    { op: 'replace', path: '/metadata/managedFields', value: upgraded },
    { op: 'replace', path: '/metadata/resourceVersion', value: metadataOf(current)['resourceVersion'] },
  ];
  await patchObject(call, info, 'json', JSON.stringify(patch), {
    manager: options.manager,
    dryRun: options.dryRun,
    validation: options.validation,
  });
  return true;
}

function entriesOf(object: JsonObject): readonly ManagedFieldsEntry[] {
  const entries = metadataOf(object)['managedFields'];
  return Array.isArray(entries) ? (entries as readonly ManagedFieldsEntry[]) : [];
}

function ownsAnnotation({ fieldsV1 }: ManagedFieldsEntry, annotation: string): boolean {
  const at = (object: Json | undefined, name: string): Json | undefined => (isJsonObject(object) ? object[name] : undefined);
  return at(at(at(fieldsV1, 'f:metadata'), 'f:annotations'), `f:${annotation}`) !== undefined;
}

/** Moves the fields of the client-side managers to the server-side manager. */
function mergeManagedFields(
  entries: readonly ManagedFieldsEntry[],
  managers: ReadonlySet<string | undefined>,
  to: string,
): readonly JsonObject[] {
  const moved = entries.filter(
    (entry) => entry.operation === 'Update' && entry['subresource'] === undefined && managers.has(entry.manager),
  );
  const others = entries.filter((entry) => !moved.includes(entry));
  const fields = moved.reduce<JsonObject>((all, { fieldsV1 = {} }) => union(all, fieldsV1), {});
  const target = others.find((entry) => entry.operation === 'Apply' && entry.manager === to && entry['subresource'] === undefined);
  if (target) return others.map((entry) => (entry === target ? { ...entry, fieldsV1: union(entry.fieldsV1 ?? {}, fields) } : entry));
  return [{ ...moved[0], manager: to, operation: 'Apply', fieldsV1: fields }, ...others];
}

function union(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    if (value === undefined) continue;
    const before = ownMember(merged, name);
    setMember(merged, name, isJsonObject(before) && isJsonObject(value) ? union(before, value) : value);
  }
  return merged;
}
