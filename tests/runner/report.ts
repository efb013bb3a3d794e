import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Message } from './messages.js'
import { processorSeconds } from './processor_seconds.js'

/** The result of a part of the queue. */
export interface Result {
  passed: number
  failed: number
  skipped: number
  tests: Extract<Message, { kind: 'test' }>[]
  printed: string
}

export const nothing = (): Result => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  tests: [],
  printed: '',
})

/** Most failures that the end of the run lists again, and most slow specs that it lists. */
const MAX_FAILURES = 40
const MAX_SLOW = Number(process.env.TEST_SLOWEST ?? 10)

/** Specs that take at least this long are in `slow_specs.json`: the queue begins with them. */
const SLOW_SECONDS = 3

/** Prints the results of a run: failures at once and again at the end, counts as the last line. */
export class Report {
  readonly total = nothing()
  #failures: string[] = []
  #began = performance.now()
  #done = 0
  #specs = new Map<string, { seconds: number; processor: number }>()

  constructor(private jobs: number) {}

  fail(name: string, title: string, errors: readonly string[] = []): void {
    this.#failures.push(`${name}: ${title}`)
    console.log([`✖ ${name}: ${title}`, ...errors].join('\n'))
  }

  /** @param isWanted whether to show the output even if nothing failed */
  done(name: string, about: string, seconds: number, result: Result, isWanted: boolean): void {
    this.#done += 1
    this.#add(result)
    if (result.failed > 0 || isWanted) console.log(plain(result.printed).trimEnd())
    const place = `${this.#done}/${this.jobs}`
    console.log(`${place} ${name}: ${counted(result)} in ${seconds.toFixed(1)} s (${about})`)
  }

  /** Stores the durations of the slow specs of this run, with which the next queue begins. */
  learn(file: URL): void {
    const slow = [...this.#specs]
      .map(([path, { seconds }]) => [path, Math.round(seconds)] as const)
      .filter(([, seconds]) => seconds >= SLOW_SECONDS)
      .sort(([one], [other]) => (one < other ? -1 : 1))
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`)
  }

  /** Prints the summary. @returns whether no test failed and at least one ran */
  end(): boolean {
    const { total } = this
    const minutes = ((performance.now() - this.#began) / 60_000).toFixed(1)
    console.log(`\nThe slowest specs, in seconds by the clock and of a processor:`)
    for (const [path, { seconds, processor }] of this.#slowest()) {
      console.log(`${seconds.toFixed(1).padStart(7)} ${processor.toFixed(1).padStart(6)} ${path}`)
    }
    console.log(`\n${minutes} minutes, ${Math.round(processorSeconds())} seconds of a processor`)
    if (this.#failures.length > 0) {
      console.log(`\n${this.#failures.slice(0, MAX_FAILURES).join('\n')}`)
    }
    if (total.passed + total.failed === 0) total.failed = 1
    console.log(`\n${counted(total)}`)
    return total.failed === 0
  }

  #slowest() {
    return [...this.#specs]
      .sort(([, one], [, other]) => other.processor - one.processor)
      .slice(0, MAX_SLOW)
  }

  #add(result: Result) {
    for (const count of ['passed', 'failed', 'skipped'] as const) {
      this.total[count] += result[count]
    }
    const specs = Map.groupBy(result.tests, ({ file }) => file)
    for (const [file, tests] of specs) {
      const sum = (unit: 'seconds' | 'processor') =>
        tests.reduce((all, each) => all + each[unit], 0)
      const before = this.#specs.get(file)
      this.#specs.set(file, {
        seconds: Math.max(before?.seconds ?? 0, sum('seconds')),
        processor: (before?.processor ?? 0) + sum('processor'),
      })
    }
  }
}

const counted = ({ passed, failed, skipped }: Result) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`

/** Removes colours unless a terminal shows the text. */
const plain = (text: string) => (process.stdout.isTTY ? text : stripVTControlCharacters(text))
