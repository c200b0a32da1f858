import { type DuplicateMember, findMemberOffsets, goQuote, isJsonObject, type Json, maxStrictErrors } from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';

export interface UnknownField {
  readonly path: string;
  readonly steps: readonly string[];
}

/**
 * Errors of strict decoding of a JSON text into a typed object: duplicate and unknown fields in the order of the text.
 * `decodesMember`: Go does not check members of unknown fields, nor of values with their own decoding.
 * Cf. sigs.k8s.io/json UnmarshalStrict.
 */
export function jsonStrictProblems(
  text: () => string,
  duplicates: readonly DuplicateMember[],
  unknown: readonly UnknownField[],
  decodesMember: (steps: readonly string[]) => boolean,
): readonly string[] {
  const seen = duplicates.filter(({ steps }) => decodesMember(steps));
  const isMixed = unknown.length > 1 || (unknown.length > 0 && seen.length > 0);
  const offsets = isMixed
    ? findMemberOffsets(
        text(),
        unknown.map(({ steps }) => steps),
      )
    : [];
  const found = [
    ...seen.map((member) => ({ problem: duplicateField(member), offset: member.offset })),
    ...unknown.map(({ path }, index) => ({ problem: `unknown field ${goQuote(path)}`, offset: offsets[index] ?? 0 })),
  ];
  return found
    .sort((a, b) => a.offset - b.offset)
    .slice(0, maxStrictErrors)
    .map(({ problem }) => problem);
}

export function duplicateField({ path }: DuplicateMember): string {
  return `duplicate field ${goQuote(path)}`;
}

/** Whether decoding by the schema looks at this member's name and knows it. */
export function schemaDecodes(schema: Schema, steps: readonly string[]): boolean {
  let at: Schema | undefined = schema;
  for (const step of steps) {
    if (at?.form === 'struct') at = at.byName.get(step.slice(1))?.schema;
    else if (at?.form === 'list') at = at.items;
    else if (at?.form === 'map') at = at.values;
    else return false;
    if (!at) return false;
  }
  return true;
}

const operationFields: ReadonlySet<string> = new Set(['.op', '.path', '.from', '.value']);

/** The same of a JSON Patch, whose operations are structs with a value of any form. */
export function jsonPatchStrictProblems(patch: Json, text: () => string, duplicates: readonly DuplicateMember[]): readonly string[] {
  const unknown: UnknownField[] = [];
  for (const [index, operation] of (Array.isArray(patch) ? patch : []).entries()) {
    for (const name of isJsonObject(operation) ? Object.keys(operation) : []) {
      if (operationFields.has(`.${name}`) || unknown.length >= maxStrictErrors) continue;
      unknown.push({ path: `[${index}].${name}`, steps: [`[${index}]`, `.${name}`] });
    }
  }
  const decodes = ([, name = '']: readonly string[]): boolean => operationFields.has(name);
  return jsonStrictProblems(text, duplicates, unknown, decodes).map((problem) => `json patch ${problem}`);
}
