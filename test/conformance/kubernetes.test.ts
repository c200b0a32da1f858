import { replayScenarios } from './replay-scenarios.ts';

replayScenarios('kubernetes');
