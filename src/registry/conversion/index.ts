/** Conversion of objects between the versions of their kind. */
export { createConversion } from './conversion.ts';
export { definitionForStore, definitionFromStore } from './definitions.ts';
