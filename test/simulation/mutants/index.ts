import { clientMutants } from './client.ts';
import { heldOutMutants } from './held-out.ts';
import type { Mutant } from './mutant.ts';
import { serverMutants } from './server.ts';
import { storageMutants } from './storage.ts';

/** All of them; names are unique. */
export const mutants: readonly Mutant[] = [...storageMutants, ...serverMutants, ...clientMutants, ...heldOutMutants];
