import type { StatusCause } from '../../meta/index.ts';
import type { FieldSet } from './field-set.ts';
import type { Manager } from './managers.ts';
import { type PathElement, pathText } from './path-element.ts';

/** Fields that an applier would change although others own them. */
export interface OwnerConflict {
  readonly owner: Manager;
  readonly fields: FieldSet;
}

/** A refused apply, ready to be told: what the 409 says. */
export interface ApplyConflict {
  readonly message: string;
  readonly causes: readonly StatusCause[];
  /** Whose fields they are, and which. */
  readonly conflicts: readonly { readonly manager: string; readonly details: string; readonly fields: readonly string[] }[];
}

/** What is said of conflicts, owners in order (cf. apimachinery managedfields NewConflictError). `conflicts` sorted by identity. */
export function describeConflicts(conflicts: readonly OwnerConflict[]): ApplyConflict {
  const told = conflicts.map(({ owner, fields }) => ({
    manager: owner.manager,
    details: ownerText(owner),
    fields: [...fields.paths()].map((path) => pathText(path as readonly PathElement[])),
  }));
  const causes = told.flatMap(({ details, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${details}`, field })),
  );
  const [only] = causes;
  const lines = told.flatMap(({ details, fields }) => [`conflicts with ${details}:`, ...fields.map((field) => `- ${field}`)]);
  const text =
    causes.length === 1 && only ? `1 conflict: ${only.message}: ${only.field}` : `${causes.length} conflicts: ${lines.join('\n')}`;
  return { message: `Apply failed with ${text}`, causes, conflicts: told };
}

/** `"alice" with subresource "status" using v1` */
function ownerText({ manager, subresource, operation, apiVersion }: Manager): string {
  const name = JSON.stringify(manager);
  const named = subresource === '' ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${named} using ${apiVersion}` : named;
}
