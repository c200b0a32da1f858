export type Elements = Readonly<Record<string, CustomElementConstructor>>;

export function defineElements(elements: Elements): void {
  for (const [name, element] of Object.entries(elements)) if (customElements.get(name) === undefined) customElements.define(name, element);
}
