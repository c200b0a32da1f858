import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { errorText } from '../explore/api.ts';
import { panelStyles } from '../explore/object/panel-styles.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { tryContext } from '../model/identities.ts';
import { sharedStyles } from '../shared-styles.ts';
import { accessStyles } from './access-styles.ts';
import type { UserInfo } from './rbac.ts';
import { endTryAs, type ImpersonationTarget, tryAs } from './try-as.ts';

/** Switches to another identity, by impersonation or with a token. */
export class TryAsView extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false }, me: { attribute: false }, failure: { state: true } };
  declare model: ConsoleModel;
  declare me: UserInfo | undefined;
  declare failure: string;

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    accessStyles,
    css`
      :host {
        max-width: 48rem;
        padding: 0;
      }
    `,
  ];

  constructor() {
    super();
    this.failure = '';
  }

  override render(): TemplateResult {
    const { me } = this;
    const trying = this.model.context.name === tryContext;
    return html`
      <p role="status">${me === undefined ? msg('Your identity is not known yet.') : identityText(me)}</p>
      ${this.failure === '' ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`}
      ${trying ? html`<button class="button primary" @click=${() => this.#run(() => endTryAs(this.model))}>${msg('Stop impersonating')}</button>` : nothing}
      <h3>${msg('As another user (requires the permission to impersonate)')}</h3>
      <form class="form" @submit=${this.#impersonate}>
        <label>${msg('User')}<input name="user" required autocomplete="off" spellcheck="false" placeholder=${msg('jane', { desc: 'an example of a user' })} /></label>
        <label>${msg('Groups', { desc: 'of a user' })}<input name="groups" autocomplete="off" spellcheck="false" placeholder=${msg('dev, qa', { desc: 'an example of groups' })} /></label>
        <button class="button">${msg('Try', { desc: 'to use another identity' })}</button>
      </form>
      <h3>${msg('With a token')}</h3>
      <form class="form" @submit=${this.#useToken}>
        <label>${msg('Token')}<input name="token" required autocomplete="off" spellcheck="false" /></label>
        <button class="button">${msg('Try', { desc: 'to use another identity' })}</button>
      </form>
      <p class="note">${msg(str`The whole page uses this identity, through the context "${tryContext}" in the kubeconfig. With an unknown token, all requests return 401.`)}</p>
    `;
  }

  readonly #impersonate = (event: SubmitEvent): void => {
    const groups = this.#value(event, 'groups')
      .split(/[\s,]+/)
      .filter((group) => group !== '');
    this.#try({ user: this.#value(event, 'user'), groups });
  };

  readonly #useToken = (event: SubmitEvent): void => this.#try({ token: this.#value(event, 'token') });

  #value(event: SubmitEvent, name: string): string {
    event.preventDefault();
    return String(new FormData(event.currentTarget as HTMLFormElement).get(name) ?? '').trim();
  }

  #try(target: ImpersonationTarget): void {
    this.#run(() => tryAs(this.model, target));
  }

  #run(work: () => Promise<void>): void {
    this.failure = '';
    void work().catch((error: unknown) => {
      this.failure = errorText(error);
    });
  }
}

function identityText({ user, groups }: UserInfo): TemplateResult {
  const listed = groups.join(', ');
  return listed === ''
    ? msg(html`You are authenticated as <strong translate="no">${user}</strong>, in no groups.`)
    : msg(html`You are authenticated as <strong translate="no">${user}</strong>, in <span translate="no">${listed}</span>.`);
}
