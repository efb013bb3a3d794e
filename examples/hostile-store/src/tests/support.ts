import assert from 'node:assert/strict'
import {
  hostileStore,
  Refusal,
  type HostileStore,
  type StoreCall,
  type StoreOptions,
} from '../core/index.js'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const STARTS_AT = Date.parse('2026-03-02T08:00:00.000Z')

type Kind = StoreOptions['kind']

/** A store whose reviews take an hour and end well, with version 1.0.0 (build 100) live. */
export function storeOf(kind: Kind, options: Partial<StoreOptions> = {}): HostileStore {
  const builds = { 100: 0, 110: 0, 120: 0, 130: 0 }
  return hostileStore({
    kind,
    seed: 1,
    startsAt: STARTS_AT,
    lagSeconds: 60,
    reviewMinutes: [60, 60],
    rejected: 0,
    live: { version: '1.0.0', build: '100' },
    builds,
    ...options,
  })
}

/** Sends calls at a time that moves on by itself. */
export class Caller {
  #calls = 0

  constructor(
    readonly store: HostileStore,
    public now = STARTS_AT
  ) {}

  send(call: StoreCall) {
    this.#calls += 1
    return this.store.receive(call, this.now, `key ${this.#calls}`)
  }

  wait(milliseconds: number): void {
    this.now += milliseconds
    this.store.pass(this.now)
  }

  prepare(version: string, more: { fraction?: number; release?: 'manual' | 'auto' } = {}) {
    const buildNumber = version.replaceAll('.', '')
    const release = more.release ?? 'auto'
    return this.send({ method: 'prepare', version, buildNumber, phased: true, release, ...more })
  }

  submit(version: string, onReviewInProgress: 'fail' | 'replace' = 'fail') {
    return this.send({ method: 'submit', version, onReviewInProgress })
  }

  roll(
    version: string,
    to: Extract<StoreCall, { method: 'setRollout' }>['to'],
    onReviewInProgress: 'fail' | 'replace' = 'fail'
  ) {
    return this.send({ method: 'setRollout', version, to, onReviewInProgress })
  }

  halt(version: string, onReviewInProgress: 'fail' | 'replace' = 'fail') {
    return this.roll(version, { action: 'halt' }, onReviewInProgress)
  }

  /** Prepares and submits, and waits until it is with users. */
  publish(version: string, fraction?: number): void {
    this.prepare(version, fraction === undefined ? {} : { fraction })
    this.submit(version)
    this.wait(2 * HOUR)
  }

  stateOf(version: string): string {
    return this.store.truth(version)?.state ?? 'none'
  }
}

/** Expects a refusal that changes nothing. */
export function refuses(
  store: HostileStore,
  code: string,
  reason: string,
  deed: () => unknown
): void {
  const before = store.versions.map((version) => store.history(version).length)
  assert.throws(deed, (error) => {
    assert.ok(error instanceof Refusal, String(error))
    assert.deepEqual([error.code, error.reason], [code, reason])
    return true
  })
  assert.deepEqual(
    store.versions.map((version) => store.history(version).length),
    before
  )
}
