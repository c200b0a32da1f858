import { badRequest, type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';
import type { RequestContext } from '../../request-context.ts';
import { refOf } from '../get.ts';

export async function podOf(context: RequestContext): Promise<JsonObject> {
  return (await context.server.store.get(refOf(context))).object;
}

/** The requested or the default container. Cf. upstream validateContainer. @throws StatusError 400 */
export function containerOf({ info }: RequestContext, pod: JsonObject): string {
  const spec = recordAt(pod, 'spec');
  const names = (list: string): readonly string[] => objectsAt(spec, list).map((container) => textAt(container, 'name'));
  const [main, init, ephemeral] = [names('containers'), names('initContainers'), names('ephemeralContainers')];
  const requested = info.query.get('container') ?? '';
  if (requested !== '') {
    if ([...main, ...init, ...ephemeral].includes(requested)) return requested;
    throw badRequest(`container ${requested} is not valid for pod ${info.name}`);
  }
  if (main.length === 1) return main[0] ?? '';
  const choice = [...init, ...main, ...ephemeral].join(' ');
  throw badRequest(`a container name must be specified for pod ${info.name}, choose one of: [${choice}]`);
}

/** A container of any of the three lists. */
export function containerSpecOf(pod: JsonObject, name: string): JsonObject | undefined {
  const spec = recordAt(pod, 'spec');
  const all = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list));
  return all.find((container) => textAt(container, 'name') === name);
}
