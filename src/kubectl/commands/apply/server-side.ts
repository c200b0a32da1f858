import { isJsonObject, type Json, type JsonObject, ownMember, StatusError, setMember } from '../../../meta/index.ts';
import { compactJson } from '../../printers/json.ts';
import type { Call } from '../../program/command.ts';
import { isStatus, KubectlError, messageOf } from '../../program/errors.ts';
import { patchObject } from '../../resources/changes.ts';
import { type Info, metadataOf } from '../../resources/info.ts';
import { getLastApplied, warnIfDeleting } from '../../resources/last-applied.ts';
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
  const body = compactJson(info.object ?? {});
  let applied = await send(call, info, body, options);
  const warn = (what: string, error: unknown): void =>
    call.err(`Warning: ${what}. This is non-fatal and will be retried next time you apply. Error: ${messageOf(error)}\n`);
  try {
    applied = await saveLastApplied(call, info, applied, options);
    applied = await migrateOwnership(call, info, { live: applied, body, options, warn });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    warn('failed to migrate kubectl.kubernetes.io/last-applied-configuration for Server-Side Apply', error);
  }
  warnIfDeleting(call, applied);
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

/** Applies the last-applied annotation on its own, so that the next apply does not remove it. Cf. saveLastApplyAnnotationIfNecessary. */
async function saveLastApplied(call: Call, info: Info, live: JsonObject, options: ApplyOptions): Promise<JsonObject> {
  const annotation = call.product.names.lastAppliedAnnotation;
  const lastApplied = getLastApplied(call, live);
  if (options.manager !== defaultManager || lastApplied === undefined) return live;
  if (entriesOf(live).some((entry) => entry.operation === 'Apply' && ownsAnnotation(entry, annotation))) return live;
  const { apiVersion = '', kind = '' } = live;
  const { name = '', namespace } = metadataOf(live);
  const only = {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), annotations: { [annotation]: lastApplied } },
  };
  const { dryRun, validation } = options;
  return patchObject(call, info, 'apply', compactJson(only), { manager: 'kubectl-last-applied', dryRun, validation });
}

interface Migration {
  readonly live: JsonObject;
  /** The applied configuration, which is applied again: fields that it lacks are then removed. */
  readonly body: string;
  readonly options: ApplyOptions;
  readonly warn: (what: string, error: unknown) => void;
}

/** Moves the fields of client-side apply to the manager, if there are any. Cf. migrateToSSAIfNecessary and client-go csaupgrade. */
async function migrateOwnership(call: Call, info: Info, { live, body, options, warn }: Migration): Promise<JsonObject> {
  const annotation = call.product.names.lastAppliedAnnotation;
  const entries = entriesOf(live);
  const managers = new Set(
    entries.filter((entry) => entry.operation === 'Update' && ownsAnnotation(entry, annotation)).map(({ manager }) => manager),
  );
  if (managers.size === 0) return live;
  const patch = [
    { op: 'replace', path: '/metadata/managedFields', value: mergeManagedFields(entries, managers, options.manager) },
    { op: 'replace', path: '/metadata/resourceVersion', value: metadataOf(live)['resourceVersion'] },
  ];
  const { manager, dryRun, validation } = options;
  let current = live;
  let what = 'server rejected managed fields migration to Server-Side Apply';
  try {
    current = await patchObject(call, info, 'json', JSON.stringify(patch), { manager, dryRun, validation });
    what = 'failed to re-apply configuration after performing Server-Side Apply migration';
    return await patchObject(call, info, 'apply', body, options);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    warn(what, error);
    return current;
  }
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
