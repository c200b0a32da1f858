export type Elements = Readonly<Record<string, CustomElementConstructor>>;

export function defineElements(some: Elements): void {
  for (const [name, element] of Object.entries(some)) if (customElements.get(name) === undefined) customElements.define(name, element);
}
