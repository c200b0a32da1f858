import { StatusError } from '../meta/index.ts';

/** What is asked for, and by whom (part 5.6 rule 2). */
export interface Attributes {
  readonly user: { readonly username: string; readonly groups: readonly string[] };
  readonly isResourceRequest: boolean;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of a request for no resource. */
  readonly path: string;
}

/** Go's %q of a text without control characters. */
const quoted = (text: string): string => JSON.stringify(text);

/** The 403 in the real server's words; `reason` is what the authorizers had to say. */
export function forbiddenBy(attributes: Attributes, reason: string): StatusError {
  const { user, isResourceRequest, verb, group, resource, subresource, namespace, name, path } = attributes;
  const who = `User ${quoted(user.username)} cannot ${verb}`;
  const why = reason === '' ? '' : `: ${reason}`;
  if (!isResourceRequest) return new StatusError(403, 'Forbidden', `forbidden: ${who} path ${quoted(path)}${why}`, {});
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(namespace)}`;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === '' ? qualified : `${qualified} ${quoted(name)}`;
  const message = `${subject} is forbidden: ${who} resource ${quoted(what)} in API group ${quoted(group)} ${where}${why}`;
  return new StatusError(403, 'Forbidden', message, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  });
}
