import { hash } from 'node:crypto'
import type { Rehearsed } from '#foundation/api/execution/request'
import { bindingOf, type Cursors } from '#foundation/api/pages'
import { later, type Instant } from '#foundation/core/clock'
import { Problem, refuse } from '#foundation/core/problems/problem'

/** How long a plan may wait to be carried out. */
const VALID_MS = 15 * 60_000

/** What a plan is of: who asks what, with all that was said. */
interface Planned {
  keyId: string
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
 * Binds a plan to what it would do: the token carries a hash of the answer and the events that a
 * rehearsal came to, and holds for the same request of the same key alone.
 */
export class Plans {
  constructor(private readonly cursors: Cursors) {}

  write(of: Planned, would: Rehearsed | null, now: Instant): Plan {
    const validUntil = later(now, VALID_MS)
    return { token: this.cursors.write(bindingTo(of), [hashOf(would), validUntil]), validUntil }
  }

  /**
   * Says whether what a write has come to is what the plan showed; called inside its transaction,
   * or with null before a write that could not be tried.
   * @throws plan_unknown, plan_stale
   */
  expectation(of: Planned, token: string, now: Instant): (would: Rehearsed | null) => void {
    const [shown, validUntil] = this.#read(of, token)
    return (would) => {
      if (String(validUntil) >= now && shown === hashOf(would)) return
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

const bindingTo = ({ keyId, operation, request }: Planned) =>
  bindingOf(`plan ${operation} ${keyId}`, { request: JSON.stringify(request) })

/** Instants and new ids differ each time that the same is done. */
const PASSING = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\b[a-z]+_[0-9A-Za-z]{16,}\b/g

/** What a write comes to, whenever it is done: ids stand in the order of their first mention. */
function hashOf(would: Rehearsed | null): string {
  if (!would) return ''
  const { rendered, events } = would
  const told = events.map(({ type, title, data }) => ({ type, title, data }))
  const whole = JSON.stringify([rendered.status, rendered.bytes.toString(), told])
  const seen = new Map<string, string>()
  const lasting = whole.replace(PASSING, (each) => {
    if (each.endsWith('Z') && each.includes('T')) return 'T'
    if (!seen.has(each)) seen.set(each, `id ${seen.size}`)
    return seen.get(each)!
  })
  return hash('sha256', lasting, 'base64url')
}
