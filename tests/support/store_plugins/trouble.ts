import type { Failure } from '@tarmac/plugin-kit/testing'
import type { Random } from '../../../examples/hostile-store/src/core/index.js'
import type { Flight } from '#stores/tests/reconciler/journal'

/** Trouble at one request of a call; `at` is the number of the request, counted from 1. */
export type Trouble =
  | { at: number; kind: 'failure'; failure: Failure }
  /** Somebody does something in the console. */
  | { at: number; kind: 'console' }
  /** A stop overtakes the call. */
  | { at: number; kind: 'stop' }

const FAILURES: readonly Failure[] = [
  'lost',
  'lost',
  'lost',
  'reset',
  'hang',
  'truncate',
  'html',
  { status: 503 },
  { status: 429, headers: { 'retry-after': '90' } },
]

/** Draws the trouble of a call at random; null for none. */
export function troubleFrom(random: Random, only?: 'failure'): Trouble | null {
  const at = 1 + Math.floor(random() * 8)
  const choice = only === 'failure' ? 0 : random()
  if (choice < 0.12) {
    return { at, kind: 'failure', failure: FAILURES[Math.floor(random() * FAILURES.length)] }
  }
  if (choice < 0.2) return { at, kind: 'console' }
  return choice < 0.35 ? { at, kind: 'stop' } : null
}

/** The settings of the requests of a call or a read. */
export interface Asking {
  random: Random
  between: Trouble | null
  /** The call, whose requests are aborted after its deadline. */
  flight?: Flight
  ended?: AbortController
}
