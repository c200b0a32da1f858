import { msg } from '@lit/localize';
import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { isDisabled, setPreference } from './views/preferences.ts';

/** Requests a screen reader announcement from the page's single live region. */
export function announce(from: EventTarget, text: string): void {
  from.dispatchEvent(new CustomEvent<string>('announce', { detail: text, bubbles: true, composed: true }));
}

/** Minimum time between two announcements, so that screen readers do not skip any. */
const intervalMs = 1_000;

/** The live region for `announce` events below the host. Queues the newest text per element and shows at most one a second. */
export class Announcer implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #queue = new Map<EventTarget | undefined, string>();
  #message = '';
  #throttled = false;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
    host.addEventListener('announce', (event) => {
      if (event instanceof CustomEvent && !isDisabled('announcements')) this.#enqueue(event.composedPath()[0], String(event.detail));
    });
  }

  hostConnected(): void {
    addEventListener('keydown', this.#onKeydown);
  }

  hostDisconnected(): void {
    removeEventListener('keydown', this.#onKeydown);
  }

  render(): TemplateResult {
    return html`<p class="hidden-text" role="status" aria-live="polite">${this.#message}</p>`;
  }

  /** Alt-Shift-A toggles announcements and announces the new state. */
  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyA') return;
    event.preventDefault();
    const off = !isDisabled('announcements');
    setPreference('announcements', off ? 'off' : 'on');
    this.#queue.clear();
    this.#enqueue(undefined, off ? msg('announcements are off') : msg('announcements are on'));
  };

  #enqueue(from: EventTarget | undefined, text: string): void {
    this.#queue.set(from, text);
    if (!this.#throttled) this.#announceNext();
  }

  #announceNext(): void {
    const [next] = this.#queue;
    this.#throttled = next !== undefined;
    if (next === undefined) return;
    this.#queue.delete(next[0]);
    this.#message = next[1];
    this.#host.requestUpdate();
    setTimeout(() => this.#announceNext(), intervalMs);
  }
}
