/** Conversion of objects between the versions of their kind. */
export { type ConvertObject, createConversion } from './conversion.ts';
export { definitionForStore, definitionFromStore } from './definitions.ts';
