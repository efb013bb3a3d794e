import { test } from '@japa/runner'
import type {
  AppStore,
  LocalizedMetadata,
  Plugin,
  PluginContext,
  StoreVersion,
} from '@tarmac/plugin-kit'
import { registerPlantedFaults, type PlantedFault } from '@tarmac/plugin-kit/testing'
import GooglePlayStore from '../capabilities/google_play.js'
import GooglePlayTesting from '../capabilities/testing_tracks.js'
import AndroidVitals from '../capabilities/vitals.js'
import plugin from '../plugin.js'
import { options } from './support/options.js'

/*
 * The conformance suite finds faults that this plugin might have: each one fails the rule about it.
 */

const withStore = (Broken: typeof GooglePlayStore): Plugin => ({
  ...plugin,
  capabilities: { ...plugin.capabilities, appStore: async () => ({ default: Broken }) },
})

const withTesting = (Broken: typeof GooglePlayTesting): Plugin => ({
  ...plugin,
  capabilities: { ...plugin.capabilities, betaTesting: async () => ({ default: Broken }) },
})

const withVitals = (Broken: typeof AndroidVitals): Plugin => ({
  ...plugin,
  capabilities: { ...plugin.capabilities, crashMonitoring: async () => ({ default: Broken }) },
})

/** Returns a context that changes its requests. */
const changing = (ctx: PluginContext, change: (url: URL) => void): PluginContext => ({
  ...ctx,
  http: {
    ...ctx.http,
    client: (input, init) => {
      const url = new URL(String(input))
      change(url)
      return ctx.http.client(url, init)
    },
  },
})

type Health = Awaited<ReturnType<AndroidVitals['health']>>
type Rollout = Parameters<AppStore['setRollout']>

const FAULTS: readonly PlantedFault[] = [
  {
    what: 'growth uses Google’s default, which cancels a review',
    rule: 'appStore.C20',
    broken: withStore(
      class extends GooglePlayStore {
        constructor(ctx: PluginContext) {
          super(changing(ctx, ({ searchParams }) => searchParams.delete('changesInReviewBehavior')))
        }
      }
    ),
  },
  {
    what: 'a stop waits for a review',
    rule: 'appStore.C21',
    broken: withStore(
      class extends GooglePlayStore {
        override setRollout(...[id, to, how]: Rollout) {
          return super.setRollout(id, to, { ...how, onReviewInProgress: 'fail' })
        }
      }
    ),
  },
  {
    what: 'a release in review counts as rolled out, as the edit shows it',
    rule: 'appStore.C1',
    broken: withStore(
      class extends GooglePlayStore {
        override async listVersions(filter: Parameters<AppStore['listVersions']>[0]) {
          const { items } = await super.listVersions(filter)
          const byStatus = (version: StoreVersion): StoreVersion =>
            version.rollout?.raw === 'inProgress'
              ? { ...version, status: { ...version.status, state: 'rolledOutPartially' } }
              : version
          return { items: items.map(byStatus) }
        }
      }
    ),
  },
  {
    what: 'a state that Google adds counts as in review',
    rule: 'appStore.R7',
    broken: withStore(
      class extends GooglePlayStore {
        override async listVersions(filter: Parameters<AppStore['listVersions']>[0]) {
          const { items } = await super.listVersions(filter)
          const known = ({ status, ...version }: StoreVersion): StoreVersion => ({
            ...version,
            status: { ...status, state: status.state === 'unknown' ? 'inReview' : status.state },
          })
          return { items: items.map(known) }
        }
      }
    ),
  },
  {
    what: 'a change answers the requested state instead of the previous one',
    rule: 'appStore.C19',
    broken: withStore(
      class extends GooglePlayStore {
        override async setRollout(...given: Rollout) {
          const { after } = await super.setRollout(...given)
          return { before: after, after }
        }
      }
    ),
  },
  {
    what: 'notes of one language replace all notes',
    rule: 'appStore.C4',
    broken: withStore(
      class extends GooglePlayStore {
        override setMetadata(id: string, entries: LocalizedMetadata[]) {
          return super.setMetadata(id, [{ locale: 'de-DE', whatsNew: '' }, ...entries])
        }
      }
    ),
  },
  {
    what: 'a build is given only to the internal track',
    rule: 'betaTesting.C3',
    broken: withTesting(
      class extends GooglePlayTesting {
        override distribute(buildId: string, groupIds: string[]) {
          return super.distribute(buildId, groupIds.slice(0, 1))
        }
      }
    ),
  },
  {
    what: 'the vitals of all versions count as those of one',
    rule: 'crashMonitoring.C1',
    broken: withVitals(
      class extends AndroidVitals {
        override async health(window: Parameters<AndroidVitals['health']>[0]) {
          const [one, other] = [window, { ...window, version: '1.2.30' }]
          const both = [await super.health(one), await super.health(other)]
          const [first, second] = both as Required<Health>[]
          const users = first.users + second.users
          const free = first.users * first.crashFreeUsers + second.users * second.crashFreeUsers
          return { ...both[0], users, crashFreeUsers: free / users }
        }
      }
    ),
  },
]

registerPlantedFaults({ test, ...options, faults: FAULTS })
