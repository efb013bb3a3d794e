import { test } from '@japa/runner'
import type { AppStore, Plugin, PluginContext, StoreVersion } from '@tarmac/plugin-kit'
import type { Rule } from '#stores/tests/reconciler/finding'
import {
  scenariosOf,
  tryThrough,
  type VendorName,
} from '#tests/support/store_plugins/explore_plugins'
import { isLong, some } from '#tests/support/effort'
import { VENDORS } from '#tests/support/store_plugins/vendors'

/*
 * Faults that a plugin might have, each with the rule that detects it when the reconciler works
 * through the plugin.
 */

type Store = new (ctx: PluginContext) => AppStore
type Rollout = Parameters<AppStore['setRollout']>

interface Planted {
  what: string
  rule: Rule
  breaking: (Own: Store) => Store
  /** The seed of an interleaving that shows the fault, as interleavings are generated now. */
  shownBy: number
}

/** The largest number of interleavings to try. */
const MAX_INTERLEAVINGS = 150

const changed = (version: StoreVersion, state: StoreVersion['status']['state']): StoreVersion => ({
  ...version,
  status: { ...version.status, state },
})

/** Returns the same version, declared to have no lag. */
const asOfNow = (version: StoreVersion): StoreVersion => ({
  ...version,
  status: { ...version.status, lagSeconds: 0 },
})

/** Removes from commits what they say about a running review. */
const withoutBehavior = (ctx: PluginContext): PluginContext => ({
  ...ctx,
  http: {
    ...ctx.http,
    client: (input, init) => {
      const url = new URL(String(input))
      url.searchParams.delete('changesInReviewBehavior')
      return ctx.http.client(url, init)
    },
  },
})

const neverLags = (Own: Store): Store =>
  class extends Own {
    override async listVersions(...given: Parameters<AppStore['listVersions']>) {
      const page = await super.listVersions(...given)
      return { ...page, items: page.items.map(asOfNow) }
    }
  }

/** Answers a stop as if it were made, but does not make it. */
const withoutStops = (Own: Store): Store =>
  class extends Own {
    override async setRollout(...[id, to, how]: Rollout) {
      const isStop = 'action' in to && (to.action === 'halt' || to.action === 'pause')
      if (!isStop) return super.setRollout(id, to, how)
      const { items } = await super.listVersions({})
      const before = items.find((each) => each.id === id)!
      const state = to.action === 'halt' ? 'halted' : 'paused'
      const after = asOfNow({ ...before, rollout: { ...before.rollout!, state } })
      return { before, after: state === 'halted' ? changed(after, 'halted') : after }
    }
  }

/** Answers a submission as if it were made, but does not make it. */
const withoutSubmissions =
  (state: 'inReview' | 'waitingForReview') =>
  (Own: Store): Store =>
    class extends Own {
      override async submit(...[id, how]: Parameters<AppStore['submit']>) {
        const { items } = await super.listVersions({})
        const own = items.find((each) => each.id === id)
        return own ? asOfNow(changed(own, state)) : super.submit(id, how)
      }
    }

