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
 * Interleavings of the reconciler with a store that is a vendor's fake behind the vendor's plugin.
 * The oracle checks all its rules by the state of the fake, and trusts nothing that the plugin says.
 * Console actions, failures and an overtaking stop may come between the requests of one call; other
 * calls overlap only as a whole. Texts and files of submissions are left out.
 */

const COUNT = Number(process.env.TEST_INTERLEAVINGS ?? (isLong ? 300 : 12))
const FROM = Number(process.env.TEST_SEED ?? 1)

test.group('reconciling a store through its plugin', () => {
  test('{$self}: ends as the last decision wants, and announces nothing that is not true')
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
