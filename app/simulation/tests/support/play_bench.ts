import { Bench } from '#plugin-kit/conformance/bench'
import { isProviderError } from '#plugin-kit/provider_error'
import { sentForReview } from '#simulated-providers/play_edits'
import type { PlaySettings, SimulatedPlay, TrackRelease } from '#simulated-providers/play_state'
import googlePlay from '../../provider/google_play/plugin.js'
import { newWorld } from '../../world/world.js'
import { commitTrack, HOUR, ok, STORE } from '#simulated-providers/tests/support/play_deeds'
import { WorldFake } from './world_fake.js'

/*
 * The plugin of Google Play, connected to a world with three bundles, without the service.
 */

const PACKAGE = 'com.example.app'

class PlayFake extends WorldFake {
  constructor() {
    super('google')
    this.world = { ...newWorld('play'), plays: { [PACKAGE]: STORE } }
  }

  get play(): SimulatedPlay {
    return this.world.plays[PACKAGE]
  }

  set play(play: SimulatedPlay) {
    this.world = { ...this.world, plays: { [PACKAGE]: play } }
  }
}

/** @param settings of the store, whose lists lag by 30 seconds unless they say otherwise */
export async function playBench(settings: Partial<PlaySettings> = {}, more: object = {}) {
  const fake = new PlayFake()
  fake.play = { ...STORE, ...more, settings: { ...STORE.settings, ...settings } }
  const bench = new Bench({
    plugin: googlePlay,
    fake: () => fake,
    credentials: { good: { token: 'good-token' }, bad: { token: 'bad-token' } },
    // The sender of changes for review is remembered per app.
    data: { appStore: { bundleId: PACKAGE }, betaTesting: { bundleId: PACKAGE } },
  })
  bench.pass(HOUR)
  const store = await bench.capability('appStore')
  const change = (work: (play: SimulatedPlay) => SimulatedPlay) => (fake.play = work(fake.play))
  return {
    bench,
    store,
    fake,
    /** Commits releases as a person would, and waits until their reviews have ended. */
    out(...releases: TrackRelease[]) {
      const { isSentByHand } = fake.play.settings
      const how = { changesNotSentForReview: isSentByHand, isManaged: false }
      change((play) =>
        sentForReview(ok(commitTrack(play, bench.nowMs, releases, how)), 's', bench.nowMs)
      )
      bench.pass(6 * HOUR)
    },
    /** Commits releases, whose review is still running. */
    inReview: (releases: TrackRelease[], track?: string) =>
      change((play) => ok(commitTrack(play, bench.nowMs, releases, { track }))),
    /** A person presses Send for review. */
    send: () => change((play) => sentForReview(play, 's', bench.nowMs)),
    set: (next: Partial<PlaySettings>) =>
      change((play) => ({ ...play, settings: { ...play.settings, ...next } })),
    fail: () => ({ ...bench.mutation(), onReviewInProgress: 'fail' as const }),
    replace: () => ({ ...bench.mutation(), onReviewInProgress: 'replace' as const }),
    /** Returns what lists show of a version on production. */
    async listed(version: string) {
      const { items } = await store.listVersions({ version })
      return items.find(({ track }) => track === 'production')
    },
  }
}

/** Returns the outcome of a call as a text. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (isProviderError(error) ? `${error.code} ${error.detail.reason}` : String(error))
  )
