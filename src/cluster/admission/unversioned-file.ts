import { parseYaml, YamlSyntaxError } from '../../codec/index.ts';
import { isJsonObject, type Json, type JsonObject, JsonSyntaxError, parseJson } from '../../meta/index.ts';
import { ConfigurationFileError } from '../configuration/configuration-file.ts';

/** The documents of a settings file without kind, in JSON or YAML. Cf. upstream yaml.NewYAMLOrJSONDecoder. */
export function splitDocuments(content: string): readonly string[] {
  return content.split(/^---[ \t]*$/m).filter((text) => text.trim() !== '');
}

/** @throws ConfigurationFileError */
export function parseDocument(text: string): Json {
  try {
    return text.trimStart().startsWith('{') ? parseJson(text).value : parseYaml(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ConfigurationFileError(error.message, { cause: error });
    if (error instanceof YamlSyntaxError)
      throw new ConfigurationFileError(`error converting YAML to JSON: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The known members of an object, whose names Go's decoder matches in any case. */
export function knownMembers(value: JsonObject, names: readonly string[]): JsonObject {
  const written = (name: string): readonly [string, Json | undefined] | undefined =>
    Object.entries(value).find(([member]) => member.toLowerCase() === name.toLowerCase());
  return Object.fromEntries(
    names.flatMap((name) => {
      const [, member] = written(name) ?? [];
      return member === undefined ? [] : [[name, member]];
    }),
  );
}

/** The object at a member whose name is written in any case. */
export function objectAt(value: Json, name: string): JsonObject {
  const member = isJsonObject(value) ? knownMembers(value, [name])[name] : undefined;
  return isJsonObject(member) ? member : {};
}
