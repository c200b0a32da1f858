import { replayWorkloads } from './replay-workloads.ts';

replayWorkloads('svc');
