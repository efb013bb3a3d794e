import assert from 'node:assert/strict'
import type { Kind } from '../../kinds.js'
import type { Credentials } from '../../port/door.js'
import { isProviderError } from '../../provider_error.js'
import { Bench } from '../bench.js'
import type { ConformanceOptions, ContractOperation } from '../options.js'
import { ASSUMPTIONS, UNSEEN, type Assumption } from './assumptions.js'
import type { LiveAccount } from './live_options.js'
import { LiveProvider } from './live_provider.js'

/** The outcome of one assumption. */
export interface Finding {
  title: string
  outcome: 'confirmed' | 'contradicted' | 'unseen'
  /** The contradiction. */
  problem?: string
}

/** One assumption, ready to be tried. */
interface Trial {
  title: string
  /** @throws what contradicts it */
  holds: () => Promise<typeof UNSEEN | void>
}

/**
 * Tries the assumptions of a plugin about its provider in turn, with a real account. The last
 * trials compare all requests and answers with the vendor's API document.
 * @param fetch the function that reaches the network
 */
export async function tryLive(
  options: Pick<ConformanceOptions, 'plugin' | 'contract' | 'alsoReads' | 'assumptions'>,
  account: LiveAccount,
  fetch: typeof globalThis.fetch = globalThis.fetch
): Promise<Finding[]> {
  const { plugin, contract, assumptions = [] } = options
  const provider = new LiveProvider(plugin, fetch, options.alsoReads)
  const { settings, data } = account
  const benchOf = (good: Credentials) =>
    new Bench(
      { plugin, settings, data, fake: () => provider, credentials: { good, bad: good } },
      Date.now()
    )
  const bench = benchOf(account.credentials)
  const kinds = Object.keys(data) as Kind[]
  const published = await contract?.()
  const trials: Trial[] = [
    trial('the credentials are known', async () => {
      const { account: name } = await (await bench.lifecycle()).check(bench.context(null))
      assert.notEqual(name, '')
    }),
    trial('other credentials are not', async () => {
      const other = benchOf(spoilt(account.credentials))
      const { check } = await other.lifecycle()
      await assert.rejects(
        async () => check(other.context(null)),
        (error) => isProviderError(error) && error.code === 'unauthorized'
      )
    }),
    ...kinds.flatMap((kind) =>
      ((ASSUMPTIONS[kind] ?? []) as readonly Assumption<unknown>[]).map((each) =>
        trial(`${kind}: ${each.title}`, async () =>
          each.holds(await bench.capability(kind), data[kind] ?? {})
        )
      )
    ),
    ...assumptions
      .filter(({ kind }) => kinds.includes(kind))
      .map((each) =>
        trial(`${each.kind}: ${each.title}`, async () =>
          (await each.holds(bench.context(each.kind))) ? undefined : UNSEEN
        )
      ),
    ...asPublished(published?.default ?? [], provider),
  ]
  const findings: Finding[] = []
  for (const each of trials) findings.push(await findingOf(each))
  return findings
}

const trial = (title: string, holds: Trial['holds']): Trial => ({ title, holds })

async function findingOf({ title, holds }: Trial): Promise<Finding> {
  try {
    return { title, outcome: (await holds()) === UNSEEN ? 'unseen' : 'confirmed' }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { title, outcome: 'contradicted', problem }
  }
}

/** Returns one trial per operation: that real requests and answers match the contract. */
function asPublished(operations: readonly ContractOperation[], provider: LiveProvider): Trial[] {
  return operations.map(({ id, method, path, verified, checkRequest, checkResponse }) =>
    trial(`${id} is as ${verified ? 'published' : 'believed'}`, async () => {
      const requested = provider
        .requests()
        .filter((each) => each.method === method && path.test(new URL(each.url).pathname))
      if (requested.length === 0) return UNSEEN
      const faults = requested.flatMap((each) => [
        ...(checkRequest?.(each) ?? []),
        // Error answers are not compared, since vendors do not document all of them.
        ...((each.response?.status ?? 0) < 400 ? (checkResponse?.(each) ?? []) : []),
      ])
      assert.deepEqual([...new Set(faults)], [])
    })
  )
}

/** Returns credentials of the same form that the provider never issued. Keys stay parseable. */
function spoilt(credentials: Credentials): Credentials {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => {
      const text = String(value)
      // A key file: make it name an account that does not exist.
      if (text.trimStart().startsWith('{')) {
        return [name, text.replace(/("client_email"\s*:\s*")/, '$1nobody-')]
      }
      if (text.includes('PRIVATE KEY')) return [name, text]
      const end = text.slice(-4)
      return [name, `${text.slice(0, -4)}${end.replace(/[A-Za-z]/g, 'z').replace(/[0-9]/g, '0')}`]
    })
  )
}
