import type { ConformanceOptions } from '../../conformance/options.js'
import type { PluginContext } from '../../context.js'
import { only } from './kinds_base.js'
import { ProviderError } from '../../provider_error.js'
import { SampleBeta, SampleStore, storesSample } from './stores_sample.js'

/** Replaces some methods of a good capability. */
type Change<Capability> = (good: Capability) => Partial<Capability>

const store = (change: Change<SampleStore>) =>
  only(
    'appStore',
    storesSample({
      store: class extends SampleStore {
        constructor(ctx: PluginContext) {
          super(ctx)
          Object.assign(this, change(new SampleStore(ctx)))
        }
      },
    })
  )

const beta = (change: Change<SampleBeta>) =>
  only(
    'betaTesting',
    storesSample({
      beta: class extends SampleBeta {
        constructor(ctx: PluginContext) {
          super(ctx)
          Object.assign(this, change(new SampleBeta(ctx)))
        }
      },
    })
  )

/** Returns the listed versions, with other rollouts or states. */
const listed = (
  change: (
    version: Awaited<ReturnType<SampleStore['listVersions']>>['items'][number]
  ) => Awaited<ReturnType<SampleStore['listVersions']>>['items'][number]
) =>
  store((good) => ({
    listVersions: async (filter, cursor) => {
      const { items, ...rest } = await good.listVersions(filter, cursor)
      return { items: items.map(change), ...rest }
    },
  }))

/** Returns the builds whose version has exactly the text of a filter, as no good plugin does. */
const withExactly = <Page extends { items: { version: string }[] }>(
  { version }: { version?: string },
  page: Page
): Page => ({
  ...page,
  items: page.items.filter((each) => version === undefined || each.version === version),
})

const inStead =
  (code: 'notFound', otherwise: 'forbidden') =>
  (error: ProviderError): never => {
    throw error.code === code ? new ProviderError(otherwise, error.message, error.detail) : error
  }

