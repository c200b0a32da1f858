import { parseCidr } from '../meta/index.ts';

/** Allocates the IPv4 addresses of pods from a range, one after the other like the host-local plugin of CNI. */
export class PodAddresses {
  readonly #base: number;
  readonly #size: number;
  #next = 2;
  readonly #byPod = new Map<string, string>();
  readonly #used = new Set<string>();

  /** `cidr` is a valid IPv4 range. */
  constructor(cidr: string) {
    const [address = '', bits = '24'] = cidr.split('/');
    this.#base = numberOf(address);
    this.#size = 2 ** (32 - Number(bits));
  }

  /** The address of a pod, which is allocated when it has none. Network, gateway and broadcast address are not used. */
  allocate(uid: string): string {
    const known = this.#byPod.get(uid);
    if (known !== undefined) return known;
    for (let attempt = 0; attempt < this.#size; attempt++) {
      const address = textOf(this.#base + this.#next);
      this.#next = this.#next + 1 >= this.#size - 1 ? 2 : this.#next + 1;
      if (!this.#used.has(address)) return this.reserve(uid, address);
    }
    // More pods than addresses: ranges are larger than the number of pods that nodes accept.
    return this.reserve(uid, textOf(this.#base + 2));
  }

  /** Records the address of a pod that has one already. */
  reserve(uid: string, address: string): string {
    this.#byPod.set(uid, address);
    this.#used.add(address);
    return address;
  }

  release(uid: string): void {
    const address = this.#byPod.get(uid);
    if (address !== undefined) this.#used.delete(address);
    this.#byPod.delete(uid);
  }
}

/** Whether a range is one of IPv4 with at least eight addresses. */
export function isPodRange(cidr: string): boolean {
  const bits = Number(cidr.split('/')[1]);
  return parseCidr(cidr) !== undefined && cidr.includes('.') && !cidr.includes(':') && bits <= 29;
}

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const textOf = (address: number): string => [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
