import { test } from '@japa/runner'
import type { AppStore, Mutation, Plugin, PluginContext } from '@tarmac/plugin-kit'
import { registerPlantedFaults, type PlantedFault } from '@tarmac/plugin-kit/testing'
import AppleAppStore from '../capabilities/app_store.js'
import TestFlight from '../capabilities/beta_testing.js'
import plugin from '../plugin.js'
import webhooks from '../webhooks.js'
import { credentials, data, makeFake } from './support/keys.js'

/*
 * The conformance suite finds faults that this plugin might have: each one fails the rule about it.
 */

const options = { fake: makeFake, credentials, data }

const withStore = (Broken: typeof AppleAppStore): Plugin => ({
  ...plugin,
  capabilities: { ...plugin.capabilities, appStore: async () => ({ default: Broken }) },
})

const withBeta = (Broken: typeof TestFlight): Plugin => ({
  ...plugin,
  capabilities: { ...plugin.capabilities, betaTesting: async () => ({ default: Broken }) },
})

/** Returns the same without pauses. */
const hasty = (ctx: PluginContext): PluginContext => ({ ...ctx, pause: async () => {} })

const FAULTS: readonly PlantedFault[] = [
  {
    what: 'a thing that was just made is not read again',
    rule: 'appStore.C2',
    broken: withStore(
      class extends AppleAppStore {
        constructor(ctx: PluginContext) {
          super(hasty(ctx))
        }
      }
    ),
  },
  {
    what: 'a cancellation is not waited for',
    rule: 'appStore.C8',
    broken: withStore(
      class extends AppleAppStore {
        constructor(ctx: PluginContext) {
          super(hasty(ctx))
        }
      }
    ),
  },
  {
    what: 'a version is submitted again while it is in review',
    rule: 'appStore.C6',
    broken: withStore(
      class extends AppleAppStore {
        override submit(id: string, m: Parameters<AppleAppStore['submit']>[1]) {
          return super.submit(id, { ...m, onReviewInProgress: 'replace' })
        }
      }
    ),
  },
  {
    what: 'a state that nobody knows counts as being prepared',
    rule: 'appStore.R7',
    broken: withStore(
      class extends AppleAppStore {
        override async listVersions(...given: Parameters<AppleAppStore['listVersions']>) {
          const page = await super.listVersions(...given)
          const items = page.items.map((each) => ({
            ...each,
            status: { ...each.status, state: 'preparing' as const },
          }))
          return { ...page, items }
        }
      }
    ),
  },
  {
    what: 'a pause completes the phased release',
    rule: 'appStore.C12',
    broken: withStore(
      class extends AppleAppStore {
        override setRollout(...[id, , m]: Parameters<AppleAppStore['setRollout']>) {
          return super.setRollout(id, { action: 'complete' }, m)
        }
      }
    ),
  },
  {
    what: 'a version is made before its build is looked up',
    rule: 'appStore.C3',
    broken: withStore(
      class extends AppleAppStore {
        override async prepare(input: Parameters<AppStore['prepare']>[0], m: Mutation) {
          await super.prepare({ ...input, buildNumber: '41' }, m)
          return super.prepare(input, m)
        }
      }
    ),
  },
  {
    what: 'a list ends after its first page',
    rule: 'appStore.P1',
    broken: withStore(
      class extends AppleAppStore {
        override async listBuilds(...given: Parameters<AppleAppStore['listBuilds']>) {
          const { items } = await super.listBuilds(...given)
          return { items }
        }
      }
    ),
  },
  {
    what: 'notes of other languages are lost',
    rule: 'betaTesting.C7',
    broken: withBeta(
      class extends TestFlight {
        override setNotes(...[id, notes, m]: Parameters<TestFlight['setNotes']>) {
          const all = ['en-US', 'de-DE'].map((locale) => ({ locale, text: notes[0].text }))
          return super.setNotes(id, all, m)
        }
      }
    ),
  },
  {
    what: 'a delivery is accepted whoever signed it',
    rule: 'W2',
    broken: { ...plugin, webhooks: async () => ({ default: { ...webhooks, verify: () => true } }) },
  },
]

registerPlantedFaults({ test, plugin, ...options, faults: FAULTS })
