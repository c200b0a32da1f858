import { type Cidr, formatIp } from '../../meta/index.ts';

/** A range of addresses of pods, and the size of the part that each node gets. */
export interface ClusterCidr {
  readonly base: Cidr;
  /** Prefix length. */
  readonly nodeMaskSize: number;
}

/** The ranges of equal size in a range, which are allocated in turn. Cf. pkg/controller/nodeipam/ipam/cidrset. */
export class CidrSet {
  readonly #base: Cidr;
  readonly #prefixLength: number;
  /** As in the specs of nodes. */
  readonly #used = new Set<string>();
  #next = 0;

  constructor(base: Cidr, prefixLength: number) {
    this.#base = base;
    this.#prefixLength = prefixLength;
  }

  /** A free range; undefined when all are used. */
  allocate(): string | undefined {
    const size = this.#size();
    for (let tried = 0; tried < size; tried++) {
      const index = (this.#next + tried) % size;
      const cidr = this.#format(index);
      if (this.#used.has(cidr)) continue;
      this.#used.add(cidr);
      this.#next = (index + 1) % size;
      return cidr;
    }
    return undefined;
  }

  /** A range that is in use. */
  occupy(cidr: string): void {
    this.#used.add(cidr);
  }

  release(cidr: string): void {
    this.#used.delete(cidr);
  }

  #size(): number {
    return 2 ** (this.#prefixLength - this.#base.prefixLength);
  }

  #format(index: number): string {
    const { bytes } = this.#base.address;
    const shift = BigInt(bytes.length * 8 - this.#prefixLength);
    const hostBits = BigInt(bytes.length * 8 - this.#base.prefixLength);
    const first = (bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) >> hostBits) << hostBits;
    let address = first + (BigInt(index) << shift);
    const shifted: number[] = [];
    for (let count = 0; count < bytes.length; count++, address >>= 8n) shifted.unshift(Number(address & 255n));
    return `${formatIp({ ...this.#base.address, bytes: shifted })}/${this.#prefixLength}`;
  }
}
