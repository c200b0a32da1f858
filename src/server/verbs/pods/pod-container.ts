import { badRequest } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { RequestContext } from '../../request-context.ts';
import { refOf } from '../get.ts';

export type Pod = Decoded<corev1.Pod>;

export async function podOf(context: RequestContext): Promise<Pod> {
  return (await context.server.store.get(refOf(context))).object;
}

/** The requested or the default container. Cf. upstream validateContainer. @throws StatusError 400 */
export function containerOf({ info }: RequestContext, { spec }: Pod): string {
  const [main, init, ephemeral] = [namesOf(spec?.containers), namesOf(spec?.initContainers), namesOf(spec?.ephemeralContainers)];
  const requested = info.query.get('container') ?? '';
  if (requested !== '') {
    if ([...main, ...init, ...ephemeral].includes(requested)) return requested;
    throw badRequest(`container ${requested} is not valid for pod ${info.name}`);
  }
  if (main.length === 1) return main[0] ?? '';
  const choice = [...init, ...main, ...ephemeral].join(' ');
  throw badRequest(`a container name must be specified for pod ${info.name}, choose one of: [${choice}]`);
}

type NamedContainers = readonly { readonly name?: string | undefined }[] | null | undefined;

function namesOf(containers: NamedContainers): readonly string[] {
  return (containers ?? []).map(({ name = '' }) => name);
}

/** Whether a container of any of the three lists has a terminal. */
export function hasTerminal({ spec }: Pod, container: string): boolean {
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? []), ...(spec?.ephemeralContainers ?? [])];
  return all.find(({ name }) => name === container)?.tty === true;
}
