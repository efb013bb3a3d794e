import { test } from '@japa/runner'
import { planOfFile } from '../rehearsal/plan_of_file.js'
import { exampleFile, planOf, rehearsed } from './support/rehearsed.js'

/** The policy of a guard that asks crash monitoring alone. */
const ROLLOUT = `  phasedReleaseEnabled: true
  rollout:
    guard:
      whenUnsure: grow
      metrics: [{ name: crash-free, source: crashMonitoring, measure: crashFreeSessions }]
`

test.group('The guard of a rehearsed rollout', (group) => {
  group.each.timeout(400_000)

  test('measures as often as in the service: what is healthy is neither paused nor resumed', async ({
    assert,
  }) => {
    const file = await exampleFile('rehearsal.yml')
    const guarded = planOfFile(file.replace('  phasedReleaseEnabled: true\n', ROLLOUT))
    const { told } = await rehearsed(await planOf('happy-train', { ...guarded, days: 13 }))
    const texts = told.map(({ text }) => text)
    const place = (like: RegExp) => texts.findIndex((each) => like.test(each))
    // Nothing is there to compare 1.0.0 with; 1.1.0 is judged on each day before the next one.
    const days = [1, 2, 5].map((share) =>
      place(new RegExp(`^The rollout of 1\\.1\\.0 is ACTIVE at ${share} %`))
    )
    assert.notInclude(days, -1)
    for (const [index, day] of days.slice(0, -1).entries()) {
      const judged = texts.slice(day, days[index + 1])
      assert.isTrue(judged.some((each) => /^crash-free: healthy, .* enough for/.test(each)))
    }
    const stops = texts.filter((each) => /paused|PAUSED|resumed|nothing is heard/.test(each))
    assert.deepEqual(stops, [])
  })
})
