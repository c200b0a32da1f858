import type { JsonObject } from '../../meta/index.ts';
import type { Call } from '../program/command.ts';
import { type ChangeOptions, patchObject } from './changes.ts';
import { type Info, metadataOf, setMetadata, textsOf } from './info.ts';

/** With `--record`, the object with the command line as the annotation of the change's cause. Cf. ChangeCauseRecorder. */
export function withChangeCause(call: Call, object: JsonObject): JsonObject {
  if (!call.flags.bool('record')) return object;
  const annotations = { ...textsOf(metadataOf(object)['annotations']), [annotationName(call)]: commandLine(call) };
  return setMetadata(object, { annotations });
}

/** With `--record`, writes the annotation in a request of its own, for commands that do not send the whole object. */
export async function recordChangeCause(call: Call, info: Info, options: ChangeOptions): Promise<void> {
  if (!call.flags.bool('record')) return;
  const body = JSON.stringify({ metadata: { annotations: { [annotationName(call)]: commandLine(call) } } });
  await patchObject(call, info, 'merge', body, options);
}

function annotationName({ product }: Call): string {
  return product.rename('kubernetes.io/change-cause');
}

/** The arguments, then the flags in their order as `--name=value`. */
function commandLine({ commandPath, words, flags }: Call): string {
  const typed = flags.typed.map(({ name, value }) => `--${name}=${value}`);
  return ['kubectl', commandPath, ...words, ...typed].join(' ');
}
