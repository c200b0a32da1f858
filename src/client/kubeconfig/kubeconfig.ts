import {
  Base64Error,
  base64ToBytes,
  compareTexts,
  documentType,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonKind,
  normalizeBase64,
  requireGroupVersion,
  sortMembers,
  stringifyJson,
  UnreadableDocument,
} from '../../meta/index.ts';

/** Go types of the members of each struct, in their order. `!`: written even when it is empty. Cf. client-go clientcmd/api/v1. */
export const fieldTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Config: {
    kind: 'string',
    apiVersion: 'string',
    preferences: 'Preferences',
    clusters: '![]NamedCluster',
    users: '![]NamedAuthInfo',
    contexts: '![]NamedContext',
    'current-context': '!string',
    extensions: '[]NamedExtension',
  },
  Preferences: { colors: 'bool', extensions: '[]NamedExtension' },
  NamedCluster: { name: '!string', cluster: '!Cluster' },
  NamedAuthInfo: { name: '!string', user: '!AuthInfo' },
  NamedContext: { name: '!string', context: '!Context' },
  NamedExtension: { name: '!string', extension: '!RawExtension' },
  Cluster: {
    server: '!string',
    'tls-server-name': 'string',
    'insecure-skip-tls-verify': 'bool',
    'certificate-authority': 'string',
    'certificate-authority-data': '[]uint8',
    'proxy-url': 'string',
    'disable-compression': 'bool',
    extensions: '[]NamedExtension',
  },
  AuthInfo: {
    'client-certificate': 'string',
    'client-certificate-data': '[]uint8',
    'client-key': 'string',
    'client-key-data': '[]uint8',
    token: 'string',
    tokenFile: 'string',
    as: 'string',
    'as-uid': 'string',
    'as-groups': '[]string',
    'as-user-extra': 'map[string][]string',
    username: 'string',
    password: 'string',
    'auth-provider': '*AuthProviderConfig',
    exec: '*ExecConfig',
    extensions: '[]NamedExtension',
  },
  Context: { cluster: '!string', user: '!string', namespace: 'string', extensions: '[]NamedExtension' },
  AuthProviderConfig: { name: '!string', config: '!map[string]string' },
  ExecConfig: {
    command: '!string',
    args: '![]string',
    env: '![]ExecEnvVar',
    apiVersion: 'string',
    installHint: 'string',
    provideClusterInfo: '!bool',
    interactiveMode: 'ExecInteractiveMode',
  },
  ExecEnvVar: { name: '!string', value: '!string' },
};

/**
 * Decodes a kubeconfig as client-go does: without unknown members, in the order of the types, and entries sorted by name. @throws
 * UnreadableDocument with client-go's message
 */
