import type { User } from '../authn/index.ts';
import { authenticatedGroup, unauthenticatedGroup } from '../authn/index.ts';
import { type Attributes, createForbiddenError, resourceAttributes } from '../authz/index.ts';
import {
  type ApiRequest,
  decodePercentEscapes,
  isDns1123Label,
  isDns1123Subdomain,
  type Product,
  type RequestHeaders,
} from '../meta/index.ts';
import { InternalFailure } from './response/internal-failure.ts';
import type { ServerDependencies } from './server-dependencies.ts';

/** One impersonated attribute: a user, a service account, a group, a uid, or a value of an extra field. */
interface ImpersonationRequest {
  readonly kind: 'User' | 'ServiceAccount' | 'Group' | 'UID' | 'UserExtra';
  /** Of a service account. */
  readonly namespace: string;
  readonly name: string;
  /** The field of an extra value. */
  readonly key: string;
}

const headerPrefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';

/**
 * The impersonated user of a request; undefined when it has no impersonation headers. Cf. upstream endpoints/filters WithImpersonation.
 * @throws StatusError 403 for the first attribute that is not allowed; InternalFailure
 */
export async function impersonateUser(server: ServerDependencies, request: ApiRequest, user: User): Promise<User | undefined> {
  const wishes = readImpersonationRequests(request.headers);
  if (wishes.length === 0) return undefined;
  const group = server.product.rename('authentication.k8s.io');
  if (!wishes.some(isUser)) {
    throw new InternalFailure(
      `requested [${wishes.map((wish) => formatObjectReference(wish, group)).join(' ')}] without impersonating a user`,
    );
  }
  for (const wish of wishes) {
    const attributes = resourceAttributes(user, { verb: 'impersonate', ...impersonationAttributes(wish, server.product) });
    const { verdict, reason } = await server.authorization.authorize(attributes);
    if (verdict !== 'allow') throw createForbiddenError(attributes, reason);
  }
  return userFromRequests(wishes);
}

const isUser = ({ kind }: ImpersonationRequest): boolean => kind === 'User' || kind === 'ServiceAccount';

function readImpersonationRequests(headers: RequestHeaders): readonly ImpersonationRequest[] {
  // Fast path: few requests impersonate, and all of them pass here.
  if (!hasImpersonationHeaders(headers)) return [];
  const wish = (kind: ImpersonationRequest['kind'], name: string, more: Partial<ImpersonationRequest> = {}): ImpersonationRequest => ({
    kind,
    namespace: '',
    name,
    key: '',
    ...more,
  });
  const name = headerValues(headers, 'impersonate-user')[0] ?? '';
  const account = accountOf(name);
  const users = name === '' ? [] : [account ? wish('ServiceAccount', account.name, { namespace: account.namespace }) : wish('User', name)];
  const groups = headerValues(headers, 'impersonate-group').map((group) => wish('Group', group));
  const extras: ImpersonationRequest[] = [];
  for (const [header] of headers) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = decodePercentEscapes(header.slice(extraPrefix.length));
    extras.push(...headerValues(headers, header).map((value) => wish('UserExtra', value, { key })));
  }
  const uid = headerValues(headers, 'impersonate-uid')[0] ?? '';
  return [...users, ...groups, ...extras, ...(uid === '' ? [] : [wish('UID', uid)])];
}

function hasImpersonationHeaders(headers: RequestHeaders): boolean {
  for (const [name] of headers) if (name.startsWith(headerPrefix)) return true;
  return false;
}

/** The service account of a user name; undefined for other users. */
function accountOf(username: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace = '', name = ''] = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(username) ?? [];
  return isDns1123Label(namespace).length === 0 && isDns1123Subdomain(name).length === 0 ? { namespace, name } : undefined;
}

/** All values of a header; values that a transport has joined are split again. */
function headerValues(headers: RequestHeaders, name: string): readonly string[] {
  const value = headers.get(name);
  if (value === null) return [];
  return headers.getAll?.(name) ?? value.split(', ');
}

/** Authorization attributes of an impersonated attribute. */
function impersonationAttributes(
  { kind, namespace, name, key }: ImpersonationRequest,
  product: Product,
): Pick<Attributes, 'group' | 'resource'> & Partial<Attributes> {
  const group = product.rename('authentication.k8s.io');
  switch (kind) {
    case 'ServiceAccount':
      return { group: '', version: 'v1', resource: 'serviceaccounts', namespace, name };
    case 'User':
      return { group: '', version: '', resource: 'users', name };
    case 'Group':
      return { group: '', version: '', resource: 'groups', name };
    case 'UserExtra':
      return { group, version: 'v1', resource: 'userextras', subresource: key, name };
    case 'UID':
      return { group, version: 'v1', resource: 'uids', name };
  }
}

function userFromRequests(wishes: readonly ImpersonationRequest[]): User {
  const user = wishes.find(isUser);
  const username = user?.kind === 'ServiceAccount' ? `system:serviceaccount:${user.namespace}:${user.name}` : (user?.name ?? '');
  const named = wishes.filter(({ kind }) => kind === 'Group').map(({ name }) => name);
  // Requested groups replace the default groups of a service account.
  const own = user?.kind === 'ServiceAccount' && named.length === 0 ? accountGroups(user.namespace) : named;
  // A map, since the keys are user input: a record would have a `constructor` key.
  const extra = new Map<string, readonly string[]>();
  for (const { kind, key, name } of wishes) if (kind === 'UserExtra') extra.set(key, [...(extra.get(key) ?? []), name]);
  const uid = wishes.find(({ kind }) => kind === 'UID')?.name ?? '';
  return { username, uid, groups: withImplied(username, own), extra: Object.fromEntries(extra) };
}

const accountGroups = (namespace: string): readonly string[] => ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];

function withImplied(username: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups;
  if (username === 'system:anonymous') return [...groups, unauthenticatedGroup];
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
}

/**
 * Go's %v of the ObjectReference that kube-apiserver makes of an impersonation request: kind, namespace, name, uid, version, resource
 * version, path.
 */
function formatObjectReference({ kind, namespace, name, key }: ImpersonationRequest, group: string): string {
  const version = kind === 'UID' || kind === 'UserExtra' ? `${group}/v1` : '';
  return `{${[kind, namespace, name, '', version, '', key].join(' ')}}`;
}
