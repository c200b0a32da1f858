import type { StatusCause } from '../../../meta/index.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { formatPath, type PathElement } from '../fieldpath/path-element.ts';
import type { Manager } from './managers.ts';

/** Fields of another owner that an apply would change. */
export interface OwnerConflict {
  readonly owner: Manager;
  readonly fields: FieldSet;
}

/** A conflict of an apply, in the form of the 409 response. */
export interface ApplyConflict {
  readonly message: string;
  readonly causes: readonly StatusCause[];
  /** The owners and their conflicting fields. */
  readonly conflicts: readonly { readonly manager: string; readonly details: string; readonly fields: readonly string[] }[];
}

/** Formats conflicts, which are sorted by owner identity (cf. apimachinery managedfields NewConflictError). */
export function describeConflicts(conflicts: readonly OwnerConflict[]): ApplyConflict {
  const listed = conflicts.map(({ owner, fields }) => ({
    manager: owner.manager,
    details: formatOwner(owner),
    fields: [...fields.paths()].map((path) => formatPath(path as readonly PathElement[])),
  }));
  const causes = listed.flatMap(({ details, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${details}`, field })),
  );
  const [only] = causes;
  const lines = listed.flatMap(({ details, fields }) => [`conflicts with ${details}:`, ...fields.map((field) => `- ${field}`)]);
  const text =
    causes.length === 1 && only ? `1 conflict: ${only.message}: ${only.field}` : `${causes.length} conflicts: ${lines.join('\n')}`;
  return { message: `Apply failed with ${text}`, causes, conflicts: listed };
}

/** `"alice" with subresource "status" using v1` */
function formatOwner({ manager, subresource, operation, apiVersion }: Manager): string {
  const name = JSON.stringify(manager);
  const named = subresource === '' ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${named} using ${apiVersion}` : named;
}
