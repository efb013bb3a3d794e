import { compareTexts } from '../../foundation/core/compare_texts.js'
import { whoText } from '#releases/engine/who_text'
import { HOUR } from '#foundation/core/durations'
import type { Wait } from './plan.js'
import type { Reason } from './wait_reasons.js'

/** A wait that has not ended. */
interface OpenWait {
  version: string
  what: string
  who: string
  since: number
}

/** Records what releases wait for, and for how long. Instants are milliseconds since the epoch. */
export class WaitLog {
  readonly #open = new Map<string, OpenWait>()
  readonly #totals = new Map<string, Wait>()

  /** Records what a release waits for now, and ends its other waits. */
  record(version: string, reasons: readonly Reason[], now: number): void {
    const keys = new Set(reasons.map(({ key }) => `${version} ${key}`))
    for (const [key, each] of this.#open) {
      if (each.version !== version || keys.has(key)) continue
      this.#add(each, now, false)
      this.#open.delete(key)
    }
    for (const { key, step, condition } of reasons) {
      const id = `${version} ${key}`
      if (this.#open.has(id)) continue
      const what = `${step ? `${step.name}: ` : ''}${lastingText(condition)}`
      this.#open.set(id, { version, what, who: whoText(condition.who), since: now })
    }
  }

  /** Ends the waits of all releases except the given ones. */
  endExcept(versions: readonly string[], now: number): void {
    for (const { version } of [...this.#open.values()]) {
      if (!versions.includes(version)) this.record(version, [], now)
    }
  }

  /** Closes the log with the waits that are still open. @returns all waits, the longest first */
  close(now: number): Wait[] {
    for (const each of this.#open.values()) this.#add(each, now, true)
    this.#open.clear()
    return [...this.#totals.values()].sort(
      (one, other) => other.hours - one.hours || compareTexts(one.what, other.what)
    )
  }

  #add({ version, what, who, since }: OpenWait, until: number, isOpen: boolean): void {
    const key = `${version} ${what} ${who}`
    const before = this.#totals.get(key)?.hours ?? 0
    const hours = Math.round((before + (until - since) / HOUR) * 10) / 10
    this.#totals.set(key, { version, what, who, hours, isOpen })
  }
}

/** Returns the text of a condition, without numbers that change while it lasts. */
const lastingText = ({ code, message }: Reason['condition']) =>
  code === 'rolling_out' ? 'Not all of its users have it yet.' : message
