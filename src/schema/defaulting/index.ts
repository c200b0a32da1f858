/** Default values of unset fields, by version of a kind. */
export { createDefaulter, type Defaulter, type DefaultingContext } from './defaulter.ts';
