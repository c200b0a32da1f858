import { isJsonObject, type Json, type JsonObject, runSteps, SortedCopy, StepCounter, stringifyJson } from '../meta/index.ts';
import { isJsonArray, memberNames, memberNamesInSteps, partsPerStep } from './json-value.ts';

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

/** Orders the members of a patched document as in its text (`formatDocument`), in steps, between which other tasks can run. */
export function* orderMembersInSteps(document: Json, sources: readonly Json[]): Generator<void, Json> {
  const untouched = yield* partsOf(sources);
  return yield* new SortedCopy(new StepCounter(partsPerStep), (part) => untouched.has(part)).copy(document);
}

type Part = JsonObject | readonly Json[];

/** All lists and objects within the values. */
function* partsOf(values: readonly Json[]): Generator<void, ReadonlySet<Json>> {
  const parts = new Set<Json>();
  const open = values.filter(isPart);
  const counter = new StepCounter(partsPerStep);
  for (let part = open.pop(); part; part = open.pop()) {
    parts.add(part);
    yield* isJsonArray(part) ? addItems(part, open, counter) : addMembers(part, open, counter);
  }
  return parts;
}

function* addItems(list: readonly Json[], open: Part[], counter: StepCounter): Generator<void, void> {
  for (const item of list) {
    if (counter.count()) yield;
    if (isPart(item)) open.push(item);
  }
}

function* addMembers(object: JsonObject, open: Part[], counter: StepCounter): Generator<void, void> {
  for (const name of yield* memberNamesInSteps(object)) {
    if (counter.count()) yield;
    const member = object[name];
    if (isPart(member)) open.push(member);
  }
}

function isPart(value: Json | undefined): value is Part {
  return typeof value === 'object' && value !== null;
}
