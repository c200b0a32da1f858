import { replayScenarios } from './replay-scenarios.ts';

replayScenarios('svc');
