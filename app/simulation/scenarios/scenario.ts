import type { Drop, Spike } from '#simulated-providers/audience'
import type { AppStoreSettings } from '#simulated-providers/app_store_state'
import type { CiSettings } from '#simulated-providers/ci'
import type { PlaySettings } from '#simulated-providers/play_state'
import type { RepositorySettings } from '#simulated-providers/repository'
import type { SimulatedTests } from '#simulated-providers/test_runs'
import type { SimulatedTranslations } from '#simulated-providers/translations'
import { newWorld, type ConsoleAction, type Trouble, type World } from '../world/world.js'

/*
 * A scenario: the settings of a world's providers, and what happens in it. Its times are relative
 * to the begin of the world.
 */

export interface Scenario {
  name: string
  about: string | null
  seed: string | null
  ci: Partial<CiSettings>
  workflows: readonly { id: string; name: string }[] | null
  appStore: Partial<AppStoreSettings>
  googlePlay: Partial<PlaySettings>
  versionControl: Partial<RepositorySettings>
  tests: Partial<
    Pick<SimulatedTests, 'perRun' | 'lastingMs' | 'failed' | 'blocked' | 'byHand' | 'retestMs'>
  >
  translations: Partial<Pick<SimulatedTranslations, 'untranslated'>>
  crashes: { lagMs?: number }
  users: { daily: number | null }
  spikes: readonly Spike[]
  drops: readonly Drop[]
  outages: readonly Trouble[]
  limits: readonly Trouble[]
  revocations: readonly Trouble[]
  deeds: readonly ConsoleAction[]
}

/** Makes the world that a scenario describes. @param begin of the world, in milliseconds */
export function worldOf(scenario: Scenario, seed: string, begin: number): World {
  const world = newWorld(scenario.seed ?? seed)
  const { ci, newAppStore, newPlay, newRepository, audience } = world
  const spanOf = <Span extends { from: number; until: number | null }>(span: Span): Span => ({
    ...span,
    from: begin + span.from,
    until: span.until === null ? null : begin + span.until,
  })
  return {
    ...world,
    scenario: scenario.name,
    ci: {
      ...ci,
      settings: { ...ci.settings, ...scenario.ci },
      workflows: scenario.workflows ?? ci.workflows,
    },
    newAppStore: {
      ...newAppStore,
      settings: { ...newAppStore.settings, ...scenario.appStore },
    },
    newPlay: { ...newPlay, settings: { ...newPlay.settings, ...scenario.googlePlay } },
    newRepository: {
      ...newRepository,
      settings: { ...newRepository.settings, ...scenario.versionControl },
    },
    tests: { ...world.tests, ...scenario.tests },
    translations: { ...world.translations, ...scenario.translations },
    audience: { ...audience, dailyUsers: scenario.users.daily ?? audience.dailyUsers },
    crashes: { ...world.crashes, ...scenario.crashes, spikes: scenario.spikes.map(spanOf) },
    analytics: { ...world.analytics, drops: scenario.drops.map(spanOf) },
    outages: scenario.outages.map(spanOf),
    limits: scenario.limits.map(spanOf),
    revocations: scenario.revocations.map(spanOf),
    planned: scenario.deeds.map((each) => ({
      ...each,
      at: each.at === null ? null : begin + each.at,
    })),
    settledAt: begin,
  }
}
