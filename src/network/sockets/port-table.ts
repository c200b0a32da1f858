import { type ListenOptions, NetworkError } from '../network-namespace.ts';

const firstFreePort = 32_768;
const lastPort = 60_999;
const everyAddress: ReadonlySet<string> = new Set(['', '0.0.0.0', '::']);

interface Bound<Owner> {
  /** Empty: every address. */
  readonly address: string;
  readonly owner: Owner;
}

/** The bound ports of a network namespace, of one protocol. */
export class PortTable<Owner> {
  readonly #byPort = new Map<number, Bound<Owner>[]>();
  #nextFree = firstFreePort;

  /** Returns the port. @throws NetworkError EADDRINUSE */
  bind({ address = '', port }: Pick<ListenOptions, 'address' | 'port'>, owner: Owner): number {
    const at = everyAddress.has(address) ? '' : address;
    const chosen = port === 0 ? this.#freePort() : port;
    const bound = this.#byPort.get(chosen) ?? [];
    if (bound.some((one) => one.address === '' || at === '' || one.address === at))
      throw new NetworkError('EADDRINUSE', `listen tcp ${address}:${chosen}: bind: address already in use`);
    this.#byPort.set(chosen, [...bound, { address: at, owner }]);
    return chosen;
  }

  release(port: number, owner: Owner): void {
    const left = (this.#byPort.get(port) ?? []).filter((one) => one.owner !== owner);
    if (left.length > 0) this.#byPort.set(port, left);
    else this.#byPort.delete(port);
  }

  find(address: string, port: number): Owner | undefined {
    return this.#byPort.get(port)?.find((one) => one.address === '' || one.address === address)?.owner;
  }

  clear(): void {
    this.#byPort.clear();
  }

  /** The next port for a client, or for a listener without one. */
  #freePort(): number {
    for (let tries = lastPort - firstFreePort; tries >= 0; tries--) {
      const port = this.#nextFree;
      this.#nextFree = port >= lastPort ? firstFreePort : port + 1;
      if (!this.#byPort.has(port)) return port;
    }
    throw new NetworkError('EADDRINUSE', 'bind: address already in use');
  }

  clientPort(): number {
    return this.#freePort();
  }
}
