import { test } from '@japa/runner'
import { traceOf } from '#stores/tests/reconciler/explore'
import { endings } from '#stores/tests/reconciler/judge_end'
import { isLong } from '#tests/support/effort'
import {
  scenariosOf,
  shrinkThrough,
  tryThrough,
  type VendorName,
} from '#tests/support/store_plugins/explore_plugins'

/*
 * The interleavings of the reconciler, where the store is the fake of a vendor behind its plugin.
 * All rules of the oracle are judged, by the state of the fake and by nothing that the plugin says.
 * Requests of one call stand between deeds of the console, failures and a stop that overtakes it;
 * two other calls cross as wholes. Texts and files of submissions are not part of it.
 */

const COUNT = Number(process.env.TEST_INTERLEAVINGS ?? (isLong ? 300 : 12))
const FROM = Number(process.env.TEST_SEED ?? (isLong ? Date.now() % 1_000_000_000 : 1))

test.group('reconciling a store through its plugin', () => {
  test('{$self}: ends where the last decision wanted it, and says nothing that is not so')
    .with(['google', 'apple'] as VendorName[])
    .run(async ({ assert }, vendor) => {
      let done = 0
      const failed: string[] = []
      for (const scenario of scenariosOf(vendor, FROM, COUNT)) {
        const tried = await tryThrough(scenario)
        done += endings(tried.journal).filter((each) => each === 'done').length
        if (tried.findings.length === 0) continue
        failed.push(traceOf(await shrinkThrough(tried)))
        break
      }
      assert.equal(failed.join('\n\n'), '', `TEST_SEED=${FROM}`)
      assert.isAbove(done, COUNT / 2)
    })
    .timeout(3_600_000)
})
