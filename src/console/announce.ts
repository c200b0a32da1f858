import { msg } from '@lit/localize';
import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { chooseLook, isOff } from './views/look.ts';

/** Has what happened said to those who listen, by the one place of the page that does. */
export function announce(from: EventTarget, text: string): void {
  from.dispatchEvent(new CustomEvent<string>('announce', { detail: text, bubbles: true, composed: true }));
}

/** Nobody can follow more than one announcement in this time. */
const restMs = 1_000;

/** The one place: what is announced anywhere in the host is said here, the newest of each who announces, one a second at most. */
export class Announcer implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #waiting = new Map<EventTarget | undefined, string>();
  #said = '';
  #resting = false;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
    host.addEventListener('announce', (event) => {
      if (event instanceof CustomEvent && !isOff('announcements')) this.#wait(event.composedPath()[0], String(event.detail));
    });
  }

  hostConnected(): void {
    addEventListener('keydown', this.#key);
  }

  hostDisconnected(): void {
    removeEventListener('keydown', this.#key);
  }

  render(): TemplateResult {
    return html`<p class="hidden-text" role="status" aria-live="polite">${this.#said}</p>`;
  }

  /** Alt-Shift-A stops announcements and lets them go on, which is said either way. */
  readonly #key = (event: KeyboardEvent): void => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyA') return;
    event.preventDefault();
    const off = !isOff('announcements');
    chooseLook('announcements', off ? 'off' : 'on');
    this.#waiting.clear();
    this.#wait(undefined, off ? msg('announcements are off') : msg('announcements are on'));
  };

  #wait(from: EventTarget | undefined, text: string): void {
    this.#waiting.set(from, text);
    if (!this.#resting) this.#sayNext();
  }

  #sayNext(): void {
    const [next] = this.#waiting;
    this.#resting = next !== undefined;
    if (next === undefined) return;
    this.#waiting.delete(next[0]);
    this.#said = next[1];
    this.#host.requestUpdate();
    setTimeout(() => this.#sayNext(), restMs);
  }
}
