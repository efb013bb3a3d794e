import { hash } from 'node:crypto'
import type { Instant } from '../clock.js'
import type { Actor } from '../principal.js'

/** The content of a timeline entry, as it is hashed and shown. */
export interface TimelineEntry {
  id: string
  type: string
  title: string
  occurredAt: Instant
  actor: Actor
  stepConfigId: string | null
  data: Record<string, unknown>
}

/** Returns the initial hash of a release's chain. */
export function firstHash(releaseId: string): string {
  return hash('sha256', `timeline ${releaseId}`, 'hex')
}

/**
 * Returns the hash of an entry: over the previous hash and all members of the entry, in this order.
 */
export function timelineHash(previous: string, entry: TimelineEntry): string {
  const { id, type, title, occurredAt, actor, stepConfigId, data } = entry
  const content = { id, type, title, occurredAt, actor, stepConfigId, data }
  return hash('sha256', previous + JSON.stringify(content), 'hex')
}
