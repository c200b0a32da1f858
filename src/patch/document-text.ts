import { isJsonObject, type Json, type JsonObject, runSteps, setMember, sortNamesInSteps, stringifyJson } from '../meta/index.ts';
import { type Draft, isJsonArray, memberNames, memberNamesInSteps, partsPerStep } from './json-value.ts';

/**
 * The text of a patched document in errors: members sorted by name in parts that the patch visited, and in their original order in parts
 * copied whole from one of the `sources` (cf. evanphx/json-patch lazyNode).
 */
export function formatDocument(document: Json, sources: readonly Json[]): string {
  const untouched = runSteps(partsOf(sources));
  const text = (value: Json): string => {
    if (untouched.has(value)) return stringifyJson(value);
    if (isJsonArray(value)) return `[${value.map(text).join(',')}]`;
    if (!isJsonObject(value)) return stringifyJson(value);
    const members = memberNames(value).sort();
    return `{${members.map((name) => `${stringifyJson(name)}:${text(value[name] ?? null)}`).join(',')}}`;
  };
  return text(document);
}

/** Orders the members of a patched document as in its text (`documentText`), in steps, between which other tasks can run. */
export function* orderMembersInSteps(document: Json, sources: readonly Json[]): Generator<void, Json> {
  const untouched = yield* partsOf(sources);
  const root: Json[] = [];
  // Without recursion: a document may have any depth.
  const open: { readonly from: Json; readonly put: (ordered: Json) => void }[] = [{ from: document, put: (ordered) => root.push(ordered) }];
  let steps = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { from, put } = next;
    if (untouched.has(from)) put(from);
    else if (isJsonArray(from)) {
      const items = [...from];
      put(items);
      for (const [index, item] of from.entries()) {
        if (++steps % partsPerStep === 0) yield;
        if (!isPart(item)) continue;
        open.push({
          from: item,
          put: (ordered) => {
            items[index] = ordered;
          },
        });
      }
    } else if (isJsonObject(from)) {
      const members: Draft = {};
      put(members as JsonObject);
      for (const name of yield* sortNamesInSteps(yield* memberNamesInSteps(from))) {
        if (++steps % partsPerStep === 0) yield;
        const value = from[name] ?? null;
        // Set now, to fix its position among the other members.
        setMember(members, name, value);
        if (isPart(value)) open.push({ from: value, put: (ordered) => setMember(members, name, ordered) });
      }
    } else put(from);
  }
  return root[0] ?? null;
}

/** All lists and objects within the values. */
function* partsOf(values: readonly Json[]): Generator<void, ReadonlySet<Json>> {
  const parts = new Set<Json>();
  const open = values.filter(isPart);
  let steps = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    parts.add(part);
    if (isJsonArray(part)) {
      for (const inner of part) {
        if (++steps % partsPerStep === 0) yield;
        if (isPart(inner)) open.push(inner);
      }
    } else {
      for (const name of yield* memberNamesInSteps(part)) {
        if (++steps % partsPerStep === 0) yield;
        const inner = part[name];
        if (isPart(inner)) open.push(inner);
      }
    }
  }
  return parts;
}

function isPart(value: Json | undefined): value is JsonObject | readonly Json[] {
  return typeof value === 'object' && value !== null;
}
