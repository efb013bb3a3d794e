import type { TestRun } from '#plugin-kit/capabilities/work'

/** How far a locale is translated, in whole percents: 100 only once all of it is. */
interface SeenLocale {
  locale: string
  percentage: number
}

/** A run of tests in a test management system. */
export interface SeenTestRun extends Pick<TestRun, 'id' | 'name' | 'counts' | 'closed'> {
  url: string | null
  /** The type of the integration that knows of it. */
  provider: string
}

/** What is seen of a release, by what it is. */
export interface Seen {
  translations: SeenLocale[]
  testRuns: SeenTestRun[]
}
export type Watched = keyof Seen

/** Who is asked about it, and the step that lives from it. */
export const WATCHED = {
  translations: { kind: 'localization', step: 'translations' },
  testRuns: { kind: 'testManagement', step: 'regressionTesting' },
} as const
