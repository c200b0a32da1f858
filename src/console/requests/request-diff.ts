import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../model/console-model.ts';
import type { RequestRecord } from '../model/request-log.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { diffStyles, diffView } from '../views/diff-view.ts';
import { detailStyles } from './detail-styles.ts';
import { findPrevious, requestText, responseText } from './previous.ts';
import { formatTime } from './requests-screen.ts';

/** The differences between a request, its response and the previous request with the same method and path. */
export class RequestDiff extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false }, record: { attribute: false }, state: {} };
  declare model: ConsoleModel;
  declare record: RequestRecord;
  /** The state of the record. Its change triggers an update, since the record is mutable. */
  declare state: RequestRecord['state'];

  static override styles: CSSResultGroup = [sharedStyles, detailStyles, diffStyles];

  override render(): TemplateResult {
    const before = findPrevious(this.model.requests.records, this.record);
    const { method } = this.record;
    if (before === undefined) return html`<p>${msg(str`No earlier ${method} request for this path.`)}</p>`;
    const { status } = before;
    const link = routeTo('requests', before.id);
    const sentAt = formatTime(before.startMs);
    const part = (title: string, label: string, text: (record: RequestRecord) => string): TemplateResult =>
      html`<h4>${title}</h4>${diffView(text(before), text(this.record), label)}`;
    return html`
      <p>${msg(html`Compared with <a href=${link}>${method} ${status} at ${sentAt}</a>.`)}</p>
      ${part(msg('Request', { desc: 'of a pair of request and response' }), msg('Changes of the request'), requestText)}
      ${part(msg('Response', { desc: 'of a pair of request and response' }), msg('Changes of the response'), responseText)}
    `;
  }
}
