import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** An object that notifies its listeners of changes. */
export interface Observable {
  onChange(listener: () => void): () => void;
}

/** Requests an update of the host element when the observed object changes, at most once a frame. */
export class ModelWatcher implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #watched: () => Observable | undefined;
  #stop: () => void = () => undefined;
  #current: Observable | undefined;

  constructor(host: ReactiveControllerHost, watched: () => Observable | undefined) {
    this.#host = host;
    this.#watched = watched;
    host.addController(this);
  }

  hostUpdate(): void {
    const watched = this.#watched();
    if (watched === this.#current) return;
    this.#stop();
    this.#current = watched;
    let scheduled = false;
    this.#stop =
      watched?.onChange(() => {
        if (scheduled) return;
        scheduled = true;
        requestAnimationFrame(() => {
          scheduled = false;
          this.#host.requestUpdate();
        });
      }) ?? ((): void => undefined);
  }

  hostDisconnected(): void {
    this.#stop();
    this.#current = undefined;
  }
}
