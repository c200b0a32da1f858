import type { HomeChange } from './virtual-home.ts';

export type TabMessage = { readonly kind: 'history'; readonly line: string } | ({ readonly kind: 'file' } & HomeChange);

/** Messages between the tabs of one origin, apart from the cluster. */
export class TabChannel {
  readonly #channel: BroadcastChannel;

  /** Connects tabs that show the same cluster. */
  constructor(cluster: string) {
    this.#channel = new BroadcastChannel(`tabplane-console${cluster}`);
  }

  post(message: TabMessage): void {
    this.#channel.postMessage(message);
  }

  onMessage(listener: (message: TabMessage) => void): void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data));
  }
}
