/** The lessons of the page, compiled by build/lessons-plugin.ts. */
declare module 'virtual:tabplane-lessons' {
  type LessonLoader = () => Promise<import('../../tutorials/index.ts').Lesson>;
  export interface ShippedLesson {
    readonly id: string;
    readonly title: string;
    readonly summary: string;
    /** By language, without the original one. */
    readonly translations: Readonly<Record<string, { readonly title: string; readonly summary: string }>>;
    readonly minutes: number;
    /** As `track/lesson`. */
    readonly requires: readonly string[];
    /** The ids of its steps. */
    readonly steps: readonly string[];
    readonly exam: boolean;
    /** Loaders by language and API group names; the original language comes first. */
    readonly languages: Readonly<Record<string, Readonly<Record<import('../../meta/index.ts').ProductName, LessonLoader>>>>;
  }
  export interface ShippedTrack {
    readonly id: string;
    readonly title: string;
    readonly about: string;
    /** By language, without the original one. */
    readonly translations: Readonly<Record<string, { readonly title: string; readonly about: string }>>;
    readonly lessons: readonly ShippedLesson[];
  }
  export const tracks: readonly ShippedTrack[];
}
