/** A message from a test process to the queue, which is one line of JSON. */
export type Message =
  | {
      kind: 'test'
      file: string
      title: string
      outcome: 'passed' | 'failed' | 'skipped'
      /** Duration by the clock. */
      seconds: number
      /** Processor seconds, also of the child processes that ended during the test. */
      processor: number
      errors: string[]
    }
  /** A failure outside of tests. */
  | { kind: 'fault'; title: string; errors: string[] }
  | { kind: 'end' }

/** File descriptor of the queue's messages. */
export const MESSAGES = 3
