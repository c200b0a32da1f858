/** Election of one active instance among several. */
export { type LeaderElectionOptions, runLeaderElection } from './leader-elector.ts';
export { type Candidacy, type ElectedOptions, startElected } from './start-elected.ts';
