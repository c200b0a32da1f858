import { ProtoWriter, printYaml } from '../../codec/index.ts';
import { isJsonObject, type Json } from '../../meta/index.ts';

/** Writers of the fields of gnostic's protobuf messages. */

export type WriteField = (writer: ProtoWriter, number: number, value: unknown) => void;
/** JSON member → field number and how it is written; in order of number. */
export type MessageFields = Readonly<Record<string, readonly [number: number, write: WriteField]>>;
/** The number of an entry in the message of its map, and how its value is written. */
export type MapEntries = readonly [inner: number, write: WriteField];

function writeMessage(writer: ProtoWriter, value: unknown, fields: MessageFields, extensions?: number): void {
  if (!isJsonObject(value)) return;
  for (const [name, [number, write]] of Object.entries(fields)) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) write(writer, number, value[name]);
  }
  if (extensions === undefined) return;
  for (const [name, member] of Object.entries(value)) {
    if (name.startsWith('x-')) writer.message(extensions, () => writeNamed(writer, name, () => any(writer, 2, member)));
  }
}

function writeNamed(writer: ProtoWriter, name: string, writeValue: () => void): void {
  writer.string(1, name);
  writeValue();
}

export const string: WriteField = (writer, number, value) => writer.string(number, String(value));
export const bool: WriteField = (writer, number, value) => writer.bool(number, value === true);
export const integer: WriteField = (writer, number, value) => writer.integer(number, Math.trunc(Number(value)));
export const double: WriteField = (writer, number, value) => writer.double(number, Number(value));

/** A value of no fixed type, as YAML text. */
export const any: WriteField = (writer, number, value) => writer.message(number, () => writer.string(2, yamlOf(value as Json)));

/** Block style, with members in their order, as gnostic writes it; `printYaml` sorts them. */
function yamlOf(value: Json): string {
  if (Array.isArray(value) && value.length > 0)
    return value.map((item) => `- ${yamlOf(item).trimEnd().replaceAll('\n', '\n  ')}\n`).join('');
  const members = isJsonObject(value) ? Object.entries(value) : [];
  if (members.length === 0 || members.some(([, member]) => typeof member === 'object')) return printYaml(value);
  return members.map(([name, member]) => printYaml({ [name]: member ?? null })).join('');
}

export function repeated(write: WriteField): WriteField {
  return (writer, number, value) => {
    for (const each of Array.isArray(value) ? value : [value]) write(writer, number, each);
  };
}

export function message(fields: () => MessageFields, extensions?: number): WriteField {
  return (writer, number, value) => writer.message(number, () => writeMessage(writer, value, fields(), extensions));
}

/** A message that holds one field. */
export function wrapped(inner: number, write: WriteField): WriteField {
  return (writer, number, value) => writer.message(number, () => write(writer, inner, value));
}

/** A map, as a message of name and value pairs. */
export function map(inner: number, write: WriteField): WriteField {
  return (writer, number, value) =>
    writer.message(number, () => {
      for (const entry of Object.entries(isJsonObject(value) ? value : {})) writeEntry(writer, inner, write, entry);
    });
}

function writeEntry(writer: ProtoWriter, inner: number, write: WriteField, [name, member]: readonly [string, unknown]): void {
  writer.message(inner, () => writeNamed(writer, name, () => write(writer, 2, member)));
}

/** How many entries of a map are written in one step: some milliseconds. */
const entriesInStep = 50;

/** Encodes a map in steps. */
export function* encodeEntries(value: unknown, [inner, write]: MapEntries): Generator<void, Uint8Array> {
  const whole = new ProtoWriter();
  const entries = Object.entries(isJsonObject(value) ? value : {});
  for (let first = 0; first < entries.length; first += entriesInStep) {
    yield;
    const part = new ProtoWriter();
    for (const entry of entries.slice(first, first + entriesInStep)) writeEntry(part, inner, write, entry);
    whole.raw(part.finish());
  }
  return whole.finish();
}
