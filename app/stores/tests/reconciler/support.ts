import type { SeenVersion } from '../../derive/seen.js'
import { decideRollout, decideStage, takeVerdict } from '../../reconciler/decide.js'
import { beginCall } from '../../reconciler/end_call.js'
import { observe } from '../../reconciler/observe.js'
import { reconcile, type Next } from '../../reconciler/reconcile.js'
import { versionIn, type Lane, type StoreRecord } from '../../reconciler/record.js'

/* A record of a store, and changes of it at given seconds of one day, for specs of single cases. */

const BEGIN = Date.parse('2026-11-20T12:00:00.000Z')
export const at = (seconds: number) => new Date(BEGIN + seconds * 1000).toISOString()
export const secondsOf = (instant: string) => (Date.parse(instant) - BEGIN) / 1000
export const BY = { type: 'user', id: 'usr_1', name: 'Ada' } as const

export const newRecord = (type: StoreRecord['type'] = 'google'): StoreRecord => ({
  ...{ type, generation: 0, credentials: 1, lagSeconds: 0 },
  ...{ polledAt: null, pollFailure: null, versions: [], calls: [] },
})

const ROLLOUTS: Partial<Record<SeenVersion['state'], string>> = {
  halted: 'halted',
  live: 'complete',
  replaced: 'complete',
  pendingRelease: 'inactive',
}

interface Look {
  version?: string
  track?: string
  lag?: number
  waitsForSending?: boolean
}

/** Returns a version as a read that began at a time shows it, with release by hand. */
export function seen(
  seconds: number,
  state: SeenVersion['state'],
  share: number | null = null,
  { version = '1.0.0', track = 'production', lag = 0, waitsForSending = false }: Look = {}
): SeenVersion {
  const is = ROLLOUTS[state] ?? 'active'
  const rollout =
    share === null ? null : { state: is, raw: is, percentage: share, day: null, startedAt: null }
  return {
    at: at(seconds),
    lagSeconds: lag,
    ofCall: null,
    state,
    raw: state,
    version,
    track,
    storeRef: version,
    name: null,
    buildNumbers: ['1'],
    review: null,
    submissionId: null,
    release: { method: 'manual', at: null },
    rollout,
    updatePriority: null,
    waitsForSending,
    rejection: null,
  } as SeenVersion
}

export const shows = (record: StoreRecord, seconds: number, ...all: SeenVersion[]) =>
  observe(
    record,
    all.map((each) => ({ version: each.version, seen: each })),
    at(seconds),
    at(seconds)
  )

/** Returns the moves and verdicts at a time, and stores the verdicts as the service does. */
export function judged(record: StoreRecord, seconds: number) {
  const result = reconcile(record, at(seconds))
  for (const each of result.verdicts)
    takeVerdict(versionIn(record, each.version), each, at(seconds))
  return result
}

export function begin(record: StoreRecord, lane: Lane, seconds: number, lasts: number) {
  const next = judged(record, seconds).lanes[lane] as Extract<Next, { do: 'call' }>
  return beginCall(record, lane, next, { now: at(seconds), deadline: at(seconds + lasts) })
}

export const grows = (record: StoreRecord, seconds: number) =>
  decideRollout(record, '1.0.0', {
    to: { action: 'set', percentage: 50 },
    by: BY,
    at: at(seconds),
    saw: { state: 'active', percentage: 20 },
  })
export const halts = (record: StoreRecord, seconds: number, version = '1.0.0') =>
  decideRollout(record, version, {
    to: { action: 'halt' },
    by: BY,
    at: at(seconds),
    saw: null,
    isUrgent: true,
  })
export const releases = (record: StoreRecord, seconds: number) =>
  decideStage(record, '1.0.0', { what: 'released', by: BY, at: at(seconds) })
