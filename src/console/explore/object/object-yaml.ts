import { type CSSResultGroup, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Json, JsonObject } from '../../../meta/index.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { withoutManagedFields } from './noise.ts';
import { panelStyles } from './panel-styles.ts';

/** The object as YAML. */
export class ObjectYaml extends LitElement {
  static override properties: PropertyDeclarations = { object: { attribute: false }, print: { attribute: false } };
  declare object: JsonObject;
  declare print: ((value: Json) => string) | undefined;

  static override styles: CSSResultGroup = [sharedStyles, panelStyles];

  override render(): TemplateResult {
    const text = this.print?.(withoutManagedFields(this.object)) ?? '';
    return html`<pre tabindex="0" role="region" aria-label="YAML">${text}</pre>`;
  }
}
