import type { ApiObject, JsonObject } from '../../../meta/index.ts';
import { isTrue } from '../../parameters/query-values.ts';
import type { RequestContext } from '../../request-context.ts';

/** The options of a connection as the object that admission gets: PodExecOptions and similar kinds. */
export function connectionOptions({ info, subresource }: RequestContext): ApiObject {
  const { kind = '', groupVersion: apiVersion = '', name = '' } = subresource ?? {};
  const options: Readonly<Record<string, () => JsonObject>> = {
    exec: () => streamOptions(info.query, true),
    attach: () => streamOptions(info.query, false),
    portforward: () => portOptions(info.query),
    proxy: () => pathOptions(info),
  };
  return { kind, apiVersion, ...options[name]?.() } as unknown as ApiObject;
}

/** Go omits false and empty members, but not the command. */
function streamOptions(query: URLSearchParams, runsCommand: boolean): JsonObject {
  const streams = ['stdin', 'stdout', 'stderr', 'tty'].filter((name) => isTrue(query, name));
  const container = query.get('container') ?? '';
  const command = query.getAll('command');
  return {
    ...Object.fromEntries(streams.map((name) => [name, true])),
    ...(container === '' ? {} : { container }),
    ...(runsCommand ? { command: command.length > 0 ? command : null } : {}),
  };
}

function portOptions(query: URLSearchParams): JsonObject {
  const ports = query.getAll('ports').flatMap((value) => value.split(',').map(Number));
  return ports.length > 0 ? { ports } : {};
}

/** The path after `proxy`, with a trailing slash if there is one. */
function pathOptions({ parts, path }: RequestContext['info']): JsonObject {
  const below = parts.slice(3).join('/');
  const rooted = below === '' ? '' : `/${below}`;
  const whole = path.endsWith('/') && !rooted.endsWith('/') ? `${rooted}/` : rooted;
  return whole === '' ? {} : { path: whole };
}
