import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../model/console-model.ts';
import { homeDirectory, shortenPath } from '../model/identities.ts';
import { writeCopy } from '../model/write-copy.ts';
import type { FetchedFile } from '../share/url-frame.ts';
import { sharedStyles } from '../shared-styles.ts';

/** The URL that a failed command could not read. */
export function unreadableUrl(output: string): string | undefined {
  return /unable to read URL "(https?:[^"]+)"/.exec(output)?.[1];
}

/** Offers to fetch the file of a failed command. Fires `rerun` with the line for the copy in the home directory. */
export class FetchManifest extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    line: { attribute: false },
    url: { attribute: false },
    done: { state: true },
  };
  declare model: ConsoleModel;
  declare line: string;
  declare url: string;
  declare done: boolean;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        padding: 0 0.75rem 0.75rem;
        color: var(--muted);
        font-size: var(--small-size);
      }
      p {
        margin: 0 0 0.375rem;
      }
    `,
  ];

  constructor() {
    super();
    this.done = false;
  }

  override render(): TemplateResult | typeof nothing {
    if (this.done) return nothing;
    return html`
      <p role="note">
        ${msg('Commands and lessons cannot read other sites, but you can fetch the file here. It is saved in your home folder, and the command runs again with it.')}
      </p>
      <tp-url-frame .address=${this.url} @fetched=${this.#onFetched}></tp-url-frame>
    `;
  }

  readonly #onFetched = async ({ detail: { name, bytes } }: CustomEvent<FetchedFile>): Promise<void> => {
    this.done = true;
    const file = name.replace(/[^\w.-]/g, '-').replace(/^\.+/, '') || 'manifest.yaml';
    const path = await writeCopy(this.model.home, `${homeDirectory}/${file}`, new TextDecoder().decode(bytes));
    const detail = this.line.replace(this.url, shortenPath(path));
    this.dispatchEvent(new CustomEvent('rerun', { detail, bubbles: true, composed: true }));
  };
}
