import type { ProviderError } from '@tarmac/plugin-kit'
import { Bench, type Exchange, type Scenario } from '@tarmac/plugin-kit/testing'
import type { AppStoreConnectFake } from '../../fake/app_store_connect_fake.js'
import plugin from '../../plugin.js'
import { contractOfApple } from './contract.js'
import { credentials, data, makeFake } from './keys.js'

type Version = NonNullable<Scenario['appStore']>['versions'][number]

const BEGINS_AT = Date.parse('2026-11-20T12:00:00.000Z')

const options = { plugin, fake: makeFake, credentials, data }

/** The contract is read only once, because it has some megabytes. */
let contract: ReturnType<typeof contractOfApple> | undefined

/** Errors of requests and answers by Apple's published schemas. */
export function contractFaults(exchanges: readonly Exchange[]): string[] {
  contract ??= contractOfApple()
  return exchanges.flatMap((exchange) => {
    const { pathname } = new URL(exchange.url)
    const operation = contract!.find(
      ({ method, path }) => method === exchange.method && path.test(pathname)
    )
    if (!operation) return [`${exchange.method} ${pathname} is no operation`]
    return [
      ...(operation.checkRequest?.(exchange) ?? []),
      ...(operation.checkResponse?.(exchange) ?? []),
    ]
  })
}

const build = (id: string, number: string, version: string, state = 'ready') => ({
  id,
  number,
  version,
  uploadedAt: '2026-11-19T12:00:00.000Z',
  state,
})

const LIVE: Version = {
  id: 'v1',
  version: '1.2.3',
  buildNumber: '40',
  state: 'live',
  fraction: 1,
  rollout: 'complete',
}

const NEXT: Version = {
  id: 'v2',
  version: '1.3.0',
  buildNumber: '41',
  state: 'preparing',
  fraction: null,
  rollout: 'inactive',
}

/**
 * Returns a scenario whose version 1.2.3 is live, with an optional version 1.3.0 that has release
 * notes.
 */
export function scenarioWith(next: Partial<Version> | null): Scenario {
  const builds = [build('b40', '40', '1.2.3'), build('b41', '41', '1.3.0')]
  return {
    appStore: {
      builds,
      versions: [LIVE, ...(next ? [{ ...NEXT, ...next }] : [])],
      metadata: next ? [{ versionId: 'v2', locale: 'en-US', whatsNew: 'New' }] : [],
      reviews: [],
    },
    betaTesting: {
      groups: [
        { id: 'g1', name: 'Employees', internal: true },
        { id: 'g2', name: 'Everybody', internal: false },
      ],
      builds,
      distributed: [],
      notes: [],
    },
  }
}

/**
 * Returns the plugin before a fake that has a scenario.
 * @param skewMs by which its clock is ahead
 */
export async function stageWith(next: Partial<Version> | null = null, skewMs = 0) {
  const bench = new Bench(options, BEGINS_AT + skewMs)
  const fake = bench.fake as AppStoreConnectFake
  bench.seed(scenarioWith(next))
  return {
    bench,
    fake,
    store: await bench.capability('appStore'),
    beta: await bench.capability('betaTesting'),
    /** Requests since here, as method and path. */
    since: (from: number) =>
      fake
        .requests()
        .slice(from)
        .map(({ method, url }) => `${method} ${new URL(url).pathname}`),
    keyed: <How extends 'fail' | 'replace'>(onReviewInProgress: How) => ({
      ...bench.mutation(),
      onReviewInProgress,
    }),
  }
}

/** Returns the error that a call ends with. */
export const refusal = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => {
      throw new Error('It went well')
    },
    (error: ProviderError) => error
  )

export const INPUT = {
  version: '1.3.0',
  buildNumber: '41',
  phased: true,
  release: 'manual',
} as const
