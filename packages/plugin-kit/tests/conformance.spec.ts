import { test } from '@japa/runner'
import { Conformance, runConformance } from '../conformance/run.js'
import { brokenChat } from './broken/chat_plugins.js'
import { brokenKinds } from './broken/kinds_plugins.js'
import { kindsSample } from './broken/kinds_sample.js'
import { brokenPlugins, MACHINE_USES } from './broken/plugins.js'
import { brokenMonitoring } from './broken/monitoring_plugins.js'
import { monitoringSample } from './broken/monitoring_sample.js'
import { sample, tokenSample } from './broken/sample.js'
import { brokenSource } from './broken/source_plugins.js'
import { sourceSample } from './broken/source_sample.js'
import { brokenStores } from './broken/stores_plugins.js'
import { storesSample } from './broken/stores_sample.js'
import { brokenWork } from './broken/work_plugins.js'
import { workSample } from './broken/work_sample.js'

/** A broken plugin for each rule; for the rules that all kinds share, a chat plugin. */
const broken: typeof brokenChat = {
  ...brokenPlugins,
  ...brokenChat,
  ...brokenKinds,
  ...brokenWork,
  ...brokenStores,
  ...brokenMonitoring,
  ...brokenSource,
}
const GOOD = [
  sample,
  tokenSample,
  kindsSample,
  workSample,
  storesSample,
  monitoringSample,
  sourceSample,
]
/** Returns the rules without those about webhooks and the contract. */
const isBrief = (make: (typeof GOOD)[number]) => make !== sample && make !== tokenSample
const ofAnyKind = (id: string) => id.replace(/^\w+\.(?!C|R7)/, 'chat.')

test.group('Plugin kit | conformance', () => {
  test('a good plugin keeps every rule: {$i}')
    .with(GOOD)
    .run(async ({ assert }, make) => {
      const { failed, passed, groups } = await runConformance(make())
      assert.deepEqual(failed, [])
      assert.isTrue(passed)
      const all = ['M', 'V', 'A', 'H', 'R', 'P', 'C', 'W', 'K']
      assert.deepEqual(Object.keys(groups), isBrief(make) ? all.slice(0, 7) : all)
    })

  test('there is a broken sample for each rule, and for nothing else', ({ assert }) => {
    const rules = GOOD.flatMap((make) =>
      new Conformance(make()).rules.map(({ id }) => ofAnyKind(id))
    )
    assert.sameMembers([...new Set(rules)], Object.keys(broken))
  })

  test('a plugin that breaks {$self} breaks nothing else')
    .with(Object.keys(broken))
    .run(async ({ assert }, rule) => {
      const { failed, passed } = await runConformance(broken[rule]())
      assert.deepEqual(
        failed.map((each) => each.rule),
        [rule],
        JSON.stringify(failed, null, 2)
      )
      assert.isFalse(passed)
    })
    .tags(['@long'])

  test('a plugin that breaks {$self} is detected')
    .with(Object.keys(broken))
    .run(async ({ assert }, id) => {
      const conformance = new Conformance(broken[id]())
      const rule = conformance.rules.find((each) => ofAnyKind(each.id) === id)!
      await assert.rejects(() => conformance.try(rule))
    })

  test('a plugin that uses {$self} of its machine is reported')
    .with(Object.keys(MACHINE_USES) as (keyof typeof MACHINE_USES)[])
    .run(async ({ assert }, use) => {
      const conformance = new Conformance(MACHINE_USES[use]())
      const rule = conformance.rules.find(({ id }) => id === 'H4')!
      await assert.rejects(() => conformance.try(rule), RegExp(`'${use}\\.`))
    })

  test('a rule that was not tried has not passed', async ({ assert }) => {
    const conformance = new Conformance(sample())
    await conformance.try(conformance.rules[0])
    const { passed, groups, failed } = await conformance.report()
    assert.isFalse(passed)
    assert.deepEqual(failed, [])
    assert.equal(groups.M?.passed, 1)
    assert.equal(groups.W?.passed, 0)
  })
})
