import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { type JsonObject, type NodeState, nodeStateAnnotation, nodeStateOf, recordAt, textAt } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { createClient } from '../api.ts';
import { objectPath } from '../object-path.ts';
import type { ExplorePlace } from '../place.ts';

/** A button that stops a simulated node, as by a power failure, or starts it again; nothing for other objects. */
export function nodePowerButton(
  object: JsonObject,
  disabled: boolean,
  change: (state: NodeState) => void,
): TemplateResult | typeof nothing {
  const annotations = recordAt(recordAt(object, 'metadata'), 'annotations');
  if (object['kind'] !== 'Node' || textAt(annotations, nodeStateAnnotation) === '') return nothing;
  const isRunning = nodeStateOf(object as unknown as Parameters<typeof nodeStateOf>[0]) === 'running';
  const label = isRunning ? msg('Stop node') : msg('Start node');
  return html`<button class="button" ?disabled=${disabled} @click=${() => change(isRunning ? 'stopped' : 'running')}>${label}</button>`;
}

/** @throws StatusError */
export async function changeNodeState(model: ConsoleModel, place: ExplorePlace, state: NodeState): Promise<void> {
  const body = { metadata: { annotations: { [nodeStateAnnotation]: state } } };
  const contentType = 'application/merge-patch+json';
  await createClient(model, { screen: 'explore' }).text('PATCH', objectPath(place), { body, contentType });
}
