import { fieldTypes } from '../../../client/kubeconfig/index.ts';
import { Base64Error, bytesToBase64, type Json, type JsonObject, normalizeBase64 } from '../../../meta/index.ts';
import { type ConfigSection, entriesOf, entryOf, setEntry } from '../../kubeconfig/entries.ts';
import { bool, parseBool } from '../../parse/flags.ts';
import type { Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { unexpectedArgsError } from './help-error.ts';

/** The members of a user are written with other names than in files. */
const renamedMembers: Readonly<Record<string, string>> = {
  'act-as': 'as',
  'act-as-uid': 'as-uid',
  'act-as-groups': 'as-groups',
  'act-as-user-extra': 'as-user-extra',
};

/** Pointers are shown by their addresses, which are arbitrary. */
const address = '0xc000000000';

/** The parsed name of a property: `clusters.NAME.server`. */
type Property =
  | { readonly of: 'config'; readonly member: string; readonly type: string }
  | { readonly of: 'preferences'; readonly member: string; readonly type: string }
  | { readonly of: 'section'; readonly section: ConfigSection }
  | { readonly of: 'entry'; readonly section: ConfigSection; readonly name: string }
  | { readonly of: 'entry-member'; readonly section: ConfigSection; readonly name: string; readonly member: string; readonly type: string };

const entryTypes: Readonly<Record<ConfigSection, string>> = { clusters: 'Cluster', contexts: 'Context', users: 'AuthInfo' };

function membersOf(struct: string): Readonly<Record<string, string>> {
  const types = fieldTypes[struct] ?? {};
  const plain = Object.entries(types).filter(([name]) => !Object.values(renamedMembers).includes(name));
  const renamed = Object.entries(renamedMembers).flatMap(([written, name]) => (name in types ? [[written, types[name]]] : []));
  return Object.fromEntries([...plain, ...renamed]);
}

/** Cf. kubectl config newNavigationSteps. @throws KubectlError */
function parseProperty(path: string): Property {
  const [first = '', ...rest] = path.split('.');
  const type = memberType(fieldTypes['Config'] ?? {}, first, `unable to parse ${path} after [] at api.Config`);
  if (first in entryTypes) return parseEntry(path, first as ConfigSection, rest);
  const [member] = rest;
  if (member === undefined) return { of: 'config', member: first, type };
  if (first !== 'preferences') throw unparsable(path);
  const inner = memberType(
    fieldTypes['Preferences'] ?? {},
    member,
    `unable to parse ${path} after [{preferences ${address}}] at api.Preferences`,
  );
  if (rest.length > 1) throw unparsable(path);
  return { of: 'preferences', member, type: inner };
}

/** A name may have dots: it ends before a member of the entry. @throws KubectlError */
function parseEntry(path: string, section: ConfigSection, parts: readonly string[]): Property {
  if (parts.length === 0) return { of: 'section', section };
  const members = membersOf(entryTypes[section]);
  const at = parts.findIndex((part, index) => index > 0 && Object.hasOwn(members, part));
  if (at < 0) return { of: 'entry', section, name: parts.join('.') };
  const member = parts[at] ?? '';
  const type = members[member] ?? '';
  if (parts.length > at + 1) throw type.startsWith('map[') ? new KubectlError('string is not of type struct') : unparsable(path);
  return { of: 'entry-member', section, name: parts.slice(0, at).join('.'), member: renamedMembers[member] ?? member, type };
}

/** @throws KubectlError when the struct has no such member */
function memberType(types: Readonly<Record<string, string>>, member: string, problem: string): string {
  const type = Object.hasOwn(types, member) ? types[member] : undefined;
  if (type === undefined) throw new KubectlError(problem);
  return type;
}

function unparsable(path: string): KubectlError {
  return new KubectlError(`unable to parse one or more field values of ${path}`);
}

export const setProperty: Command = {
  flags: {
    'set-raw-bytes': bool(),
  },
  async run(call) {
    const [path, value] = call.words;
    if (path === undefined || value === undefined || call.words.length !== 2) throw await unexpectedArgsError(call);
    if (value === '') throw new KubectlError('you cannot use set to unset a property');
    if (path === '') throw new KubectlError('you must specify a property');
    const config = await call.config.load();
    await call.config.save(withProperty(config, parseProperty(path), value, call.flags.bool('set-raw-bytes')));
    call.out(`Property ${JSON.stringify(path)} set.\n`);
    return 0;
  },
};

/** Cf. kubectl config modifyConfig. @throws KubectlError */
function withProperty(config: JsonObject, property: Property, value: string, raw: boolean): JsonObject {
  switch (property.of) {
    case 'section':
    case 'entry':
      throw notSettable(entriesOf(config, property.section).map(({ name }) => String(name)));
    case 'config':
      return { ...config, [property.member]: parseValue(property.type, value, config[property.member], raw) };
    case 'preferences': {
      const preferences = (config['preferences'] ?? {}) as JsonObject;
      const changed = parseValue(property.type, value, preferences[property.member], raw);
      return { ...config, preferences: { ...preferences, [property.member]: changed } };
    }
    case 'entry-member': {
      const { section, name, member, type } = property;
      const before = entryOf(config, section, name) ?? {};
      return setEntry(config, section, name, { ...before, [member]: parseValue(type, value, before[member], raw) });
    }
  }
}

/** @throws KubectlError */
function parseValue(written: string, value: string, before: Json | undefined, raw: boolean): Json {
  const type = written.replace(/^!/, '');
  if (type.startsWith('[]Named')) throw notSettable(((before ?? []) as readonly JsonObject[]).map(({ name }) => String(name)));
  if (type.startsWith('map[')) throw notSettable(Object.keys((before ?? {}) as JsonObject));
  if (type === '[]string') throw new KubectlError('unrecognized slice type. string');
  if (type === '[]uint8') return raw ? bytesToBase64(new TextEncoder().encode(value)) : parseBytes(value);
  if (type === 'Preferences')
    throw new KubectlError('unable to locate path config.navigationStep{stepValue:"", stepType:reflect.Type(nil)} under {false map[]}');
  if (type.startsWith('*')) throw new KubectlError(`unrecognized type: ${before === undefined ? '<nil>' : address}`);
  if (type !== 'bool') return value;
  const parsed = parseBool(value);
  if (parsed === undefined) throw new KubectlError(`strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`);
  return parsed;
}

/** @throws KubectlError */
function parseBytes(value: string): string {
  try {
    return normalizeBase64(value);
  } catch (error) {
    if (error instanceof Base64Error) throw new KubectlError(`error decoding input value: ${error.message}`);
    throw error;
  }
}

function notSettable(names: readonly string[]): KubectlError {
  const shown = [...names].sort().map((name) => `${name}:${address}`);
  return new KubectlError(`can't set a map to a value: map[${shown.join(' ')}]`);
}

export const unsetProperty: Command = {
  async run(call) {
    const [path] = call.words;
    if (path === undefined || call.words.length !== 1) throw await unexpectedArgsError(call);
    if (path === '') throw new KubectlError('you must specify a property');
    const config = await call.config.load();
    await call.config.save(withoutProperty(config, parseProperty(path)));
    call.out(`Property ${JSON.stringify(path)} unset.\n`);
    return 0;
  },
};

/** Cf. kubectl config modifyConfig. @throws KubectlError */
function withoutProperty(config: JsonObject, property: Property): JsonObject {
  switch (property.of) {
    case 'section':
      return { ...config, [property.section]: null };
    case 'entry':
      return setEntry(config, property.section, property.name, undefined);
    case 'config':
      return { ...config, [property.member]: undefined };
    case 'preferences':
      return { ...config, preferences: { ...((config['preferences'] ?? {}) as JsonObject), [property.member]: undefined } };
    case 'entry-member': {
      const { section, name, member } = property;
      const before = entryOf(config, section, name);
      if (!before) throw new KubectlError(`current map key \`${name}\` is invalid`);
      return setEntry(config, section, name, { ...before, [member]: undefined });
    }
  }
}
