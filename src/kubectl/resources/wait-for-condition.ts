import type { JsonObject } from '../../meta/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import type { Info } from './info.ts';
import { watchObject } from './watch-object.ts';

/** Watches the object until it meets the condition, with undefined for an absent one. @throws KubectlError after `endMs` */
export async function waitForCondition(
  call: Call,
  info: Info,
  condition: (object: JsonObject | undefined) => boolean,
  endMs: number,
): Promise<JsonObject | undefined> {
  for await (const live of watchObject(call, info, endMs)) if (condition(live)) return live ?? info.object;
  throw new KubectlError(`timed out waiting for the condition on ${info.resource.name}/${info.name}`);
}
