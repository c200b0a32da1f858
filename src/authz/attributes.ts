import { type FieldRequirements, type LabelRequirements, StatusError } from '../meta/index.ts';

/** Who asks, as authentication found out. */
export interface Identity {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What a list, watch or deletecollection is narrowed to; what cannot be parsed narrows nothing. */
export interface Selectors {
  readonly field: FieldRequirements;
  readonly label: LabelRequirements;
}

/** What is asked for, and by whom (part 5.6 rule 2). */
export interface Attributes {
  readonly user: Identity;
  readonly isResourceRequest: boolean;
  readonly verb: string;
  readonly group: string;
  /** `*` where a question names none. */
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of a request for no resource. */
  readonly path: string;
  /** Read only when an authorizer wants to know: most do not. */
  selectors(): Selectors;
}

const nothingSelected: Selectors = { field: [], label: [] };
export const withoutSelectors = (): Selectors => nothingSelected;

/** A question about a resource, with what it leaves out. */
export function resourceAttributes(
  user: Identity,
  asked: Pick<Attributes, 'verb' | 'group' | 'resource'> & Partial<Attributes>,
): Attributes {
  return {
    version: '*',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    selectors: withoutSelectors,
    ...asked,
    user,
    isResourceRequest: true,
  };
}

/** Go's %q of a text without control characters. */
const quoted = (text: string): string => JSON.stringify(text);

/** What HTML would make of names is not left to browsers. */
const sanitized = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The 403 in the real server's words; `reason` is what the authorizers had to say. */
export function forbiddenBy(attributes: Attributes, reason: string): StatusError {
  const { isResourceRequest, group, resource, name } = attributes;
  const why = `${sanitized(refusalOf(attributes))}${reason === '' ? '' : `: ${reason}`}`;
  if (!isResourceRequest) return new StatusError(403, 'Forbidden', `forbidden: ${why}`, {});
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === '' ? qualified : `${qualified} ${quoted(name)}`;
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${why}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  });
}

function refusalOf({ user, isResourceRequest, verb, group, resource, subresource, namespace, path }: Attributes): string {
  const who = `User ${quoted(user.username)} cannot ${verb}`;
  if (!isResourceRequest) return `${who} path ${quoted(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(namespace)}`;
  return `${who} resource ${quoted(what)} in API group ${quoted(group)} ${where}`;
}
