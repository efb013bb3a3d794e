import type { TestRun } from '#plugin-kit/capabilities/work'

/** Translated share of a locale in whole percent: 100 only if it is complete. */
interface SeenLocale {
  locale: string
  percentage: number
}

/** A test of a run that failed or is blocked, with its status in the words of the provider. */
export interface SeenFailure {
  id: string
  title: string
  status: string
  assignee: string | null
}

/** A run of tests in a test management system. */
export interface SeenTestRun extends Pick<TestRun, 'id' | 'name' | 'counts' | 'closed'> {
  url: string | null
  /** The type of the integration that reported it. */
  provider: string
  /** The first of its failed and blocked tests; absent until they are read. */
  failures?: SeenFailure[]
}

/** Observations of a release, by kind. */
export interface Seen {
  translations: SeenLocale[]
  testRuns: SeenTestRun[]
}
export type Watched = keyof Seen

/** The provider of each kind, and the step that depends on it. */
export const WATCHED = {
  translations: { kind: 'localization', step: 'translations' },
  testRuns: { kind: 'testManagement', step: 'regressionTesting' },
} as const
