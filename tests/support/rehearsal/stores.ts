import { sampleScenario as playScenario } from '@tarmac/plugin-google-play/fake'
import { sampleScenario as appleScenario } from '@tarmac/plugin-app-store-connect/fake'
import { clock } from '#foundation/core/services'
import * as apple from '#tests/support/app_store'
import * as google from '#tests/support/google_play'
import { Gate } from './gate.js'

/** The store of a rehearsal, with what people and CI do to it outside of the service. */
export interface RehearsedStore {
  platform: 'ios' | 'android'
  plugin: string
  types: { store: string; beta: string }
  credentials: Record<string, string>
  gate: Gate
  /** Adds a build of the version, as CI would. */
  upload(number: number): void
  /** Ends the review. */
  decide(verdict: 'approved' | 'rejected'): void
  /** Successive states of the version: its build, state, number of submissions and share. */
  history: readonly string[]
  leave(): void
}

export const VERSION = '1.3.0'

/** States before the first review, which are not part of the history. */
const BEFORE_REVIEW = ['PREPARE_FOR_SUBMISSION', 'READY_FOR_REVIEW']

const note = (history: string[], state: string) => {
  if (history.at(-1) !== state) history.push(state)
}

/** Returns Google Play, where all users have 1.2.3. */
export function playStore(): RehearsedStore {
  const fake = (google.reached.google = google.makeGooglePlay())
  const scenario = playScenario()
  scenario.appStore!.builds.pop()
  fake.seed(scenario)
  // Lists are this stale.
  fake.lagMs = 4 * 60_000
  const history: string[] = []
  const gate = new Gate(
    fake,
    (request) => request.url.replace(/^.*\/edits\/\d+/, ''),
    () => {
      const { versions } = fake.state().appStore!
      for (const { version, buildNumber, state, submissions, fraction } of versions) {
        if (version !== VERSION || state === 'preparing') continue
        const share = fraction === null ? '' : ` ${Math.round(fraction * 100)} %`
        note(history, `${buildNumber} ${state}, sent ${submissions}×${share}`)
      }
      return fake.store.releases
    }
  )
  return {
    platform: 'android',
    plugin: 'google-play',
    credentials: google.credentials,
    gate,
    history,
    types: { store: 'google', beta: 'google-beta' },
    upload: (number) =>
      fake.inConsole((store) => {
        store.library.add(number)
        store.releases.push({
          track: 'internal',
          name: `${VERSION} (${number})`,
          versionCodes: [number],
          status: 'completed',
          userFraction: null,
          notes: [],
          priority: null,
          review: 'approved',
          isOut: true,
          unsent: null,
          submissions: 1,
          pinned: null,
        })
      }),
    decide: (verdict) => fake.decide(verdict),
    leave: () => void (google.reached.google = null),
  }
}

/** Returns App Store Connect, where all users have 1.2.3. */
export function appStore(): RehearsedStore {
  const fake = (apple.reached.apple = apple.makeAppStore(() => clock.milliseconds()))
  const scenario = appleScenario()
  for (const { builds } of [scenario.appStore!, scenario.betaTesting!]) {
    builds.splice(1)
    builds[0].uploadedAt = new Date(clock.milliseconds() - 86_400_000).toISOString()
  }
  fake.seed(scenario)
  const ours = () => fake.world.versions.find(({ version }) => version === VERSION)
  const history: string[] = []
  const gate = new Gate(
    fake,
    ({ method, url }, body) => {
      const { data } = body === '' ? { data: {} } : JSON.parse(body)
      return `${method} ${data.type ?? url} ${JSON.stringify(data.attributes ?? {})}`
    },
    () => {
      const version = ours()
      if (version && !BEFORE_REVIEW.includes(version.state)) {
        const { buildId, state, submissions } = version
        note(history, `${buildId?.replace('build-', '')} ${state}, sent ${submissions}×`)
      }
      return fake.state()
    }
  )
  return {
    platform: 'ios',
    plugin: 'app-store-connect',
    credentials: apple.credentials,
    gate,
    history,
    types: { store: 'apple', beta: 'apple-beta' },
    upload: (number) =>
      fake.inConsole(({ builds }) => {
        builds.push({
          ...structuredClone(builds[0]),
          id: `build-${number}`,
          number: String(number),
          version: VERSION,
          uploadedAt: clock.milliseconds(),
          encrypts: false,
          processing: 'VALID',
        })
      }),
    decide: (verdict) => fake.decide(ours()!.id, verdict),
    leave: () => void (apple.reached.apple = null),
  }
}