const FAULTS: Readonly<Record<VendorName, readonly Planted[]>> = {
  google: [
    {
      what: 'no lag is declared',
      rule: 'announced is true',
      shownBy: 79,
      breaking: neverLags,
    },
    {
      what: 'a halt is answered but not made',
      rule: 'announced is true',
      shownBy: 2,
      breaking: withoutStops,
    },
    {
      what: 'a version in review counts as rolled out',
      rule: 'announced is true',
      shownBy: 1,
      breaking: (Own) =>
        class extends Own {
          override async listVersions(...given: Parameters<AppStore['listVersions']>) {
            const { items } = await super.listVersions(...given)
            const byStatus = (each: StoreVersion) =>
              each.rollout?.raw === 'inProgress' ? changed(each, 'rolledOutPartially') : each
            return { items: items.map(byStatus) }
          }
        },
    },
    {
      what: 'a submission is answered but not made',
      rule: 'announced is true',
      breaking: withoutSubmissions('inReview'),
      shownBy: 1,
    },
    {
      what: 'a halt stops another release than the one it names',
      rule: 'announced is true',
      shownBy: 2,
      breaking: (Own) =>
        class extends Own {
          override async setRollout(...[id, to, how]: Rollout) {
            const isStop = 'action' in to && to.action === 'halt'
            if (!isStop) return super.setRollout(id, to, how)
            const { items } = await super.listVersions({})
            const own = items.find((each) => each.id === id)
            const [other = own!] = items.filter((each) => each.id !== id && each.rollout?.fraction)
            await super.setRollout(other.id, to, how)
            const rollout = { ...own!.rollout!, state: 'halted' as const }
            return { before: own!, after: { ...asOfNow(changed(own!, 'halted')), rollout } }
          }
        },
    },
    {
      what: 'growth and submissions use Google’s default, which cancels a review',
      rule: 'restarted reviews say so',
      shownBy: 66,
      breaking: (Own) =>
        class extends Own {
          constructor(ctx: PluginContext) {
            super(withoutBehavior(ctx))
          }
        },
    },
    {
      what: 'a refused submission is reported as made',
      rule: 'announced is true',
      shownBy: 1,
      breaking: (Own) =>
        class extends Own {
          override async submit(...[id, how]: Parameters<AppStore['submit']>) {
            try {
              return await super.submit(id, how)
            } catch {
              const { items } = await super.listVersions({})
              return asOfNow(
                changed(
                  items.find((each) => each.id === id)!,
                  'inReview'
                )
              )
            }
          }
        },
    },
  ],
  apple: [
    {
      what: 'no lag is declared',
      rule: 'announced is true',
      shownBy: 271,
      breaking: neverLags,
    },
    {
      what: 'a pause is answered but not made',
      rule: 'announced is true',
      shownBy: 9,
      breaking: withoutStops,
    },
    {
      what: 'a release that is refused or lost is reported as made',
      rule: 'announced is true',
      shownBy: 9,
      breaking: (Own) =>
        class extends Own {
          override async release(...[id]: Parameters<NonNullable<AppStore['release']>>) {
            const { items } = await super.listVersions({})
            return asOfNow(
              changed(
                items.find((each) => each.id === id)!,
                'processing'
              )
            )
          }
        },
    },
    {
      what: 'a cancellation counts as done while it is under way',
      rule: 'announced is true',
      shownBy: 293,
      breaking: (Own) =>
        class extends Own {
          override async cancelReview(...given: Parameters<AppStore['cancelReview']>) {
            return asOfNow(changed(await super.cancelReview(...given), 'developerRejected'))
          }
        },
    },
    {
      what: 'a submission is answered but not made',
      rule: 'announced is true',
      breaking: withoutSubmissions('waitingForReview'),
      shownBy: 1,
    },
    {
      what: 'a stop completes the phased release',
      rule: 'no growth after a stop',
      shownBy: 9,
      breaking: (Own) =>
        class extends Own {
          override setRollout(...[id, to, how]: Rollout) {
            const isStop = 'action' in to && (to.action === 'pause' || to.action === 'halt')
            return super.setRollout(id, isStop ? { action: 'complete' } : to, how)
          }
        },
    },
  ],
}

async function broken(vendor: VendorName, breaking: Planted['breaking']): Promise<Plugin> {
  const { plugin } = VENDORS[vendor]
  const load = plugin.capabilities.appStore as () => Promise<{ default: Store }>
  const { default: Own } = await load()
  const Broken = breaking(Own)
  return { ...plugin, capabilities: { appStore: async () => ({ default: Broken }) } } as never
}

test.group('reconciling a store through a broken plugin', () => {
  for (const vendor of Object.keys(FAULTS) as VendorName[]) {
    for (const { what, rule, breaking, shownBy } of some(FAULTS[vendor])) {
      test(`${vendor}: finds that ${what}`, async ({ assert }) => {
        const plugin = await broken(vendor, breaking)
        const found = new Set<Rule>()
        // The long run finds faults without knowing where they show.
        for (const scenario of scenariosOf(vendor, isLong ? 1 : shownBy, MAX_INTERLEAVINGS)) {
          const { findings } = await tryThrough(scenario, plugin)
          for (const each of findings) found.add(each.rule)
          if (found.has(rule)) break
        }
        assert.include([...found], rule)
      }).timeout(600_000)
    }
  }
})
