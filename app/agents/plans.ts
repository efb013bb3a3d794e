import { hash } from 'node:crypto'
import type { Rehearsed } from '#foundation/api/execution/request'
import { bindingOf, type Cursors } from '#foundation/api/pages'
import { later, type Instant } from '#foundation/core/clock'
import { Problem, refuse } from '#foundation/core/problems/problem'
import { wishesOf } from './called_providers.js'

/** How long a plan may wait to be carried out, in milliseconds. */
const VALID_MS = 15 * 60_000

/** The subject of a plan: the caller, the operation and all arguments. */
export interface Planned {
  /** The organization and the key. */
  asker: string
  operation: string
  /** Path, query, body and the tag that was named. */
  request: unknown
}

/** A plan that somebody was shown, by which it is known again. */
export interface Plan {
  token: string
  validUntil: Instant
}

/**
 * Binds a plan to what it would do: the token carries a hash of all that a rehearsal changes or
 * destroys, and holds for the same request of the same key alone, once.
 */
export class Plans {
  constructor(private readonly cursors: Cursors) {}

  /** @param print the same whenever the same is done to the same */
  write(of: Planned, print: string, now: Instant): Plan {
    const validUntil = later(now, VALID_MS)
    return { token: this.cursors.write(bindingTo(of), [print, validUntil]), validUntil }
  }

  /**
   * Says whether what a write has come to is what the plan showed; called inside its transaction,
   * or before a write that cannot be tried.
   * @throws plan_unknown, plan_stale
   */
  expectation(of: Planned, token: string, now: Instant): (print: string) => void {
    const [shown, validUntil] = this.#read(of, token)
    return (print) => {
      if (String(validUntil) >= now && shown === print) return
      throw refuse('plan_stale')
    }
  }

  #read(of: Planned, token: string) {
    try {
      return this.cursors.read(bindingTo(of), token)
    } catch (error) {
      if (error instanceof Problem) throw refuse('plan_unknown')
      throw error
    }
  }
}

const bindingTo = ({ asker, operation, request }: Planned) =>
  bindingOf(`plan ${operation} ${asker}`, { request: JSON.stringify(request) })

/** A hash of what a write comes to: of the rows it changes, whom it calls, and what it records. */
export function printOf({ rendered, events, rows }: Rehearsed): string {
  const told = events.map(({ type, title, data }) => JSON.stringify({ type, title, data }))
  const calls = wishesOf(rows).map(({ kind, subject, payload }) => `${kind} ${subject} ${payload}`)
  const lasting = [...told, ...calls.sort()].map((each) => rows.lasting(each))
  return hashOf([rendered.status, ...rows.print(), ...lasting])
}

/** A hash of what is to be as it was. */
export const hashOf = (whole: unknown): string => hash('sha256', JSON.stringify(whole), 'base64url')
