import { createHash } from 'node:crypto'
import type { Numbered } from './dialects.js'

/** Most SELECTs that go out as one. */
const MOST = 24
/** Most sets of them that are written: what a program asks for together is always the same. */
const MOST_SETS = 1000

/** A statement as PostgreSQL gets it: prepared under its name once per connection. */
export interface Prepared extends Numbered {
  name: string
}

/** A SELECT that was asked for and waits until the process turns to something else. */
export interface Waiting<Asked> {
  asked: Asked
  resolve(answer: never): void
  reject(error: unknown): void
}

/**
 * Collects what is asked for within one turn of the event loop, so that it goes out as one: each
 * statement costs PostgreSQL and this process more than the rows it answers do.
 */
export class AskedTogether<Asked> {
  #waiting: Waiting<Asked>[] = []

  /**
   * @param answer answers all that was asked for in one turn, in that order
   * @param later runs what is to run when the turn is over
   */
  constructor(
    private readonly answer: (waiting: readonly Waiting<Asked>[]) => void,
    private readonly later: (run: () => void) => unknown = process.nextTick
  ) {}

  ask<Answer>(asked: Asked): Promise<Answer> {
    if (this.#waiting.length >= MOST) this.send()
    if (this.#waiting.length === 0) this.later(() => this.send())
    return new Promise((resolve, reject) => this.#waiting.push({ asked, resolve, reject }))
  }

  /** Has what waits go out now, before what must come after it. */
  send(): void {
    const waiting = this.#waiting
    this.#waiting = []
    if (waiting.length > 0) this.answer(waiting)
  }
}

/** Gives all who wait their answer, or all the same error. */
export function answerAll<Asked>(
  waiting: readonly Waiting<Asked>[],
  ask: () => Promise<readonly unknown[]>
): void {
  ask().then(
    (answers) => waiting.forEach(({ resolve }, index) => resolve(answers[index] as never)),
    (error: unknown) => waiting.forEach(({ reject }) => reject(error))
  )
}

/** A name that says the same of every connection: a statement is prepared under it. */
export const nameOf = (text: string) => createHash('sha1').update(text).digest('base64url')

const sets = new Map<string, Prepared>()

/**
 * Several SELECTs as one: its one row holds the rows of each, as JSON of their values in order.
 * @returns null where too many sets of them were written already
 */
export function asOne(
  statements: readonly { columns: readonly string[]; prepared: Prepared }[]
): Prepared | null {
  const key = statements.map(({ prepared }) => prepared.name).join(' ')
  const found = sets.get(key)
  if (found) return found
  if (sets.size >= MOST_SETS) return null
  const order: string[] = []
  const answers = statements.map(({ columns, prepared: { text, order: own } }) => {
    const before = order.length
    order.push(...own)
    const numbered = text.replace(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`)
    const values = columns.map((name) => `q."${name}"`).join(', ')
    return `(select coalesce(json_agg(json_build_array(${values})), '[]') from (${numbered}) q)`
  })
  const text = `select ${answers.join(', ')}`
  const made = { text, order, name: nameOf(text) }
  sets.set(key, made)
  return made
}
