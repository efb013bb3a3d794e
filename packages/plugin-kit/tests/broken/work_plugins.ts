import type { ConformanceOptions } from '../../conformance/options.js'
import type { PluginContext } from '../../context.js'
import { only } from './kinds_base.js'
import { ProviderError } from '../../provider_error.js'
import { WorkTests, WorkTexts, WorkTickets, workSample } from './work_sample.js'

/** Replaces some methods of a good capability. */
type Change<Capability> = (good: Capability) => Partial<Capability>

const tickets = (change: Change<WorkTickets>) =>
  only(
    'issueTracking',
    workSample({
      tickets: class extends WorkTickets {
        constructor(ctx: PluginContext) {
          super(ctx)
          Object.assign(this, change(new WorkTickets(ctx)))
        }
      },
    })
  )

const tests = (change: Change<WorkTests>) =>
  only(
    'testManagement',
    workSample({
      tests: class extends WorkTests {
        constructor(ctx: PluginContext) {
          super(ctx)
          Object.assign(this, change(new WorkTests(ctx)))
        }
      },
    })
  )

const texts = (change: Change<WorkTexts>) =>
  only(
    'localization',
    workSample({
      texts: class extends WorkTexts {
        constructor(ctx: PluginContext) {
          super(ctx)
          Object.assign(this, change(new WorkTexts(ctx)))
        }
      },
    })
  )

const nothing = () => new ProviderError('invalid', 'No', { outcome: 'notApplied' })
const withoutQuotes = (text: string) => text.replace(/["']/g, '')

/** Plugins that break one rule of their kind each, by the rule. */
export const brokenWork: Record<string, () => ConformanceOptions> = {
  'issueTracking.C0': () =>
    tickets((good) => ({
      get: async (key) => (await good.get(key)) ?? { ...(await good.get('APP-1'))!, key },
    })),
  'issueTracking.C1': () =>
    tickets((good) => ({
      search: ({ projects, ...filter }, cursor) =>
        good.search(
          { ...filter, projects: filter.version === '1.2.3' ? [...projects, 'ELSE'] : projects },
          cursor
        ),
    })),
  'issueTracking.C2': () =>
    tickets((good) => ({
      get: async (key) => {
        const ticket = await good.get(key)
        return ticket && { ...ticket, labels: [] }
      },
    })),
  'issueTracking.C3': () =>
    tickets((good) => ({
      get: async (key) => {
        const ticket = await good.get(key)
        return ticket && { ...ticket, done: ticket.status === 'Done' }
      },
    })),
  'issueTracking.C4': () =>
    tickets((good) => ({
      search: ({ label, ...filter }, cursor) =>
        good.search({ ...filter, label: label && withoutQuotes(label) }, cursor),
    })),
  'issueTracking.C5': () =>
    tickets((good) => ({
      search: ({ keys, ...filter }, cursor) =>
        good.search({ ...filter, keys: keys?.slice(0, 1) }, cursor),
    })),
  'issueTracking.C6': () =>
    tickets((good) => ({
      search: async ({ keys, ...filter }, cursor) => {
        for (const key of keys ?? []) if (!(await good.get(key))) throw nothing()
        return good.search({ ...filter, keys }, cursor)
      },
    })),
  'issueTracking.C7': () =>
    tickets((good) => ({
      search: ({ version, ...filter }, cursor) => {
        if (version?.includes('"')) throw nothing()
        return good.search({ ...filter, version }, cursor)
      },
    })),
  'issueTracking.C8': () =>
    tickets((good) => ({
      releaseVersion: (project, version, time, m) =>
        good.releaseVersion(project, version, time, m).catch(async (error: ProviderError) => {
          if (error.code !== 'notFound') throw error
          await good.makeVersion(project, version, m)
        }),
    })),
  'issueTracking.C9': () =>
    tickets((good) => ({
      listStatuses: async (project) =>
        (await good.listStatuses(project)).map((status) => ({ ...status, done: false })),
    })),
  'issueTracking.C10': () =>
    tickets((good) => ({
      ensureVersion: (project, version, m) => good.makeVersion(project, version, m),
    })),
  'issueTracking.C11': () =>
    tickets((good) => ({
      setVersion: (keys, version, m) => good.replaceVersions(keys, [version], m),
    })),
  'issueTracking.C12': () =>
    tickets((good) => ({
      releaseVersion: (project, version, _time, m) =>
        good.releaseVersion(
          project,
          version,
          { at: '2026-11-19T12:00:00.000Z', day: '2026-11-19' },
          m
        ),
    })),
  'issueTracking.C13': () =>
    tickets((good) => ({
      addLabels: (keys, labels, m) => good.addLabels(keys.slice(0, 1), labels, m),
    })),
  'issueTracking.C14': () =>
    tickets((good) => ({
      setVersion: (keys, version, m) => good.setVersion(keys.slice(0, 1), version, m),
    })),
  'issueTracking.C15': () =>
    tickets((good) => ({
      get: async (key) => {
        const ticket = await good.get(key)
        return ticket && { ...ticket, assignee: undefined }
      },
    })),
  'testManagement.C0': () =>
    tests((good) => ({
      getRun: async (id) => (await good.getRun(id)) ?? { ...(await good.getRun('1'))!, id },
    })),
  'testManagement.C1': () =>
    tests((good) => ({
      findRuns: (keywords, version, cursor) => good.findRuns(keywords.slice(0, 1), version, cursor),
    })),
  'testManagement.C2': () =>
    tests((good) => ({
      getRun: async (id) => {
        const run = await good.getRun(id)
        return run && { ...run, counts: { ...run.counts, untested: 1 } }
      },
    })),
  'testManagement.C3': () =>
    tests((good) => ({
      getRun: async (id) => {
        const run = await good.getRun(id)
        return run && { ...run, closed: false }
      },
    })),
  'testManagement.C4': () =>
    tests((good) => ({
      listResults: async (id, cursor) => {
        const { items, ...rest } = await good.listResults(id, cursor)
        return { items: items.map((each) => ({ ...each, assignee: undefined })), ...rest }
      },
    })),
  'testManagement.C5': () =>
    tests((good) => ({
      listResults: (id, cursor) => good.listResults(id, cursor).catch(emptyWhereNotFound),
    })),
  'localization.C1': () =>
    texts((good) => ({
      listLocales: async () =>
        (await good.listLocales()).map(({ total, translated, ...rest }) => ({
          ...rest,
          translated: Math.round((100 * translated) / total),
          total: 100,
        })),
    })),
}

function emptyWhereNotFound(error: ProviderError): { items: never[] } {
  if (error.code === 'notFound') return { items: [] }
  throw error
}
