/** May they: authorizers, their union, and the words of a refusal. */
export { type Attributes, forbiddenBy } from './attributes.ts';
export { type Authorizer, type Decision, unionAuthorizer, type Verdict } from './authorizer.ts';
export { publicPathAuthorizer } from './public-paths.ts';
export { superuserAuthorizer } from './superusers.ts';
