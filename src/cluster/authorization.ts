import {
  type AbacPolicy,
  AuthorizationConfigError,
  type Authorizer,
  type AuthorizerSettings,
  abacAuthorizer,
  alwaysAllowAuthorizer,
  alwaysDenyAuthorizer,
  type DefaultObject,
  nodeAuthorizer,
  type RoleSource,
  rbacAuthorizer,
  readRules,
  settingsOfModes,
  superuserAuthorizer,
  unionAuthorizer,
} from '../authz/index.ts';
import type { JsonObject } from '../meta/index.ts';
import { objectSource, type StoredObjectsParts } from './object-source.ts';

/** Who decides what is allowed. */
export interface AuthorizationOptions {
  /** In order; `--authorization-mode`, or what a configuration file says. */
  readonly authorizers: readonly AuthorizerSettings[];
  /** Of `--authorization-policy-file`. */
  readonly policies: readonly AbacPolicy[];
}

export const authorizationDefaults: AuthorizationOptions = { authorizers: settingsOfModes(['Node', 'RBAC']), policies: [] };

export interface AuthorizationParts extends StoredObjectsParts {
  readonly roles: RoleSource;
  readonly defaults: readonly DefaultObject[];
}

/** Masters first, then whoever is configured. */
export function createAuthorization({ authorizers, policies }: AuthorizationOptions, parts: AuthorizationParts): Authorizer {
  const make = ({ type, name }: AuthorizerSettings): Authorizer => {
    switch (type) {
      case 'AlwaysAllow':
        return alwaysAllowAuthorizer;
      case 'AlwaysDeny':
        return alwaysDenyAuthorizer;
      case 'ABAC':
        return abacAuthorizer(policies);
      case 'RBAC':
        return rbacAuthorizer(parts.roles, parts.product);
      case 'Node':
        return nodes(parts);
      case 'Webhook':
        throw new AuthorizationConfigError(`${name}: webhooks cannot be asked here`);
    }
  };
  return unionAuthorizer([superuserAuthorizer, ...authorizers.map(make)]);
}

function nodes(parts: AuthorizationParts): Authorizer {
  const pods = objectSource(parts, 'v1', 'pods');
  const volumes = objectSource(parts, 'v1', 'persistentvolumes');
  const attachments = objectSource(parts, 'storage.k8s.io/v1', 'volumeattachments');
  const slices = objectSource(parts, 'resource.k8s.io/v1', 'resourceslices');
  const source = {
    pods: pods.list,
    volumes: () => volumes.list(''),
    volume: (name: string) => volumes.find('', name),
    attachment: (name: string) => attachments.find('', name),
    slice: (name: string) => slices.find('', name),
  };
  // The role of all nodes is bound to nobody: what it gives, this authorizer gives.
  const role = parts.defaults.find(({ resource, name }) => resource === 'clusterroles' && name === 'system:node');
  return nodeAuthorizer(source, readRules(role?.object ?? ({} as JsonObject)), parts.product);
}
