import { MINUTE } from '#foundation/core/durations'
import { hash } from 'node:crypto'
import type { Rehearsed } from '#foundation/api/execution/request'
import { bindingOf, type Cursors } from '#foundation/api/pages'
import { later, type Instant } from '#foundation/core/clock'
import { Problem, refuse } from '#foundation/core/problems/problem'
import { commandsOf } from './called_providers.js'

/** Time a plan stays valid, in milliseconds. */
const VALID_MS = 15 * MINUTE

/** The subject of a plan: the caller, the operation and everything in the request. */
export interface Planned {
  /** The organization and the key. */
  asker: string
  operation: string
  /** Path, query, body and entity tag. */
  request: unknown
}

/** The token of a plan that was shown, with its expiry. */
export interface Plan {
  token: string
  validUntil: Instant
}

/**
 * Binds a plan to its effect. The token contains a hash of everything that a rehearsal changes or
 * destroys. It is valid once, for the same request of the same key only.
 */
export class Plans {
  constructor(private readonly cursors: Cursors) {}

  /** @param print a fingerprint that is the same whenever the same is done to the same data */
  write(of: Planned, print: string, now: Instant): Plan {
    const validUntil = later(now, VALID_MS)
    return { token: this.cursors.write(bindingTo(of), [print, validUntil]), validUntil }
  }

  /**
   * Returns a check whether a write has the effect that the plan showed. It runs inside the
   * transaction of the write, or before a write that cannot be rehearsed.
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

/**
 * Returns a hash of a write's effect: the rows it changes, the providers it calls, and the events
 * it records.
 */
export function printOf({ rendered, events, rows }: Rehearsed): string {
  const reported = events.map(({ type, title, data }) => JSON.stringify({ type, title, data }))
  const calls = commandsOf(rows).map(
    ({ kind, subject, payload }) => `${kind} ${subject} ${payload}`
  )
  const lasting = [...reported, ...calls.sort()].map((each) => rows.lasting(each))
  return hashOf([rendered.status, ...rows.print(), ...lasting])
}

/** Returns a hash of the data that must stay unchanged. */
export const hashOf = (whole: unknown): string => hash('sha256', JSON.stringify(whole), 'base64url')
