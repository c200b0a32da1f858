import {
  AuthorizationConfigError,
  type Authorizer,
  type AuthorizerSettings,
  alwaysAllowAuthorizer,
  alwaysDenyAuthorizer,
  buildAuthorizerSettings,
  type DefaultObject,
  meteredAuthorizer,
  nodeAuthorizer,
  privilegedGroupAuthorizer,
  type RoleSource,
  rbacAuthorizer,
  readRules,
  unionAuthorizer,
} from '../../authz/index.ts';
import type { Env } from '../../env/index.ts';
import type { ConfigurationReport, Metrics } from '../../server/index.ts';
import { createObjectSource, type ObjectSourceOptions } from '../object-source.ts';

/** The configured authorizers, in order. */
export interface AuthorizerChoice {
  /** `--authorization-mode`, or the authorizers of the configuration file. */
  readonly authorizers: readonly AuthorizerSettings[];
  readonly createFileAuthorizer: CreateFileAuthorizer;
}

/** Creates the authorizers whose configuration is in files. @throws AuthorizationConfigError, MatchConditionError */
export type CreateFileAuthorizer = (
  settings: Extract<AuthorizerSettings, { type: 'ABAC' | 'Webhook' }>,
  parts: Pick<AuthorizationContext, 'product' | 'env'>,
) => Authorizer;

export interface AuthorizationOptions extends AuthorizerChoice {
  /** Report on the `--authorization-config` file; undefined without one. */
  readonly file: ConfigurationReport | undefined;
  /** Calls `change` when the configuration file has changed; `change` throws to reject it. The returned function stops watching. */
  readonly watch: (change: (choice: AuthorizerChoice) => void) => () => void;
}

export const authorizationDefaults: AuthorizationOptions = {
  authorizers: buildAuthorizerSettings(['Node', 'RBAC']),
  createFileAuthorizer: ({ name }) => {
    throw new AuthorizationConfigError(`this host cannot configure the authorizer ${name}`);
  },
  file: undefined,
  watch: () => () => {},
};

export interface AuthorizationContext extends ObjectSourceOptions {
  readonly env: Env;
  readonly roles: RoleSource;
  readonly defaults: readonly DefaultObject[];
  readonly metrics: Metrics;
}

/** Authorizer with the current configuration. */
export interface Authorization extends Authorizer {
  /** Stops watching the configuration. */
  close(): void;
}

/** The system:masters authorizer first, then the configured ones. @throws AuthorizationConfigError, MatchConditionError */
export function createAuthorization(options: AuthorizationOptions, parts: AuthorizationContext): Authorization {
  const first = new Set(options.authorizers.map(({ type }) => type));
  let current = createUnion(options, parts);
  const close = options.watch((choice) => {
    assertTypesUnchanged(choice, first);
    current = createUnion(choice, parts);
    parts.env.log.info('authorization was configured anew', { authorizers: choice.authorizers.map(({ name }) => name) });
  });
  return {
    name: 'union',
    authorize: (attributes) => current.authorize(attributes),
    rulesFor: (user, namespace) => current.rulesFor(user, namespace),
    close,
  };
}

/** A reload may add and remove only webhooks. */
function assertTypesUnchanged({ authorizers }: AuthorizerChoice, first: ReadonlySet<string>): void {
  const types = new Set<string>(authorizers.map(({ type }) => type));
  const missing = [...first].filter((type) => type !== 'Webhook' && !types.has(type)).sort();
  if (missing.length > 0) throw new AuthorizationConfigError(`missing required types: [${missing.join(' ')}]`);
  const added = [...types].find((type) => ['ABAC', 'Node', 'RBAC'].includes(type) && !first.has(type));
  if (added === undefined) return;
  throw new AuthorizationConfigError(`authorizer type ${added} is not allowed if it was not enabled at initial server startup`);
}

function createUnion({ authorizers, createFileAuthorizer }: AuthorizerChoice, parts: AuthorizationContext): Authorizer {
  const make = (settings: AuthorizerSettings): Authorizer => {
    switch (settings.type) {
      case 'AlwaysAllow':
        return alwaysAllowAuthorizer;
      case 'AlwaysDeny':
        return alwaysDenyAuthorizer;
      case 'RBAC':
        return rbacAuthorizer(parts.roles, parts.product);
      case 'Node':
        return createNodeAuthorizer(parts);
      case 'ABAC':
      case 'Webhook':
        return createFileAuthorizer(settings, parts);
    }
  };
  const counted = authorizers.map((settings) => meteredAuthorizer(make(settings), parts.metrics.decisionsOf(settings.type, settings.name)));
  return unionAuthorizer([privilegedGroupAuthorizer, ...counted]);
}

function createNodeAuthorizer(parts: AuthorizationContext): Authorizer {
  const pods = createObjectSource(parts, 'v1', 'pods');
  const volumes = createObjectSource(parts, 'v1', 'persistentvolumes');
  const attachments = createObjectSource(parts, 'storage.k8s.io/v1', 'volumeattachments');
  const slices = createObjectSource(parts, 'resource.k8s.io/v1', 'resourceslices');
  const source = {
    pods: pods.list,
    volumes: () => volumes.list(''),
    volume: (name: string) => volumes.find('', name),
    attachment: (name: string) => attachments.find('', name),
    slice: (name: string) => slices.find('', name),
  };
  // The system:node role has no binding; this authorizer grants its rules.
  const role = parts.defaults.find(({ resource, name }) => resource === 'clusterroles' && name === 'system:node');
  return nodeAuthorizer(source, readRules(role?.object ?? {}), parts.product);
}
