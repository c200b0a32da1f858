/** Vite bundles `?raw` imports as text. */
declare module '*.yaml?raw' {
  const text: string;
  export default text;
}
declare module '*.md?raw' {
  const text: string;
  export default text;
}
