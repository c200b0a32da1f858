import { ListValue } from './list.ts';
import { MapValue } from './map.ts';
import { OptionalValue, type Result } from './value.ts';

/** The number of parts of a value, shared ones counted each time they are reached; sixteen characters count as one. */
export function weightOf(value: Result): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return 1 + value.length / 16;
  if (value instanceof ListValue) return value.weigh(listWeight);
  if (value instanceof MapValue) return value.weigh(mapWeight);
  return value instanceof OptionalValue && value.value !== undefined ? 1 + weightOf(value.value) : 1;
}

function listWeight(list: ListValue): number {
  let weight = 1;
  for (let i = 0; i < list.size; i += 1) weight += weightOf(list.at(i));
  return weight;
}

function mapWeight(map: MapValue): number {
  let weight = 1;
  for (const key of map.keys) weight += weightOf(key) + weightOf(map.find(key) ?? null);
  return weight;
}
