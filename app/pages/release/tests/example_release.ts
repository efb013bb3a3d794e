import { exampleReleaseDetail } from '#releases/examples'
import { exampleRollout } from '#rollouts/examples'
import type { RolloutInStore } from '#rollouts/rollout_entity'
import type { Reader } from '../../frame/page.js'
import { exampleReader } from '../../tests/example_reader.js'
import type { Release, ShownStep } from '../answers.js'
import type { ReleaseAnswers } from '../read.js'

export const NOW = '2026-11-24T10:07:00.000Z'
export const BASE = '/dashboard/app/acme-ios/release/acme-ios%3A4.2.0'

export const reader: Reader = { ...exampleReader, now: NOW }

export type Members = Partial<Omit<RolloutInStore, 'phased' | 'decided'>>
type Status = RolloutInStore['phased']['status']

export const [example] = exampleRollout().stores

/** Returns a store with a rollout in a given status. */
export const store = (
  storeType: RolloutInStore['storeType'],
  status: Status,
  members: Members = {},
  action: 'pause' | 'halt' | null = null
): RolloutInStore => ({
  ...example,
  storeType,
  destinationId: storeType,
  phased: { ...example.phased, status, percentage: 20 },
  decided: {
    ...example.decided,
    rollout: action && {
      ...{ action, isUrgent: true, generation: 4, at: NOW, status: 'underWay', reason: null },
      by: { type: 'user', id: 'user_grace', name: 'Grace' },
    },
  },
  ...members,
})

export const rollout = (...stores: RolloutInStore[]) => ({ ...exampleRollout(), stores })

export const command = (
  what: NonNullable<RolloutInStore['command']>['what']
): RolloutInStore['command'] => ({
  ...{ what, isUrgent: true, decidedAt: '2026-11-24T10:06:58.000Z', tries: 1 },
  ...{ askedAt: '2026-11-24T10:06:58.000Z', retryAt: null, reason: null },
})

export const stopped = (how: 'redButton' | 'person'): RolloutInStore['stopped'] => ({
  ...{ how, at: NOW, reason: null, triageIssueId: null },
  by: { type: 'user', id: 'user_grace', name: 'Grace' },
})

export const press = { base: BASE, reader, stoppers: null, isFocused: false, release: null }

/** Returns the answers for the page of a release that rolls out. */
export function answers(members: Partial<ReleaseAnswers> = {}): ReleaseAnswers {
  const detail = exampleReleaseDetail()
  const release = { ...detail, status: 'active', phase: 'rollingOut' } as unknown as Release
  const steps = (detail.steps as object[]).map((step) => ({ ...step, unmet: [], rollout: null }))
  const held = {
    ...{ status: 'active', phase: 'rollingOut', completedAt: null, releasedAt: null },
    ...{ health: null, whyNotMoving: { release: [], warnings: [], next: [] } },
    steps: steps as unknown as ShownStep[],
  }
  return {
    ...{ release, held, chosen: null, items: [], run: null, storeBuilds: [], tested: null },
    ...{ installs: [], builds: [], locales: [], features: null, rollout: null, stoppers: null },
    ...{
      entries: [],
      fixes: [],
      issues: [],
      isAllIssues: true,
      tags: { release: '"a"', runs: {} },
    },
    app: { id: 'acme-ios', name: 'Acme', platform: 'ios', appGroup: null },
    paired: { pair: null, other: null, choices: null },
    ...members,
  }
}

export const call = { reader, refused: null, params: {}, query: {} }
