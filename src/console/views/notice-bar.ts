import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../model/console-model.ts';
import { type Credentials, tryContext } from '../model/identities.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { offerTexts } from './transport-texts.ts';

/** Error texts of the server when the browser's storage is full or was deleted. */
const storageErrorPattern = /database space exceeded|etcdserver: request timed out/;

/** Notices below the top bar on every screen, shown while they apply. */
export class NoticeBar extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false } };
  declare model: ConsoleModel;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);
  readonly requestWatcher: ModelWatcher = new ModelWatcher(this, () => this.model.requests);

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
        align-items: center;
        justify-content: center;
        padding: 0.375rem 1rem;
        background: var(--info-soft);
        color: var(--info);
      }
      .bad {
        background: var(--bad-soft);
        color: var(--bad);
      }
    `,
  ];

  override render(): TemplateResult {
    return html`${this.#offer()} ${this.#impersonation()} ${this.#storageError()}`;
  }

  /** Shown while the user impersonates another one. */
  #impersonation(): TemplateResult | typeof nothing {
    const { name, credentials } = this.model.context;
    if (name !== tryContext) return nothing;
    return html`
      <div role="status">
        <span>${impersonationText(credentials)}</span>
        <a class="button" href=${routeTo('access', 'try-as')}>${msg('Leave…')}</a>
      </div>
    `;
  }

  #offer(): TemplateResult | typeof nothing {
    const { offer } = this.model.status;
    if (offer === 'none') return nothing;
    if (offer === 'store-again') return this.#storageDeleted();
    const [text, action] = offerTexts[offer]();
    return html`
      <div role="status">
        <span>${text}</span>
        <button class="button" @click=${this.#accept}>${action}</button>
      </div>
    `;
  }

  /** Until it is stored again, the cluster lives in its worker, which ends with the last page. */
  #storageDeleted(): TemplateResult {
    return html`
      <div class="bad" role="alert">
        <span>${msg('This browser deleted the storage of this cluster. It is now in memory only and read-only.')}</span>
        <button class="button" @click=${this.#accept}>${msg('Store it again')}</button>
        <a class="button" href=${routeTo('clusters')}>${msg('Save it as a file…')}</a>
        <a class="button" href=${routeTo('settings')}>${msg('Start a new cluster…')}</a>
      </div>
    `;
  }

  readonly #accept = async (): Promise<void> => {
    const { offer } = this.model.status;
    await this.model.connection.acceptOffer();
    if (offer === 'update') location.reload();
  };

  /** Shown from the first failed write to the next successful one. Writes of controllers are excluded: they are small and retried. */
  #storageError(): TemplateResult | typeof nothing {
    const write = this.model.requests.records.findLast(
      ({ method, source, state, status, responseBody }) =>
        method !== 'GET' &&
        source.kind !== 'cluster' &&
        source.kind !== 'internal' &&
        state === 'done' &&
        (status < 300 || (status === 500 && storageErrorPattern.test(responseBody))),
    );
    // Deleted storage has its own notice.
    if (write?.status !== 500 || this.model.status.offer === 'store-again') return nothing;
    return html`
      <div class="bad" role="alert">
        <span>${msg("Changes can no longer be saved: the browser's storage is full or unavailable. You can still read the cluster and save it as a file.")}</span>
        <a class="button" href=${routeTo('clusters')}>${msg('Save it as a file…')}</a>
      </div>
    `;
  }
}

function impersonationText({ as, asGroups }: Credentials): string {
  const groups = asGroups.join(', ');
  if (as === '') return msg('You are using another token.');
  return groups === '' ? msg(str`You are impersonating ${as}.`) : msg(str`You are impersonating ${as} in ${groups}.`);
}
