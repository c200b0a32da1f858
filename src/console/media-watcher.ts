import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Whether a media query matches. Renders the element again when that changes. */
export class MediaWatcher implements ReactiveController {
  readonly #query: MediaQueryList;
  readonly #render: () => void;

  constructor(host: ReactiveControllerHost, query: string) {
    this.#query = matchMedia(query);
    this.#render = () => host.requestUpdate();
    host.addController(this);
  }

  get matches(): boolean {
    return this.#query.matches;
  }

  hostConnected(): void {
    this.#query.addEventListener('change', this.#render);
  }

  hostDisconnected(): void {
    this.#query.removeEventListener('change', this.#render);
  }
}
