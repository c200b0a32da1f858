import { test } from 'vitest';
import type { TestEngine } from './contract.ts';
import { casesFor, runCase } from './key-space.ts';
import { checkAgainstModel } from './key-space-model.ts';

/** Runs the contract and the model test on an engine; `createEngine` is called once for each case. */
export function runContract(name: string, createEngine: () => TestEngine, modelRuns: number): void {
  for (const contractCase of casesFor(createEngine())) test(`${name}: ${contractCase.name}`, () => runCase(contractCase, createEngine()));
  test(`${name}: random histories match the model`, () => checkAgainstModel(createEngine, modelRuns), 120_000);
}
