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
 * Faults that somebody might put into a plugin, and the rule by which runs of the reconciler
 * through it find each.
 */

type Store = new (ctx: PluginContext) => AppStore
type Rollout = Parameters<AppStore['setRollout']>

interface Planted {
  what: string
  rule: Rule
  breaking: (Own: Store) => Store
  /** An interleaving that shows it, as they are drawn now. */
  shownBy: number
}

/** Interleavings that are tried at most. */
const MOST = 150

const changed = (version: StoreVersion, state: StoreVersion['status']['state']): StoreVersion => ({
  ...version,
  status: { ...version.status, state },
})

/** The same, declared to be of the present. */
const asOfNow = (version: StoreVersion): StoreVersion => ({
  ...version,
  status: { ...version.status, lagSeconds: 0 },
})

/** Commits do not say what becomes of a review. */
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

/** A stop is answered as it was asked for, and not made. */
const unstopped = (Own: Store): Store =>
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

const unsubmitted =
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
      what: 'a lag of nothing is declared',
      rule: 'announced is true',
      shownBy: 79,
      breaking: neverLags,
    },
    {
      what: 'a halt is answered and not made',
      rule: 'announced is true',
      shownBy: 2,
      breaking: unstopped,
    },
    {
      what: 'what is in review counts as rolled out',
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
      what: 'a submission is answered and not made',
      rule: 'announced is true',
      breaking: unsubmitted('inReview'),
      shownBy: 1,
    },
    {
      what: 'a halt is of the highest release, whichever was meant',
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
      what: 'growth and submissions take Google’s default, which cancels a review',
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
      what: 'what was refused is reported as applied',
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
      what: 'a lag of nothing is declared',
      rule: 'announced is true',
      shownBy: 271,
      breaking: neverLags,
    },
    {
      what: 'a pause is answered and not made',
      rule: 'announced is true',
      shownBy: 9,
      breaking: unstopped,
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
      what: 'a submission is answered and not made',
      rule: 'announced is true',
      breaking: unsubmitted('waitingForReview'),
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
        for (const scenario of scenariosOf(vendor, isLong ? 1 : shownBy, MOST)) {
          const { findings } = await tryThrough(scenario, plugin)
          for (const each of findings) found.add(each.rule)
          if (found.has(rule)) break
        }
        assert.include([...found], rule)
      }).timeout(600_000)
    }
  }
})
