import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Anything that tells its listeners when it changed. */
export interface Watched {
  onChange(listener: () => void): () => void;
}

/** Renders an element again when what it shows has changed, at most once a frame. */
export class ModelWatcher implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #watched: () => Watched | undefined;
  #stop: () => void = () => undefined;
  #current: Watched | undefined;

  constructor(host: ReactiveControllerHost, watched: () => Watched | undefined) {
    this.#host = host;
    this.#watched = watched;
    host.addController(this);
  }

  hostUpdate(): void {
    const watched = this.#watched();
    if (watched === this.#current) return;
    this.#stop();
    this.#current = watched;
    let asked = false;
    this.#stop =
      watched?.onChange(() => {
        if (asked) return;
        asked = true;
        requestAnimationFrame(() => {
          asked = false;
          this.#host.requestUpdate();
        });
      }) ?? ((): void => undefined);
  }

  hostDisconnected(): void {
    this.#stop();
    this.#current = undefined;
  }
}
