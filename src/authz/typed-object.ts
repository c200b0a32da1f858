import { isJsonObject, type Json, type JsonObject, JsonSyntaxError, jsonKind, parseJson } from '../meta/index.ts';

/** JSON that is not an object; the message is upstream's. */
export class NotAnObject extends Error {
  override readonly name = 'NotAnObject';
}

/** The struct that upstream decodes kind and version into, in Go's format. */
const typeStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const problem = "couldn't get version/kind; json parse error: ";

/** Parses an object with kind and version. Text that is not JSON may be YAML, where a bare word is a string. @throws NotAnObject */
export function parseTypedObject(text: string): JsonObject {
  const value = parseJsonOrText(text);
  if (isJsonObject(value)) return value;
  throw notAnObjectError(value);
}

/** The error for a value without members. */
export function notAnObjectError(value: Json): NotAnObject {
  return new NotAnObject(`${problem}json: cannot unmarshal ${jsonKind(value)} into Go value of type ${typeStruct}`);
}

/** The error for text that starts like JSON and is invalid. */
export function invalidJsonError(error: JsonSyntaxError): NotAnObject {
  return new NotAnObject(problem + error.message, { cause: error });
}

function parseJsonOrText(text: string): Json {
  try {
    return parseJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (/^\s*[{[]/.test(text)) throw invalidJsonError(error);
    return text;
  }
}
