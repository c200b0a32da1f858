import { isJsonObject, type JsonObject, objectsAt } from '../../meta/index.ts';

/** Members in the order of client-go's types, which JSON output has; YAML sorts them. */
const bodies: readonly (readonly [section: string, body: string, members: readonly string[]])[] = [
  [
    'clusters',
    'cluster',
    [
      'server',
      'tls-server-name',
      'insecure-skip-tls-verify',
      'certificate-authority',
      'certificate-authority-data',
      'proxy-url',
      'disable-compression',
      'extensions',
    ],
  ],
  [
    'users',
    'user',
    [
      'client-certificate',
      'client-certificate-data',
      'client-key',
      'client-key-data',
      'token',
      'tokenFile',
      'as',
      'as-uid',
      'as-groups',
      'as-user-extra',
      'username',
      'password',
      'auth-provider',
      'exec',
      'extensions',
    ],
  ],
  ['contexts', 'context', ['cluster', 'user', 'namespace', 'extensions']],
];

/** The configuration as client-go encodes it: entries sorted by name, no empty preferences. */
export function normalizeConfig(config: JsonObject): JsonObject {
  const { preferences, extensions } = config;
  const hasPreferences = isJsonObject(preferences) && Object.keys(preferences).length > 0;
  const sections = bodies.map(([section, body, members]) => {
    const entries = objectsAt(config, section).toSorted((left, right) => (String(left['name']) < String(right['name']) ? -1 : 1));
    const ordered = entries.map(({ name, ...rest }) => ({ name: name ?? '', [body]: inOrder(rest[body], members) }));
    return [section, Array.isArray(config[section]) && ordered.length > 0 ? ordered : null] as const;
  });
  return {
    kind: 'Config',
    apiVersion: 'v1',
    ...(hasPreferences ? { preferences } : {}),
    ...Object.fromEntries(sections),
    'current-context': config['current-context'] ?? '',
    ...(extensions === undefined || extensions === null ? {} : { extensions }),
  };
}

function inOrder(value: unknown, members: readonly string[]): JsonObject {
  if (!isJsonObject(value)) return {};
  const known = members.filter((member) => Object.hasOwn(value, member));
  return Object.fromEntries(
    [...known, ...Object.keys(value).filter((member) => !members.includes(member))].map((member) => [member, value[member]]),
  );
}
