import { sha256 } from '@noble/hashes/sha2.js';

/** Hands in memory; flows are many when users are. */
const maxHands = 1_000;

/** Assigns several queues to each flow, such that two flows rarely have all in common. Cf. k8s.io/apiserver util/shufflesharding. */
export class ShuffleSharding {
  readonly #queues: number;
  readonly #handSize: number;
  readonly #hands = new Map<string, readonly number[]>();

  constructor(queues: number, handSize: number) {
    this.#queues = queues;
    this.#handSize = handSize;
  }

  /** Indexes of the queues of a flow, all different. */
  handOf(flowSchema: string, distinguisher: string): readonly number[] {
    // Cf. hashFlowID.
    const flow = `${flowSchema}\0${distinguisher}`;
    const known = this.#hands.get(flow);
    if (known) return known;
    if (this.#hands.size >= maxHands) this.#hands.clear();
    const hand = dealHand(hashOf(flow), this.#queues, this.#handSize);
    this.#hands.set(flow, hand);
    return hand;
  }
}

/** The first 64 bits of the SHA-256 hash, little-endian. */
function hashOf(text: string): bigint {
  const { buffer, byteOffset } = sha256(new TextEncoder().encode(text));
  return new DataView(buffer, byteOffset).getBigUint64(0, true);
}

/** Deals `handSize` different numbers below `deckSize` from a hash. Cf. Dealer.Deal. */
export function dealHand(hash: bigint, deckSize: number, handSize: number): readonly number[] {
  const hand: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(deckSize - dealt);
    let card = Number(rest % left);
    rest /= left;
    // Numbers that were dealt before are skipped.
    for (const earlier of hand.toSorted((a, b) => a - b)) if (earlier <= card) card++;
    hand.push(card);
  }
  return hand;
}
