import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { identities } from '../model/identities.ts';
import type { OwnershipConflict, RevisionRange } from './failure-details.ts';

/** Shows both managers of each field, and how to resolve the conflict. */
export function conflictView({ mine, others }: OwnershipConflict): TemplateResult {
  const fields = others.flatMap((other) => other.fields).join(', ');
  const managers = others.map(({ manager }) => manager).join(', ');
  return html`
    <h4 class="grant">${msg('Field ownership')}</h4>
    <table>
      <thead><tr><th scope="col">${msg('Field')}</th><th scope="col">${msg('Owned by')}</th><th scope="col">${msg('Applied by')}</th></tr></thead>
      <tbody>
        ${others.flatMap(({ manager, fields: owned }) => owned.map((field) => html`<tr><td>${field}</td><td>${manager}</td><td>${mine}</td></tr>`))}
      </tbody>
    </table>
    <h4 class="grant">${msg('How to resolve the conflict')}</h4>
    <ol>
      <li>${msg(html`Take ownership: <code>kubectl apply --server-side --force-conflicts</code>. ${managers} no longer owns the fields.`)}</li>
      <li>${msg(str`Give up ownership: remove ${fields} from the applied configuration.`)}</li>
      <li>${msg('Share ownership: apply the current value, so that both managers own the fields.')}</li>
    </ol>
  `;
}

/** Shows the requested and the available revisions on a line. */
export function revisionRangeView({ requested, oldest, newest }: RevisionRange): TemplateResult {
  const at = (revision: number): string => `${newest > requested ? (100 * (revision - requested)) / (newest - requested) : 0}%`;
  const title =
    oldest === undefined
      ? msg(str`Revision ${requested} has been compacted; only some revisions up to ${newest} are available`)
      : msg(str`Revision ${requested} has been compacted; revisions ${oldest} to ${newest} are available`);
  const label =
    oldest === undefined
      ? msg(str`requested ${requested}; only some revisions up to ${newest} are available`)
      : msg(str`requested ${requested}; revisions ${oldest} to ${newest} are available`);
  return html`
    <h4 class="grant">${title}</h4>
    <div class="revisions" role="img" aria-label=${label}>
      ${oldest === undefined ? nothing : html`<span class="available" .style=${`inset-inline-start: ${at(oldest)}`}></span>`}
    </div>
    <p class="ends"><span>${msg(str`${requested} requested`, { desc: 'the requested revision' })}</span>${oldest === undefined ? nothing : html`<span>${msg(str`${oldest} oldest`, { desc: 'the oldest available revision' })}</span>`}<span>${msg(str`${newest} newest`, { desc: 'the newest revision' })}</span></p>
  `;
}

/** The form to send the request again. Calls `send` with the token of the chosen user, or empty for the same user. */
export function replayView(send: (token: string) => void): TemplateResult {
  const chosen = (event: Event): void => {
    const form = event.currentTarget as HTMLFormElement;
    event.preventDefault();
    send(String(new FormData(form).get('user') ?? ''));
  };
  return html`
    <form class="replay" @submit=${chosen}>
      <label>${msg('Send again as', { desc: 'before the user to choose' })}
        <select name="user">
          <option value="">${msg('the same user')}</option>
          ${identities.map(({ name, token }) => (token === undefined ? nothing : html`<option value=${token}>${name}</option>`))}
        </select>
      </label>
      <button class="quiet">${msg('Send')}</button>
    </form>
  `;
}
