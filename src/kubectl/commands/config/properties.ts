import { Base64Error, base64ToBytes, bytesToBase64, type Json, type JsonObject, normalizeBase64 } from '../../../meta/index.ts';
import { type ConfigSection, entryOf, setEntry } from '../../kubeconfig/access.ts';
import { bool, parseBool } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { unexpectedArgsError } from './unexpected-args.ts';

const sections: readonly string[] = ['clusters', 'contexts', 'users'];

/** Parses `clusters.NAME.server`. A NAME with dots is everything between the first and the last one. */
function parsePropertyPath(property: string): { section: ConfigSection; name: string; member: string | undefined } | undefined {
  const [section = '', ...rest] = property.split('.');
  if (!sections.includes(section) || rest.length === 0) return undefined;
  return {
    section: section as ConfigSection,
    name: rest.length > 1 ? rest.slice(0, -1).join('.') : (rest[0] ?? ''),
    member: rest.length > 1 ? rest.at(-1) : undefined,
  };
}

export const setProperty: Command = {
  flags: {
    'set-raw-bytes': bool(),
  },
  async run(call) {
    const [property, value] = call.words;
    if (property === undefined || value === undefined || call.words.length !== 2) throw await unexpectedArgsError(call);
    const config = await call.config.load();
    await call.config.save(withProperty(config, property, readValue(call, property, value)));
    call.out(`Property ${JSON.stringify(property)} set.\n`);
    return 0;
  },
};

/** The value as the kubeconfig has it. @throws KubectlError */
function readValue({ flags }: Call, property: string, value: string): string {
  if (property.endsWith('.insecure-skip-tls-verify') && parseBool(value) === undefined)
    throw new KubectlError(`strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`);
  if (!property.endsWith('-data')) return value;
  if (flags.bool('set-raw-bytes')) return bytesToBase64(new TextEncoder().encode(value));
  try {
    base64ToBytes(normalizeBase64(value));
    return value;
  } catch (error) {
    if (error instanceof Base64Error) throw new KubectlError(`error decoding input value: ${error.message}`);
    throw error;
  }
}

function withProperty(config: JsonObject, property: string, value: string): JsonObject {
  if (property === 'preferences.colors') return { ...config, preferences: value === 'true' ? { colors: true } : {} };
  if (property === 'current-context') return { ...config, 'current-context': value };
  const path = parsePropertyPath(property);
  const parsed: Json = parseBool(value) ?? value;
  if (!path) throw new KubectlError(`unable to parse ${property} after [] at api.Config`);
  if (path.member === undefined) throw new KubectlError(`unable to parse ${property} after [${path.section}] at api.Config`);
  return setEntry(config, path.section, path.name, {
    ...entryOf(config, path.section, path.name),
    [path.member]: path.member === 'insecure-skip-tls-verify' ? parsed : value,
  });
}

export const unsetProperty: Command = {
  async run(call) {
    const [property] = call.words;
    if (property === undefined || call.words.length !== 1) throw await unexpectedArgsError(call);
    const config = await call.config.load();
    await call.config.save(withoutProperty(config, property));
    call.out(`Property ${JSON.stringify(property)} unset.\n`);
    return 0;
  },
};

function withoutProperty(config: JsonObject, property: string): JsonObject {
  if (property === 'current-context') return { ...config, 'current-context': '' };
  if (sections.includes(property)) return { ...config, [property]: null };
  const path = parsePropertyPath(property);
  if (!path) throw new KubectlError(`unable to parse ${property} after [] at api.Config`);
  if (path.member === undefined || entryOf(config, path.section, property.slice(path.section.length + 1))) {
    return setEntry(config, path.section, property.slice(path.section.length + 1), undefined);
  }
  const before = entryOf(config, path.section, path.name);
  if (!before) throw new KubectlError(`current map key \`${path.name}\` is invalid`);
  const { [path.member]: _, ...rest } = before;
  return setEntry(config, path.section, path.name, rest);
}
