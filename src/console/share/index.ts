/** The format of share links, for hosts that write them without the console. */
export { toServedVersions } from './served-objects.ts';
export { writeLink } from './share-link.ts';
export { isSecret, userObjects } from './user-objects.ts';
