/** A message of a process of tests to the queue, one line of JSON each. */
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
  /** A failure outside of tests. */
  | { kind: 'fault'; title: string; errors: string[] }
  | { kind: 'end' }

/** File descriptor of the queue's messages. */
export const MESSAGES = 3
