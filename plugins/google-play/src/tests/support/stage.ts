import type { AppStore, BetaTesting, CrashMonitoring, ProviderError } from '@tarmac/plugin-kit'
import { Bench, type Exchange, type Scenario } from '@tarmac/plugin-kit/testing'
import type { GooglePlayFake } from '../../fake/google_fake.js'
import { sampleScenario } from '../../fake/sample_scenario.js'
import { contractOfGoogle } from './contract.js'
import { options } from './options.js'

type Version = NonNullable<Scenario['appStore']>['versions'][number]

/** Sets up the plugin with a fake that has a small app. */
export async function stage(scenario: Scenario = sampleScenario(), beginsAt?: number) {
  const bench = new Bench(options, beginsAt)
  bench.seed(scenario)
  const fake = bench.fake as GooglePlayFake
  const store: AppStore = await bench.capability('appStore')
  const beta: BetaTesting = await bench.capability('betaTesting')
  const vitals: CrashMonitoring = await bench.capability('crashMonitoring')
  return {
    ...{ bench, fake, store, beta, vitals },
    fail: () => ({ ...bench.mutation(), onReviewInProgress: 'fail' }) as const,
    replace: () => ({ ...bench.mutation(), onReviewInProgress: 'replace' }) as const,
    /** Returns the version on the production track. */
    async find(version: string) {
      const { items } = await store.listVersions({ version })
      return items.find(({ track }) => track === 'production')!
    },
    /** Returns the requests of some work, without those for tokens. */
    async callsOf(work: () => Promise<unknown>): Promise<string[]> {
      const before = fake.requests().length
      await work()
      return fake
        .requests()
        .slice(before)
        .filter(({ url }) => !url.includes('oauth2'))
        .map(nameOf)
    },
  }
}

/** Returns a short name of a request, such as `POST edits/{}:commit`. */
const nameOf = ({ method, url }: Exchange) => {
  const path = new URL(url).pathname.replace(/^.*com\.acme\.app\/?/, '')
  return `${method} ${path.replace(/edits\/\d+/, 'edits/{}')}`
}

/** Returns the sample with version 1.3.0 in a given state. */
export function withNext(next: Partial<Version>): Scenario {
  const scenario = sampleScenario()
  scenario.appStore!.versions.push({
    ...{ id: '2', version: '1.3.0', buildNumber: '41' },
    ...{ state: 'preparing', fraction: null, rollout: 'inactive' },
    ...next,
  })
  return scenario
}

export const ROLLING = { state: 'rolledOutPartially', fraction: 0.2, rollout: 'active' } as const

export const refusal = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => {
      throw new Error('It went well')
    },
    (error: ProviderError) => error
  )

/** Checks all requests and answers against Google's published types. */
export async function faultsOf(fake: GooglePlayFake): Promise<string[]> {
  const contract = await contractOfGoogle()
  return fake.requests().flatMap((exchange) => {
    const { pathname } = new URL(exchange.url)
    const operation = contract.find(
      ({ method, path }) => method === exchange.method && path.test(pathname)
    )
    if (!operation) return [`${exchange.method} ${pathname} is no operation`]
    return [
      ...(operation.checkRequest?.(exchange) ?? []),
      ...(operation.checkResponse?.(exchange) ?? []),
    ]
  })
}
