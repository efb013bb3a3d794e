/** What a process of tests tells the queue that started it, a line of JSON each. */
export type Message =
  | {
      kind: 'test'
      file: string
      title: string
      outcome: 'passed' | 'failed' | 'skipped'
      /** By the clock, and of a processor: the processes that the test ended are counted too. */
      seconds: number
      processor: number
      errors: string[]
    }
  /** What surrounds tests has failed. */
  | { kind: 'fault'; title: string; errors: string[] }
  | { kind: 'end' }

/** Where the queue listens, beside what is printed. */
export const MESSAGES = 3
