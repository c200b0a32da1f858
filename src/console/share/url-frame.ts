import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';

/** A file that the frame has fetched. */
export interface FetchedFile {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}

const nameMax = 100;

function isFetchedFile(data: unknown): data is FetchedFile {
  return (
    typeof data === 'object' &&
    data !== null &&
    'name' in data &&
    'bytes' in data &&
    typeof data.name === 'string' &&
    data.bytes instanceof ArrayBuffer
  );
}

/** The frame that fetches a file of another origin on a user action (hosts/fetch-frame). Fires `fetched` with the file. */
export class UrlFrame extends LitElement {
  static override properties: PropertyDeclarations = { address: { attribute: false } };
  /** The URL that the frame suggests. */
  declare address: string;

  static override styles: CSSResultGroup = css`
    iframe {
      display: block;
      width: 100%;
      height: 6rem;
      border: 1px solid var(--line-strong);
      border-radius: var(--radius);
    }
  `;

  constructor() {
    super();
    this.address = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('message', this.#onFetched);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('message', this.#onFetched);
  }

  override render(): TemplateResult {
    const source = `fetch-frame.html#${encodeURIComponent(this.address)}`;
    return html`<iframe title=${msg('Open from a URL')} src=${source} sandbox="allow-scripts" referrerpolicy="no-referrer"></iframe>`;
  }

  readonly #onFetched = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== this.renderRoot.querySelector('iframe')?.contentWindow || !isFetchedFile(data)) return;
    const detail: FetchedFile = { name: data.name.slice(0, nameMax), bytes: data.bytes };
    this.dispatchEvent(new CustomEvent('fetched', { detail }));
  };
}
