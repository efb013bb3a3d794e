import assert from 'node:assert/strict'
import type { Kind } from '../../kinds.js'
import type { Page } from '../../context.js'
import type { Bench } from '../bench.js'
import { speaksHttp } from '../options.js'
import type { KindSuite } from '../kinds/suite.js'
import { isForToken } from './authentication.js'
import type { Rule, RuleInput } from './rule.js'

/** More items than any provider's page holds. */
const MANY = 230
/** Maximum number of concurrent requests, and of pages before a list must end. */
const MAX_REQUESTS = 3
const MAX_PAGES = MANY + 10

/** Group P: paginated lists. */
export function pageRules(input: RuleInput): Rule[] {
  const isReported = speaksHttp(input.options.plugin)
  return input.suites
    .flatMap((suite) => (suite.list ? rulesOf(input, suite, suite.list) : []))
    .filter(({ id }) => isReported || !id.endsWith('.P4'))
}

function rulesOf(input: RuleInput, suite: KindSuite, list: NonNullable<KindSuite['list']>): Rule[] {
  const data = input.options.data[suite.kind] ?? {}
  const open = async (bench: Bench, count: number) => {
    bench.seed(list.scenario(count, data))
    const capability = await bench.capability(suite.kind as Kind)
    return (cursor?: string) => list.page(capability as never, cursor, data)
  }
  const ids = (page: Page<unknown>) => page.items.map((item) => list.idOf(item))
  return [
    {
      id: `${suite.kind}.P1`,
      title: 'all pages together have everything once',
      async run(bench) {
        const page = await open(bench, MANY)
        const seen: string[] = []
        let cursor: string | undefined
        for (let pages = 0; pages < MAX_PAGES; pages++) {
          const found = await page(cursor)
          seen.push(...ids(found))
          if (!found.next) break
          cursor = found.next
        }
        assert.equal(new Set(seen).size, seen.length, 'Something comes twice')
        assert.equal(seen.length, MANY, 'Something is missing, or there is too much')
      },
    },
    {
      id: `${suite.kind}.P2`,
      title: 'the last page and an empty list have no next page',
      async run(bench) {
        const empty = await (await open(bench, 0))()
        assert.deepEqual([empty.items, empty.next], [[], undefined])
        const one = await (await open(bench, 1))()
        assert.deepEqual([one.items.length, one.next], [1, undefined])
      },
    },
    {
      id: `${suite.kind}.P3`,
      title: 'a page that is asked for twice is the same',
      async run(bench) {
        const page = await open(bench, MANY)
        const first = await page()
        const { next } = first
        if (next === undefined) return
        const second = ids(await page(next))
        assert.deepEqual(ids(await page(next)), second)
        assert.deepEqual(ids(await page()), ids(first))
      },
    },
    {
      id: `${suite.kind}.P4`,
      title: 'one page is one page: it does not read everything at once',
      async run(bench) {
        const page = await open(bench, MANY)
        const before = bench.fake.requests().length
        await page()
        const requested = bench.fake.requests().slice(before)
        const requests = requested.filter((each) => !isForToken(each, input.options)).length
        assert.ok(requests <= MAX_REQUESTS, `It takes ${requests} requests`)
      },
    },
  ]
}
