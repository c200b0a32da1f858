import { documentType, type Json, type JsonObject, JsonSyntaxError, parseJson, untypedDocument } from '../meta/index.ts';

/** Parses an object with kind and version. Text that is not JSON may be YAML, where a bare word is a string. @throws UnreadableDocument */
export function parseTypedObject(text: string): JsonObject {
  const value = parseJsonOrText(text);
  // As in Go, null leaves all fields empty.
  if (value === null) return {};
  documentType(value);
  return value as JsonObject;
}

function parseJsonOrText(text: string): Json {
  try {
    return parseJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (/^\s*[{[]/.test(text)) throw untypedDocument(error.message, error);
    return text;
  }
}
