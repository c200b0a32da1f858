import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Mode, Part } from '../../tutorials/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { homeDirectory } from '../model/identities.ts';
import { routeTo } from '../routes.ts';

/** Renders text, a command or a file of a lesson. */
export function lessonPart(part: Part, mode: Mode, model: ConsoleModel | undefined): TemplateResult {
  switch (part.kind) {
    case 'prose':
      // Compiled from Markdown with HTML escaped (tutorials/format/render-prose.ts).
      return html`<div class="prose">${unsafeHTML(part.html)}</div>`;
    case 'command':
      return html`<tp-lesson-command .command=${part} .model=${model} .mode=${mode}></tp-lesson-command>`;
    case 'file':
      return filePart(part.name, part.text, model);
    default:
      return part satisfies never;
  }
}

function filePart(name: string, text: string, model: ConsoleModel | undefined): TemplateResult {
  const path = `${homeDirectory}/${name}`;
  const words = msg('edit', { desc: 'opens a file' });

  return html`
    <figure class="file">
      <figcaption>
        <span>${msg(html`<code>${name}</code> is in your home folder`)}</span>${
          model === undefined
            ? html`<a href=${routeTo('files', path)}>${words}</a>`
            : html`<button class="quiet" aria-label=${msg(str`Edit ${name}`)} @click=${() => model.edit(path)}>${words}</button>`
        }
      </figcaption>
      <pre class="text" tabindex="0">${text}</pre>
    </figure>
  `;
}

/** The switch between the panes of a narrow page. */
export function lessonPanes(shown: 'lesson' | 'console', show: (pane: 'lesson' | 'console') => void): TemplateResult {
  return html`
    <div class="panes" role="group" aria-label=${msg('Shown', { desc: 'which half of a narrow page' })}>
      ${(['lesson', 'console'] as const).map(
        (pane) =>
          html`<button class="button" aria-pressed=${pane === shown ? 'true' : 'false'} @click=${() => show(pane)}>${pane === 'lesson' ? msg('Lesson') : msg('Console')}</button>`,
      )}
    </div>
  `;
}