/** Plugins that break one rule of their kind each, by the rule. */
export const brokenStores: Record<string, () => ConformanceOptions> = {
  'appStore.R7': () =>
    listed((version) => ({
      ...version,
      status:
        version.status.state === 'unknown' ? { ...version.status, state: 'live' } : version.status,
    })),
  'appStore.C1': () =>
    listed((version) => ({
      ...version,
      status:
        version.status.state === 'rejected'
          ? { ...version.status, state: 'preparing' }
          : version.status,
    })),
  'appStore.C24': () =>
    listed((version) => ({
      ...version,
      rejection: { reason: `${version.status.state} is not it` },
    })),
  'appStore.C2': () =>
    store((good) => ({
      prepare: async (input, m) => ({ ...(await good.prepare(input, m)), version: 'next' }),
    })),
  'appStore.C3': () =>
    store((good) => ({
      prepare: (input, m) => good.prepare({ ...input, buildNumber: '41' }, m),
    })),
  'appStore.C4': () =>
    store((good) => ({
      setMetadata: async (id, texts, m) => {
        const before = await good.getMetadata(id)
        const empty = before.map(({ locale }) => ({ locale, whatsNew: '' }))
        return good.setMetadata(id, [...empty, ...texts], m)
      },
    })),
  'appStore.C5': () =>
    store((good) => ({
      submit: async (id, m) => {
        if (m.onReviewInProgress === 'replace') return good.submit(id, m)
        const [version] = (await good.listVersions({ version: '1.3.0' })).items
        return version.status.state === 'preparing' ? version : good.submit(id, m)
      },
    })),
  'appStore.C6': () =>
    store((good) => ({
      submit: (id, m) => good.submit(id, { ...m, onReviewInProgress: 'replace' }),
    })),
  'appStore.C7': () =>
    store((good) => ({ submit: (id, m) => good.submit(id, { ...m, onReviewInProgress: 'fail' }) })),
  'appStore.C8': () =>
    store((good) => ({
      cancelReview: async (id, m) => {
        const [version] = (await good.listVersions({ version: '1.3.0' })).items
        return version.status.state === 'inReview' ? version : good.cancelReview(id, m)
      },
    })),
  'appStore.C9': () =>
    store((good) => ({
      cancelReview: (id, m) =>
        good.move(id, { from: ['inReview', 'preparing'], to: 'preparing' }, m),
    })),
  'appStore.C10': () =>
    store((good) => ({
      release: async (id, m) => {
        const [version] = (await good.listVersions({ version: '1.3.0' })).items
        return version.status.state === 'pendingRelease' ? version : good.release(id, m)
      },
    })),
  'appStore.C11': () =>
    store((good) => ({
      release: (id, m) => good.move(id, { from: ['inReview', 'pendingRelease'], to: 'live' }, m),
    })),
  'appStore.C12': () =>
    store((good) => ({
      setRollout: (id, to, m) =>
        'action' in to && to.action === 'pause'
          ? good.roll(id, { rollout: 'paused', fraction: 0.01 }, m)
          : good.setRollout(id, to, m),
    })),
  'appStore.C13': () =>
    store((good) => ({
      setRollout: (id, to, m) =>
        'fraction' in to
          ? good.roll(id, { fraction: Math.min(1, Math.max(0.01, to.fraction || 1)) }, m)
          : good.setRollout(id, to, m),
    })),
  'appStore.C14': () =>
    store((good) => ({
      setRollout: (id, to, m) =>
        'action' in to && to.action === 'complete'
          ? good.roll(id, { fraction: 1 }, m)
          : good.setRollout(id, to, m),
    })),
  'appStore.C15': () =>
    store((good) => ({ listBuilds: (_filter, cursor) => good.listBuilds({}, cursor) })),
  'appStore.C16': () =>
    store((good) => ({ listReviews: (_filter, cursor) => good.listReviews({}, cursor) })),
  'appStore.C17': () =>
    store((good) => ({
      replyToReview: (id, text, m) => good.replyToReview(id, text.replace('✓', ''), m),
    })),
  'appStore.C18': () =>
    store((good) => ({
      addReviewFile: (id, file, m) =>
        good.addReviewFile(id, { ...file, read: (from) => file.read(from, 4) }, m),
    })),
  'appStore.C19': () =>
    store((good) => ({
      setRollout: async (id, to, m) => {
        const { after } = await good.setRollout(id, to, m)
        return { before: after, after }
      },
    })),
  'appStore.C20': () =>
    store((good) => ({
      setRollout: (id, to, m) => good.setRollout(id, to, { ...m, onReviewInProgress: 'replace' }),
    })),
  'appStore.C21': () =>
    store((good) => ({
      setRollout: (id, to, m) =>
        m.onReviewInProgress === 'replace' && 'action' in to && to.action === 'pause'
          ? good.roll(id, { rollout: 'paused' }, { ...m, onReviewInProgress: 'drop' })
          : good.setRollout(id, to, m),
    })),
  'appStore.C22': () =>
    listed((version) => ({
      ...version,
      status: { ...version.status, beganAt: '2026-12-01T00:00:00.000Z' },
    })),
  'appStore.C23': () =>
    store((good) => ({
      setRollout: async (id, to, m) => {
        const { before, after } = await good.setRollout(id, to, m)
        const { lagSeconds, ...status } = after.status
        return { before, after: { ...after, status: status as typeof after.status } }
      },
    })),
  'appStore.C25': () =>
    store((good) => ({
      listBuilds: async (filter, cursor) =>
        withExactly(filter, await good.listBuilds(filter, cursor)),
    })),
  'appStore.C26': () =>
    store((good) => ({
      prepare: async (input, m) => {
        const { items } = withExactly(input, await good.listBuilds(input))
        if (items.length > 0 || input.buildNumber !== '41') return good.prepare(input, m)
        throw new ProviderError('notFound', 'No build', { outcome: 'notApplied' })
      },
    })),
  'betaTesting.R7': () =>
    beta((good) => ({
      listBuilds: async (filter, cursor) => {
        const { items, ...rest } = await good.listBuilds(filter, cursor)
        const known = items.map((each) => ({
          ...each,
          status:
            each.status.state === 'unknown'
              ? { ...each.status, state: 'ready' as const }
              : each.status,
        }))
        return { items: known, ...rest }
      },
    })),
  'betaTesting.C1': () =>
    beta((good) => ({
      listGroups: async (cursor) => {
        const { items, ...rest } = await good.listGroups(cursor)
        return { items: items.map((each) => ({ ...each, internal: true })), ...rest }
      },
    })),
  'betaTesting.C2': () =>
    beta((good) => ({ listBuilds: (_filter, cursor) => good.listBuilds({}, cursor) })),
  'betaTesting.C8': () =>
    beta((good) => ({
      listBuilds: async (filter, cursor) =>
        withExactly(filter, await good.listBuilds(filter, cursor)),
    })),
  'betaTesting.C3': () =>
    beta((good) => ({ distribute: (id, groups, m) => good.distribute(id, groups.slice(0, 1), m) })),
  'betaTesting.C4': () =>
    beta((good) => ({
      distribute: async (id, groups, m) => ({
        ...(await good.distribute(id, groups, m)),
        state: 'inReview',
      }),
    })),
  'betaTesting.C5': () => {
    const options = beta((good) => {
      let last = ''
      return {
        distribute: async (id, groups, m) => {
          if (last === id && m.idempotencyKey !== 'conformance-1') {
            throw new ProviderError('conflict', 'It has it', { outcome: 'notApplied' })
          }
          const given = await good.distribute(id, groups, m)
          last = id
          return given
        },
      }
    })
    return options
  },
  'betaTesting.C6': () =>
    beta((good) => ({
      distribute: (id, groups, m) =>
        good.distribute(id, groups, m).catch(inStead('notFound', 'forbidden')),
    })),
  'betaTesting.C7': () =>
    beta((good) => ({
      setNotes: (id, notes, m) => good.setNotes(id, notes.slice(0, 1), m),
    })),
}
