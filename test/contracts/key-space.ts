import type { KeySpace } from '../../src/storage/index.ts';
import type { ContractCase, TestEngine } from './contract.ts';
import { compactionContract } from './key-space-compaction.ts';
import { readContract } from './key-space-reads.ts';
import { reopenContract } from './key-space-reopen.ts';
import { watchContract } from './key-space-watches.ts';
import { writeContract } from './key-space-writes.ts';

/** The contract of the KeySpace port: cases that every engine must pass. */
export const keySpaceContract: readonly ContractCase[] = [
  ...writeContract,
  ...readContract,
  ...watchContract,
  ...compactionContract,
  ...reopenContract,
];

/** The cases that apply to `engine`. */
export function casesFor(engine: { readonly reopen?: unknown }): readonly ContractCase[] {
  return keySpaceContract.filter((contractCase) => !contractCase.needsReopen || engine.reopen !== undefined);
}

/** Runs one case, then closes its key spaces and its engine. */
export async function runCase(contractCase: ContractCase, engine: TestEngine): Promise<void> {
  const opened: KeySpace[] = [];
  const track = async (opening: Promise<KeySpace>): Promise<KeySpace> => {
    const space = await opening;
    opened.push(space);
    return space;
  };
  const { reopen } = engine;
  try {
    await contractCase.run({
      open: () => track(engine.open()),
      ...(reopen ? { reopen: (space: KeySpace) => track(reopen(space)) } : {}),
    });
  } finally {
    for (const space of opened) await space.close();
    await engine.close?.();
  }
}
