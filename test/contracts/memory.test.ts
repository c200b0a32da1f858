import { createManualClock } from '../../src/env/index.ts';
import { createMemoryKeySpace } from '../../src/storage/index.ts';
import { runContract } from './run-contract.ts';

runContract('memory', () => ({ open: async () => createMemoryKeySpace(createManualClock()) }), 300);
