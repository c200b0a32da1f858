/** What fields are when nobody said: the defaults of each version of a kind. */
export { createDefaulter, type Defaulter, type DefaultingContext } from './defaulter.ts';
