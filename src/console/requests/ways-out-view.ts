import { html, nothing, type TemplateResult } from 'lit';
import { identities } from '../model/identities.ts';
import type { KeptRange, OwnershipConflict } from './ways-out.ts';

/** Both managers of each field, and what one can do. */
export function conflictView({ mine, others }: OwnershipConflict): TemplateResult {
  const fields = others.flatMap((other) => other.fields);
  return html`
    <h4 class="grant">Who owns what</h4>
    <table>
      <thead><tr><th scope="col">Field</th><th scope="col">Owned by</th><th scope="col">Wanted by</th></tr></thead>
      <tbody>
        ${others.flatMap(({ manager, fields: owned }) => owned.map((field) => html`<tr><td>${field}</td><td>${manager}</td><td>${mine}</td></tr>`))}
      </tbody>
    </table>
    <h4 class="grant">Three ways out</h4>
    <ol>
      <li>Take the fields: <code>kubectl apply --server-side --force-conflicts</code>. ${others.map(({ manager }) => manager).join(', ')} no longer owns them.</li>
      <li>Leave the fields to others: take ${fields.join(', ')} out of what is applied.</li>
      <li>Agree: apply the value that the object has, and own the fields together.</li>
    </ol>
  `;
}

/** The line of revisions, from the one that was asked for. */
export function keptRangeView({ asked, oldest, newest }: KeptRange): TemplateResult {
  const at = (revision: number): string => `${newest > asked ? (100 * (revision - asked)) / (newest - asked) : 0}%`;
  const told = oldest === undefined ? `revisions up to ${newest} are there, not all of them` : `revisions ${oldest} to ${newest} are kept`;
  return html`
    <h4 class="grant">Revision ${asked} is gone; ${told}</h4>
    <div class="revisions" role="img" aria-label=${`asked for ${asked}, ${told}`}>
      ${oldest === undefined ? nothing : html`<span class="kept" .style=${`inset-inline-start: ${at(oldest)}`}></span>`}
    </div>
    <p class="ends"><span>${asked} asked</span>${oldest === undefined ? nothing : html`<span>${oldest} oldest</span>`}<span>${newest} newest</span></p>
  `;
}

/** Sends the request again; told the token of the chosen user, or nothing for the same one. */
export function replayView(send: (token: string) => void): TemplateResult {
  const chosen = (event: Event): void => {
    const form = event.currentTarget as HTMLFormElement;
    event.preventDefault();
    send(String(new FormData(form).get('user') ?? ''));
  };
  return html`
    <form class="replay" @submit=${chosen}>
      <label>Send again as
        <select name="user">
          <option value="">the same user</option>
          ${identities.map(({ name, token }) => (token === undefined ? nothing : html`<option value=${token}>${name}</option>`))}
        </select>
      </label>
      <button class="quiet">Send</button>
    </form>
  `;
}
