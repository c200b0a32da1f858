import type { ContractCase } from './contract.ts';
import { compactionContract } from './key-space-compaction.ts';
import { readContract } from './key-space-reads.ts';
import { reopenContract } from './key-space-reopen.ts';
import { watchContract } from './key-space-watches.ts';
import { writeContract } from './key-space-writes.ts';

/** The whole contract of the KeySpace port, as sentences that hold for every engine. */
export const keySpaceContract: readonly ContractCase[] = [
  ...writeContract,
  ...readContract,
  ...watchContract,
  ...compactionContract,
  ...reopenContract,
];

/** The sentences that `lab` can be tried with. */
export function casesFor(lab: { readonly reopen?: unknown }): readonly ContractCase[] {
  return keySpaceContract.filter((contractCase) => !contractCase.needsReopen || lab.reopen !== undefined);
}
