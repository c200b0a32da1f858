import { type JsonObject, textAt } from '../../meta/index.ts';
import type { Flags } from '../parse/flags.ts';
import { KubectlError, PlainError } from '../program/errors.ts';
import { entryOf } from './entries.ts';

/** The server and user of requests. */
export interface Target {
  /** Without a trailing slash. */
  readonly server: string;
  readonly userName: string;
  readonly user: JsonObject;
  readonly clusterName: string;
  readonly cluster: JsonObject;
}

/** Undefined: none is named, or it does not exist. */
function contextOf(config: JsonObject, flags: Flags): JsonObject | undefined {
  const name = contextNameOf(config, flags);
  return name === '' ? undefined : entryOf(config, 'contexts', name);
}

const contextNameOf = (config: JsonObject, flags: Flags): string => flags.text('context') || textAt(config, 'current-context');

/** Cf. clientcmd ConfirmUsable. @throws KubectlError */
function requireContext(config: JsonObject, flags: Flags, context: JsonObject | undefined): void {
  const name = contextNameOf(config, flags);
  if (name !== '' && !context) throw new PlainError(`Error in configuration: context was not found for specified context: ${name}`);
}

/** @throws KubectlError when a flag names an entry that does not exist */
function requireEntry(kind: string, name: string, entry: JsonObject | undefined): void {
  if (name !== '' && !entry) throw new KubectlError(`${kind} ${JSON.stringify(name)} does not exist`);
}

/** @throws KubectlError */
function requireServer(flags: Flags, server: string): void {
  const cluster = flags.text('cluster');
  if (server === '' && cluster !== '') throw new KubectlError(`no server found for cluster ${JSON.stringify(cluster)}`);
}

/** The namespace of commands; it does not depend on the user. Cf. clientcmd DirectClientConfig.Namespace. @throws KubectlError */
export function resolveNamespace(config: JsonObject, flags: Flags): string {
  const given = flags.text('namespace');
  if (given !== '') return given;
  const context = contextOf(config, flags);
  requireContext(config, flags, context);
  requireServer(flags, flags.text('server') || textAt(entryOf(config, 'clusters', flags.text('cluster')), 'server'));
  return textAt(context, 'namespace') || 'default';
}

/**
 * Flags override the context, which overrides the defaults. The entries that flags name have to exist, and are checked first.
 * Cf. clientcmd DirectClientConfig.ClientConfig. @throws KubectlError
 */
export function resolveTarget(config: JsonObject, flags: Flags): Target {
  const context = contextOf(config, flags);
  const userName = flags.text('user') || textAt(context, 'user');
  const clusterName = flags.text('cluster') || textAt(context, 'cluster');
  const user = entryOf(config, 'users', userName);
  const cluster = entryOf(config, 'clusters', clusterName);
  // The user of a context may be missing.
  requireEntry('auth info', flags.text('user'), user);
  requireEntry('context', flags.text('context'), context);
  requireEntry('cluster', flags.text('cluster'), cluster);
  requireContext(config, flags, context);
  const server = flags.text('server') || textAt(cluster, 'server');
  requireServer(flags, server);
  const given = flags.text('token');
  return {
    server: (server || 'http://localhost:8080').replace(/\/$/, '').replace(/^(?!https?:\/\/)/, 'http://'),
    userName,
    user: given === '' ? (user ?? {}) : { token: given },
    clusterName,
    cluster: cluster ?? {},
  };
}

/** True when the user entry has no credentials. */
export function lacksCredentials(user: JsonObject): boolean {
  const known = ['token', 'tokenFile', 'username', 'client-certificate', 'client-certificate-data', 'exec', 'auth-provider'];
  return !known.some((name) => user[name] !== undefined && user[name] !== '');
}

/** True when headers do not suffice: for TLS certificates and credential plugins. */
export function needsMoreThanHeaders({ user, cluster }: Target, flags: Flags): boolean {
  const named = [user, cluster].some((entry) =>
    Object.keys(entry).some((name) => /^(exec$|client-|certificate-|insecure-|tls-)/.test(name)),
  );
  return named || ['certificate-authority', 'client-certificate', 'insecure-skip-tls-verify'].some((name) => flags.changed(name));
}

/** The authentication and impersonation headers. @throws KubectlError */
export function authenticationHeaders({ user, userName }: Target, flags: Flags): Record<string, string> {
  const headers: Record<string, string> = {};
  const token = textAt(user, 'token');
  const password = textAt(user, 'password');
  if (token !== '') headers['authorization'] = `Bearer ${token}`;
  else if (textAt(user, 'username') !== '') headers['authorization'] = `Basic ${btoa(`${textAt(user, 'username')}:${password}`)}`;
  const as = flags.text('as') || textAt(user, 'as');
  if (as !== '') headers['impersonate-user'] = as;
  if (flags.text('as-uid') !== '') headers['impersonate-uid'] = flags.text('as-uid');
  if (as === '' && (flags.list('as-group').length > 0 || flags.text('as-uid') !== '')) {
    throw new KubectlError(`requesting uid, groups or user-extra for ${userName} without impersonating a user`);
  }
  return headers;
}

/** The impersonated groups: those of the flags, or the kubeconfig's `as-groups`. */
export function impersonatedGroups({ user }: Target, flags: Flags): readonly string[] {
  const given = flags.list('as-group');
  const configGroups = user['as-groups'];
  return given.length === 0 && flags.text('as') === '' && Array.isArray(configGroups) ? configGroups.map(String) : given;
}
