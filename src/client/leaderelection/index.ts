/** Election of one active instance among several. */
export { runLeaderElection } from './leader-elector.ts';
export { type ElectedOptions, startElected } from './start-elected.ts';
