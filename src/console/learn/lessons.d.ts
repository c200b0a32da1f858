/** The lessons that come with the page, compiled by build/lessons-plugin.ts. */
declare module 'virtual:tabplane-lessons' {
  export interface ShippedLesson {
    readonly id: string;
    readonly title: string;
    readonly summary: string;
    readonly minutes: number;
    /** As `track/lesson`. */
    readonly requires: readonly string[];
    /** The ids of its steps. */
    readonly steps: readonly string[];
    readonly exam: boolean;
    /** What loads it, by language; the first is the one that it is written in. */
    readonly languages: Readonly<Record<string, () => Promise<import('../../tutorials/index.ts').Lesson>>>;
  }
  export interface ShippedTrack {
    readonly id: string;
    readonly title: string;
    readonly about: string;
    readonly lessons: readonly ShippedLesson[];
  }
  export const tracks: readonly ShippedTrack[];
}
