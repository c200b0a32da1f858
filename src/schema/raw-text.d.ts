/** Catalog data is bundled as text, so that the product's names can be written into it before it is parsed. */
declare module '*.json?raw' {
  const text: string;
  export default text;
}