export function decodeKubeconfig(document: Json): JsonObject {
  const type = documentType(document);
  requireGroupVersion(type.apiVersion);
  const [apiVersion, kind] = [type.apiVersion || 'v1', type.kind || 'Config'];
  if (apiVersion !== 'v1' || kind !== 'Config') {
    const found = `${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw new UnreadableDocument(`no kind ${found} in scheme "pkg/runtime/scheme.go:110"`);
  }
  const decoder = new Decoder();
  const config = decoder.struct('Config', { ...(document as JsonObject), kind, apiVersion }, []);
  if (decoder.problem !== undefined) throw new UnreadableDocument(decoder.problem);
  return convertStruct('Config', config);
}

/** Decodes by the Go types; an empty value is undefined. Like Go's decoder it goes on after an error, and reports the first one. */
class Decoder {
  problem: string | undefined;

  struct(name: string, value: JsonObject, path: readonly string[]): JsonObject {
    const members: Record<string, Json | undefined> = {};
    const types = fieldTypes[name] ?? {};
    for (const field of Object.keys(value).sort()) {
      const type = Object.hasOwn(types, field) ? types[field] : undefined;
      if (type !== undefined) members[field] = this.#value(baseType(type), value[field], name, [...path, field]);
    }
    return Object.fromEntries(Object.keys(types).map((field) => [field, members[field]]));
  }

  #value(type: string, value: Json | undefined, owner: string, path: readonly string[]): Json | undefined {
    if (value === undefined || value === null) return undefined;
    const decoded = this.#decode(type, value, owner, path);
    if (decoded === undefined) {
      const at = `${owner}.${path.join('.')} of type ${goName(type)}`;
      this.problem ??= `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${at}`;
    }
    return decoded;
  }

  /** Undefined: the value is of another type. */
  #decode(type: string, value: Json, owner: string, path: readonly string[]): Json | undefined {
    if (type === 'RawExtension') return value;
    if (type === 'bool') return typeof value === 'boolean' ? value : undefined;
    if (type === '[]uint8') return typeof value === 'string' ? this.#bytes(value) : undefined;
    const items = itemType(type);
    const each = (item: Json | undefined): Json => this.#value(items, item, owner, path) ?? null;
    if (type.startsWith('[]')) return Array.isArray(value) ? value.map(each) : undefined;
    if (type in fieldTypes) return isJsonObject(value) ? this.struct(type, value, path) : undefined;
    if (!type.startsWith('map[')) return typeof value === 'string' ? value : undefined;
    return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, each(item)])) : undefined;
  }

  #bytes(text: string): string {
    try {
      return normalizeBase64(text);
    } catch (error) {
      if (!(error instanceof Base64Error)) throw error;
      this.problem ??= error.message;
      return '';
    }
  }
}

/** The type of a member without its marks. */
function baseType(written: string): string {
  return written.replace(/^[!*]/, '');
}

/** The type of the items of a list, or of the values of a map. */
function itemType(type: string): string {
  return type.replace(/^\[\]|^map\[string\]/, '');
}

/** The type in messages: `[]v1.NamedCluster`. */
function goName(type: string): string {
  return type.replace(/(?<=^(?:\[\])?)(?=[A-Z])/, type === 'RawExtension' ? 'runtime.' : 'v1.');
}

/** Converts a decoded struct to the internal version and back, which sorts entries and leaves empty members out. @throws UnreadableDocument */
function convertStruct(name: string, value: JsonObject): JsonObject {
  const members = Object.entries(fieldTypes[name] ?? {}).flatMap(([field, written]): readonly (readonly [string, Json])[] => {
    const member = value[field];
    if (written.startsWith('*') && member === undefined) return [];
    const converted = convertValue(baseType(written), member);
    return /^[!*]/.test(written) || !isEmpty(converted) ? [[field, converted]] : [];
  });
  return Object.fromEntries(name === 'ExecConfig' ? withDefaultMode(members) : members);
}

/** Versions before v1 have a default for the mode. Cf. client-go SetDefaults_ExecConfig. */
function withDefaultMode(members: readonly (readonly [string, Json])[]): readonly (readonly [string, Json])[] {
  const isOld = members.some(([field, value]) => field === 'apiVersion' && /\/v1(alpha1|beta1)$/.test(String(value)));
  return isOld && !members.some(([field]) => field === 'interactiveMode') ? [...members, ['interactiveMode', 'IfAvailable']] : members;
}

function convertValue(type: string, value: Json | undefined): Json {
  if (type.startsWith('[]Named')) return convertEntries(type, (value ?? []) as readonly (JsonObject | null)[]);
  if (type in fieldTypes) return convertStruct(type, (value ?? {}) as JsonObject);
  if (itemType(type) in fieldTypes)
    return (value as readonly Json[] | undefined)?.map((item) => convertValue(itemType(type), item)) ?? null;
  return value ?? zeroValue(type);
}

function zeroValue(type: string): Json {
  if (type === 'bool') return false;
  return /^\[\]string|^map|^RawExtension/.test(type) ? null : '';
}

function isEmpty(value: Json): boolean {
  return value === '' || value === false || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** The types that entries are converted to, by the type of their list. */
const convertedTypes: Readonly<Record<string, string>> = {
  '[]NamedCluster': '*api.Cluster',
  '[]NamedAuthInfo': '*api.AuthInfo',
  '[]NamedContext': '*api.Context',
  '[]NamedExtension': 'runtime.Object',
};

/** Named entries become a map and a sorted list again; null: none. @throws UnreadableDocument for a name that occurs twice */
function convertEntries(type: string, list: readonly (JsonObject | null)[]): Json {
  const entries = new Map<string, JsonObject>();
  for (const item of list) {
    const entry = convertStruct(itemType(type), item ?? {});
    const name = entry['name'] as string;
    if (entries.has(name)) {
      const what = `error converting *${type} into *map[string]${convertedTypes[type]}`;
      throw new UnreadableDocument(`${what}: duplicate name "${name}" in list: ${goText(type, list as Json)}`);
    }
    entries.set(name, entry);
  }
  if (entries.size === 0) return null;
  return [...entries].sort(([left], [right]) => compareTexts(left, right)).map(([, entry]) => entry);
}

/** A value in Go's format `%v`. */
function goText(written: string, value: Json | undefined): string {
  const type = written.replace(/^!/, '');
  // A pointer inside of a struct is shown by its address, which is arbitrary.
  if (type.startsWith('*')) return value === undefined ? '<nil>' : '0xc000000000';
  if (type === 'RawExtension') return `{${goBytes(value === undefined || value === null ? '' : stringifyJson(sortMembers(value)))} <nil>}`;
  if (type === '[]uint8') return goBytes(base64ToBytes((value ?? '') as string));
  if (type.startsWith('[]')) return `[${((value ?? []) as readonly Json[]).map((item) => goText(itemType(type), item)).join(' ')}]`;
  if (type.startsWith('map[')) {
    const members = Object.entries((value ?? {}) as JsonObject).sort(([left], [right]) => compareTexts(left, right));
    return `map[${members.map(([key, item]) => `${key}:${goText(itemType(type), item)}`).join(' ')}]`;
  }
  const fields = fieldTypes[type];
  if (!fields) return String(value ?? zeroValue(type));
  return `{${Object.entries(fields)
    .map(([field, member]) => goText(member, ((value ?? {}) as JsonObject)[field]))
    .join(' ')}}`;
}

function goBytes(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return `[${bytes.join(' ')}]`;
}
