/** Catalog data is bundled as text, so that product names can be replaced before parsing. */
declare module '*.json?raw' {
  const text: string;
  export default text;
}
