import {
  type ApiObject,
  badRequest,
  type FieldError,
  invalid,
  invalidObject,
  isJsonObject,
  type JsonObject,
  StatusError,
} from '../../meta/index.ts';
import type { ResourceVerb, Subresource } from '../../schema/index.ts';
import type { Answer, Call } from '../call.ts';
import { uncached } from '../respond.ts';
import { refOf } from './get.ts';
import { membersOf, textOf } from './members.ts';

const connections: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

export function isConnection({ name }: Subresource): boolean {
  return connections.has(name);
}

/**
 * What the real server passes on to a kubelet or to a pod. Here no node can be reached, so these answer as it does then: first what
 * is wrong with the request, then that there is nobody to ask. Cf. upstream registry/core/pod/rest and strategy LogLocation.
 */
export async function connect(_: ResourceVerb, call: Call): Promise<Answer> {
  const { subresource, resource, info } = call;
  const name = subresource?.name ?? '';
  if (name === 'log') refuseLogOptions(call);
  const { object } = await call.server.store.get(refOf(call));
  if (resource.name === 'services') throw noEndpoints(info.name);
  if (resource.name === 'nodes') throw new StatusError(503, 'ServiceUnavailable', `address not allowed`);
  if (name === 'proxy') throw unreachable(object);
  const container = containerOf(call, object, name);
  const node = textOf(membersOf(object, 'spec'), 'nodeName');
  if (node !== '') throw noNode(node);
  if (name !== 'log') throw badRequest(`pod ${info.name} does not have a host assigned`);
  // Without a node there is nothing to show yet, of whichever container.
  return { form: 'response', response: { status: container === '' ? 200 : 204, headers: [uncached], body: undefined } };
}

/** @throws StatusError 422 */
function refuseLogOptions({ info }: Call): void {
  const errors: FieldError[] = [];
  const number = (name: string, least: number, why: string): void => {
    const text = info.query.get(name);
    if (text !== null && /^-?\d+$/.test(text) && Number(text) < least) errors.push(invalid(name, Number(text), why));
  };
  number('tailLines', 0, 'must be greater than or equal to 0');
  number('limitBytes', 1, 'must be greater than 0');
  number('sinceSeconds', 1, 'must be greater than 0');
  if (errors.length > 0) throw invalidObject({ group: '', name: 'PodLogOptions' }, info.name, errors);
}

/** The container that is meant. @throws StatusError 400 */
function containerOf({ info }: Call, pod: ApiObject, what: string): string {
  if (what === 'portforward') return '';
  const spec = membersOf(pod, 'spec');
  const lists = [spec['containers'], spec['initContainers'], spec['ephemeralContainers']];
  const [main = [], init = [], ephemeral = []] = lists.map((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  const names = (list: readonly JsonObject[]): readonly string[] => list.map((container) => textOf(container, 'name'));
  const asked = info.query.get('container') ?? '';
  if (asked !== '') {
    if (names([...main, ...init, ...ephemeral]).includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${info.name}`);
  }
  if (main.length === 1) return names(main)[0] ?? '';
  const others = init.length > 0 ? ` or one of the init containers: [${names(init).join(' ')}]` : '';
  throw badRequest(`a container name must be specified for pod ${info.name}, choose one of: [${names(main).join(' ')}]${others}`);
}

function noNode(node: string): StatusError {
  return new StatusError(404, 'NotFound', `nodes ${JSON.stringify(node)} not found`, { name: node, kind: 'nodes' });
}

function noEndpoints(name: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', `no endpoints available for service ${JSON.stringify(name)}`);
}

function unreachable(pod: ApiObject): StatusError {
  const address = textOf(membersOf(pod, 'status'), 'podIP');
  if (address === '') return badRequest('address not allowed');
  return new StatusError(503, 'ServiceUnavailable', `error trying to reach service: dial tcp ${address}: connect: no route to host`);
}
