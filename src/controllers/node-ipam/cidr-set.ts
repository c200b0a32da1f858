import { type Cidr, formatIp } from '../../meta/index.ts';

/** The ranges of equal size in a range, which are allocated in turn. Cf. pkg/controller/nodeipam/ipam/cidrset. */
export class CidrSet {
  readonly #base: Cidr;
  readonly #prefixLength: number;
  readonly #used = new Set<number>();
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
      if (this.#used.has(index)) continue;
      this.#used.add(index);
      this.#next = (index + 1) % size;
      return this.#format(index);
    }
    return undefined;
  }

  /** A range that is in use; ranges of another set are ignored. */
  occupy(cidr: string): void {
    const index = this.#indexOf(cidr);
    if (index !== undefined) this.#used.add(index);
  }

  release(cidr: string): void {
    const index = this.#indexOf(cidr);
    if (index !== undefined) this.#used.delete(index);
  }

  #size(): number {
    return 2 ** (this.#prefixLength - this.#base.prefixLength);
  }

  #indexOf(cidr: string): number | undefined {
    for (let index = 0; index < this.#size(); index++) if (this.#format(index) === cidr) return index;
    return undefined;
  }

  #format(index: number): string {
    const { bytes } = this.#base.address;
    const shift = BigInt(bytes.length * 8 - this.#prefixLength);
    let address = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) + (BigInt(index) << shift);
    const shifted: number[] = [];
    for (let count = 0; count < bytes.length; count++, address >>= 8n) shifted.unshift(Number(address & 255n));
    return `${formatIp({ ...this.#base.address, bytes: shifted })}/${this.#prefixLength}`;
  }
}
