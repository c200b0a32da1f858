import type { HomeChange } from './virtual-home.ts';

export type TabMessage = { readonly kind: 'history'; readonly line: string } | ({ readonly kind: 'file' } & HomeChange);

/** What the tabs of one origin tell each other beside the cluster. */
export class TabChannel {
  readonly #channel: BroadcastChannel;

  /** Tabs that show the same cluster hear each other. */
  constructor(cluster: string) {
    this.#channel = new BroadcastChannel(`tabplane-console${cluster}`);
  }

  tell(message: TabMessage): void {
    this.#channel.postMessage(message);
  }

  hear(listener: (message: TabMessage) => void): void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data));
  }
}
