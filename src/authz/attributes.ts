import { type FieldRequirements, type LabelRequirements, StatusError } from '../meta/index.ts';

/** The authenticated user. */
export interface Identity {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Selectors of a list, watch or deletecollection; unparsable ones are empty. */
export interface Selectors {
  readonly field: FieldRequirements;
  readonly label: LabelRequirements;
}

/** The attributes of a request (part 5.6 rule 2). Cf. upstream authorizer.Attributes. */
export interface Attributes {
  readonly user: Identity;
  readonly isResourceRequest: boolean;
  readonly verb: string;
  readonly group: string;
  /** `*` when an access review names none. */
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** For non-resource requests. */
  readonly path: string;
  /** Evaluated on demand: most authorizers do not need it. */
  selectors(): Selectors;
}

const nothingSelected: Selectors = { field: [], label: [] };
export const withoutSelectors = (): Selectors => nothingSelected;

/** Attributes of a resource request, with defaults. */
export function resourceAttributes(
  user: Identity,
  attributes: Pick<Attributes, 'verb' | 'group' | 'resource'> & Partial<Attributes>,
): Attributes {
  return {
    version: '*',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    selectors: withoutSelectors,
    ...attributes,
    user,
    isResourceRequest: true,
  };
}

/** Go's %q for text without control characters. */
const quote = (text: string): string => JSON.stringify(text);

/** Escapes HTML, so that browsers do not interpret names as markup. */
const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The 403 with upstream's message; `reason` comes from the authorizers. */
export function createForbiddenError(attributes: Attributes, reason: string): StatusError {
  const { isResourceRequest, group, resource, name } = attributes;
  const why = `${escapeHtml(forbiddenMessage(attributes))}${reason === '' ? '' : `: ${reason}`}`;
  if (!isResourceRequest) return new StatusError(403, 'Forbidden', `forbidden: ${why}`, {});
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === '' ? qualified : `${qualified} ${quote(name)}`;
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${why}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  });
}

function forbiddenMessage({ user, isResourceRequest, verb, group, resource, subresource, namespace, path }: Attributes): string {
  const prefix = `User ${quote(user.username)} cannot ${verb}`;
  if (!isResourceRequest) return `${prefix} path ${quote(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `${prefix} resource ${quote(what)} in API group ${quote(group)} ${where}`;
}
