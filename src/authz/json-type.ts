import { isJsonObject, type Json, type JsonObject, JsonSyntaxError, jsonKind, parseJson } from '../meta/index.ts';

/** A text that is no object; the message is the real server's. */
export class NotAnObject extends Error {
  override readonly name = 'NotAnObject';
}

/** The struct into which the real server looks for kind and version first, as Go shows it. */
const typeStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const problem = "couldn't get version/kind; json parse error: ";

/** An object with kind and version. What is no JSON may be YAML, in which a bare word is a text. @throws NotAnObject */
export function readTyped(text: string): JsonObject {
  const value = parsed(text);
  if (isJsonObject(value)) return value;
  throw notTyped(value);
}

/** Of what can have neither kind nor version. */
export function notTyped(value: Json): NotAnObject {
  return new NotAnObject(`${problem}json: cannot unmarshal ${jsonKind(value)} into Go value of type ${typeStruct}`);
}

/** Of what only begins like JSON. */
export function brokenJson(error: JsonSyntaxError): NotAnObject {
  return new NotAnObject(problem + error.message, { cause: error });
}

function parsed(text: string): Json {
  try {
    return parseJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (/^\s*[{[]/.test(text)) throw brokenJson(error);
    return text;
  }
}
