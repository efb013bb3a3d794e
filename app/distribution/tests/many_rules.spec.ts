import { test } from '@japa/runner'
import { counted } from '#tests/support/counted'
import { yieldsOf } from '#tests/support/yields'
import type { BucketRule } from '../settings.js'
import { matchRules } from '../rules/match_rules.js'
import { ruleRows } from '../store_buckets.js'

const rule = (index: number): BucketRule => ({
  type: 'Branch',
  branch: `*${index}*`,
  baseBranch: null,
  workflow: null,
  fileFilterPatterns: [`*${index}.ipa`],
})
const rules = (count: number) => Array.from({ length: count }, (_, index) => rule(index))

test.group('Many rules of buckets', () => {
  test('they keep their ids without being compared with each other', ({ assert }) => {
    const readsOf = (count: number) => {
      const before = counted(rules(count).map((each, index) => ({ id: `rule_${index}`, ...each })))
      const kept = ruleRows(rules(count).toReversed(), before.value)
      assert.deepEqual(
        kept.map(({ id }) => id),
        rules(count).map((_, index) => `rule_${count - 1 - index}`)
      )
      return before.reads()
    }
    assert.isAtMost(readsOf(100), 10.5 * readsOf(10))
  })

  test('of two that say the same each keeps an id', ({ assert }) => {
    const before = ['a', 'b'].map((id) => ({ id, ...rule(1) }))
    const ids = ruleRows([rule(1), rule(1), rule(1)], before).map(({ id }) => id)
    assert.deepEqual(ids.slice(0, 2), ['a', 'b'])
    assert.match(ids[2], /^rule_/)
  })

  test('others are served between the rules and files that are looked at', async ({ assert }) => {
    const files = Array.from({ length: 30 }, (_, index) => ({ fileName: `${index}.txt` }))
    const build = { branch: '1', baseBranch: null, workflowId: 'w', workflowName: 'w' }
    const app = { platform: 'ios', branchSettings: [] } as const
    const turns = await yieldsOf(() => matchRules(rules(20), app, build, files))
    // Each rule, and each file for the one that takes the build.
    assert.equal(turns, 20 + 30)
  })
})
