import assert from 'node:assert/strict'
import type { Exchange } from '../../fake/fake_provider.js'
import type { ContractOperation } from '../options.js'
import { tour } from '../tour.js'
import type { Rule, RuleInput } from './rule.js'

/** Number of operations in the vendor's document, and of those that were exercised. */
export interface Coverage {
  operations: number
  exercised: number
}

/** Group K: requests and the fake's answers match the vendor's API document. */
export function contractRules(input: RuleInput, seen: (coverage: Coverage) => void): Rule[] {
  const { contract } = input.options
  if (!contract) return []
  const exchangesOf = async (bench: Parameters<Rule['run']>[0]) => {
    const { default: operations } = await contract()
    await tour(bench, input)
    const exchanges = bench.fake.requests().map((exchange) => ({
      exchange,
      operation: operations.find((each) => matches(each, exchange)),
    }))
    seen({
      operations: operations.length,
      exercised: new Set(exchanges.flatMap(({ operation }) => operation?.id ?? [])).size,
    })
    return exchanges
  }
  return [
    {
      id: 'K1',
      title: 'every request is one of the provider’s API',
      async run(bench) {
        const problems = (await exchangesOf(bench)).flatMap(({ exchange, operation }) =>
          operation
            ? (operation.checkRequest?.(exchange) ?? [])
            : [`${exchange.method} ${new URL(exchange.url).pathname} is no operation of it`]
        )
        assert.deepEqual([...new Set(problems)], [])
      },
    },
    {
      id: 'K2',
      title: 'the fake answers as the provider does',
      async run(bench) {
        const problems = (await exchangesOf(bench)).flatMap(({ exchange, operation }) =>
          exchange.response ? (operation?.checkResponse?.(exchange) ?? []) : []
        )
        assert.deepEqual([...new Set(problems)], [])
      },
    },
  ]
}

function matches({ method, path }: ContractOperation, exchange: Exchange): boolean {
  return method === exchange.method && path.test(new URL(exchange.url).pathname)
}
