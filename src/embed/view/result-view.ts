import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { ExampleResult, FieldChange, ObjectChange, RequestRecord } from '../story/index.ts';
import type { Translate } from './messages.ts';

/** A part of the output, as it was written. */
export interface OutputChunk {
  readonly text: string;
  readonly stream: 'out' | 'err';
}

export interface ResultView {
  readonly chunks: readonly OutputChunk[];
  /** Undefined while it runs. */
  readonly result: ExampleResult | undefined;
}

/** The output, the changed objects and the requests. All texts of the cluster are inserted as text. */
export function renderResult({ chunks, result }: ResultView, translate: Translate): TemplateResult {
  const text = chunks.map((chunk) => (chunk.stream === 'err' ? html`<span class="err" part="error">${chunk.text}</span>` : chunk.text));
  const isEmpty = result !== undefined && chunks.every((chunk) => chunk.text === '');
  return html`<div class="result" part="result" translate="no">
    <pre class="output" part="output" tabindex="0" role="region" aria-label=${translate('output')}>${isEmpty ? translate('noOutput') : text}</pre>
    ${result && result.changes.length > 0 ? renderChanges(result.changes, translate) : nothing}
    ${result && result.requests.length > 0 ? renderRequests(result.requests, translate) : nothing}
  </div>`;
}

function renderChanges(changes: readonly ObjectChange[], translate: Translate): TemplateResult {
  const items = changes.map(({ action, kind, namespace, name, fields }) => {
    const address = namespace === '' ? name : `${namespace}/${name}`;
    return html`<li><code>${kind} ${address}</code> ${translate(action)}${fields.length === 0 ? nothing : renderFields(fields, translate)}</li>`;
  });
  return html`<details part="changes"><summary>${translate('changes', changes.length)}</summary><ul>${items}</ul></details>`;
}

function renderFields(fields: readonly FieldChange[], translate: Translate): TemplateResult {
  const shown = (value: string | undefined): string => value ?? translate('absent');
  const items = fields.map(
    ({ path, before, after }) => html`<li><code>${path}: <del>${shown(before)}</del> → <ins>${shown(after)}</ins></code></li>`,
  );
  return html`<ul>${items}</ul>`;
}

function renderRequests(requests: readonly RequestRecord[], translate: Translate): TemplateResult {
  const rows = requests.map(({ method, path, user, code }) => html`<tr><td>${method} ${path}</td><td>${user}</td><td>${code}</td></tr>`);
  return html`<details part="requests"><summary>${translate('requests', requests.length)}</summary>
    <table><thead><tr><th scope="col">${translate('request')}</th><th scope="col">${translate('user')}</th><th scope="col">${translate('status')}</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}
