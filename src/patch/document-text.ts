import { finish, isJsonObject, type Json, type JsonObject, setMember, sortedNamesInSteps, stringifyJson } from '../meta/index.ts';
import { type Draft, isJsonArray, memberNames, memberNamesInSteps, partsInStep } from './json-value.ts';

/**
 * The text of a patched document, as errors show it: members in order of name where the patch looked, and as they stood in parts
 * taken over whole from one of the `sources` (cf. evanphx/json-patch lazyNode).
 */
export function documentText(document: Json, sources: readonly Json[]): string {
  const untouched = finish(partsOf(sources));
  const text = (value: Json): string => {
    if (untouched.has(value)) return stringifyJson(value);
    if (isJsonArray(value)) return `[${value.map(text).join(',')}]`;
    if (!isJsonObject(value)) return stringifyJson(value);
    const members = memberNames(value).sort();
    return `{${members.map((name) => `${stringifyJson(name)}:${text(value[name] ?? null)}`).join(',')}}`;
  };
  return text(document);
}

/** A patched document with its members in the order of its text (`documentText`), in steps, between which others can have their turns. */
export function* inTextOrderInSteps(document: Json, sources: readonly Json[]): Generator<void, Json> {
  const untouched = yield* partsOf(sources);
  const root: Json[] = [];
  // Without recursion: a document may be as deep as JSON goes.
  const open: { readonly from: Json; readonly put: (ordered: Json) => void }[] = [{ from: document, put: (ordered) => root.push(ordered) }];
  let steps = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { from, put } = next;
    if (untouched.has(from)) put(from);
    else if (isJsonArray(from)) {
      const items = [...from];
      put(items);
      for (const [index, item] of from.entries()) {
        if (++steps % partsInStep === 0) yield;
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
      for (const name of yield* sortedNamesInSteps(yield* memberNamesInSteps(from))) {
        if (++steps % partsInStep === 0) yield;
        const value = from[name] ?? null;
        // Set at once, for its place among the others.
        setMember(members, name, value);
        if (isPart(value)) open.push({ from: value, put: (ordered) => setMember(members, name, ordered) });
      }
    } else put(from);
  }
  return root[0] ?? null;
}

/** All lists and objects of the values. */
function* partsOf(values: readonly Json[]): Generator<void, ReadonlySet<Json>> {
  const parts = new Set<Json>();
  const open = values.filter(isPart);
  let steps = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    parts.add(part);
    if (isJsonArray(part)) {
      for (const inner of part) {
        if (++steps % partsInStep === 0) yield;
        if (isPart(inner)) open.push(inner);
      }
    } else {
      for (const name of yield* memberNamesInSteps(part)) {
        if (++steps % partsInStep === 0) yield;
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
