import { test } from 'vitest';
import type { Lab } from './contract.ts';
import { casesFor, runCase } from './key-space.ts';
import { checkAgainstModel } from './key-space-model.ts';

/** Runs the contract and the model test on an engine; `createLab` gives every sentence a place of its own. */
export function runContract(engine: string, createLab: () => Lab, modelRuns: number): void {
  for (const contractCase of casesFor(createLab())) test(`${engine}: ${contractCase.name}`, () => runCase(contractCase, createLab()));
  test(`${engine}: random histories are those of the model`, () => checkAgainstModel(createLab, modelRuns), 120_000);
}
