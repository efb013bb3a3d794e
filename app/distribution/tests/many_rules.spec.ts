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
  test('keep their ids in linear time', ({ assert }) => {
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

  test('keep one id each, even if two are equal', ({ assert }) => {
    const before = ['a', 'b'].map((id) => ({ id, ...rule(1) }))
    const ids = ruleRows([rule(1), rule(1), rule(1)], before).map(({ id }) => id)
    assert.deepEqual(ids.slice(0, 2), ['a', 'b'])
    assert.match(ids[2], /^rule_/)
  })

  test('are checked without blocking the event loop', async ({ assert }) => {
    const files = Array.from({ length: 30 }, (_, index) => ({ fileName: `${index}.txt` }))
    const build = { branch: '1', baseBranch: null, workflowId: 'w', workflowName: 'w' }
    const app = { platform: 'ios', branchSettings: [] } as const
    const turns = await yieldsOf(() => matchRules(rules(20), app, build, files))
    // Once for each rule, and once for each file for the rule that accepts the build.
    assert.equal(turns, 20 + 30)
  })
})
