import type { KeySpace } from '../../src/storage/index.ts';
import type { ContractCase, Lab } from './contract.ts';
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

/** Tries one sentence, closes what it opened and then its lab. */
export async function runCase(contractCase: ContractCase, lab: Lab): Promise<void> {
  const opened: KeySpace[] = [];
  const keep = async (opening: Promise<KeySpace>): Promise<KeySpace> => {
    const space = await opening;
    opened.push(space);
    return space;
  };
  const { reopen } = lab;
  try {
    await contractCase.run({
      open: () => keep(lab.open()),
      ...(reopen ? { reopen: (space: KeySpace) => keep(reopen(space)) } : {}),
    });
  } finally {
    for (const space of opened) await space.close();
    await lab.close?.();
  }
}
