import { test } from '@japa/runner'
import { planOfFile } from '../rehearsal/plan_of_file.js'
import { exampleFile, planOf, rehearsed } from './support/rehearsed.js'
import { LONG } from '#tests/support/effort'

const MONITORED = '{ name: crash-free, source: crashMonitoring, measure: crashFreeSessions }'
/** A metric whose events have names of the team's own. */
const REPORTED = '{ name: opens, total: opened, bad: failedToOpen }'

const rolloutWhere = (whenUnsure: 'grow' | 'hold', ...metrics: readonly string[]) =>
  `  phasedReleaseEnabled: true
  rollout:
    guard:
      whenUnsure: ${whenUnsure}
      metrics: [${metrics.join(', ')}]
`

/** Requests for its rollout, and its observed states. */
const STEP = /^The rollout of 1\.0\.0 is ((?:ACTIVE|PAUSED|being) .*)$/

/** The message to people if there is no previous version. */
const HELD = /^The rollout of 1\.0\.0 is paused before its next day: there is no earlier version/

test.group('The guard of a rehearsed rollout', (group) => {
  group.each.timeout(400_000)

  test('measures as often as in the service: a healthy rollout is neither paused nor resumed', async ({
    assert,
  }) => {
    const file = await exampleFile('rehearsal.yml')
    const guarded = planOfFile(
      file.replace('  phasedReleaseEnabled: true\n', rolloutWhere('grow', MONITORED, REPORTED))
    )
    const { reported } = await rehearsed(await planOf('happy-train', { ...guarded, days: 13 }))
    const texts = reported.map(({ text }) => text)
    const place = (like: RegExp) => texts.findIndex((each) => like.test(each))
    // 1.0.0 cannot be compared with anything; 1.1.0 is judged on each day before the next one.
    const days = [1, 2, 5].map((share) =>
      place(new RegExp(`^The rollout of 1\\.1\\.0 is ACTIVE at ${share} %`))
    )
    assert.notInclude(days, -1)
    for (const [index, day] of days.slice(0, -1).entries()) {
      const judged = texts.slice(day, days[index + 1])
      for (const name of ['crash-free', 'opens'])
        assert.isTrue(
          judged.some((each) => each.startsWith(`${name}: healthy, `)),
          name
        )
    }
    const stops = texts.filter((each) => /paused|PAUSED|resumed|no data arrives/.test(each))
    assert.deepEqual(stops, [])
  }).tags([LONG])

  test('holds a first version if the policy holds when unsure, and people resume it', async ({
    assert,
  }) => {
    const file = await exampleFile('rehearsal.yml')
    const guarded = planOfFile(
      file.replace('  phasedReleaseEnabled: true\n', rolloutWhere('hold', MONITORED))
    )
    const { reported } = await rehearsed(await planOf('happy-train', { ...guarded, days: 5 }))
    const texts = reported.filter(({ kind }) => kind === 'happened').map(({ text }) => text)
    const steps = texts.flatMap((text) => STEP.exec(text)?.[1] ?? [])
    // Before each day of the phased release the service pauses it, and a person resumes it.
    const aDay = (share: number) => [
      ...[`ACTIVE at ${share} %`, 'being paused (rollout policy)', `PAUSED at ${share} %`],
      ...['being resumed (Linus)', `ACTIVE at ${share} %`],
    ]
    assert.deepEqual(
      steps.map((text) => text.replace(' (app store)', '')),
      [...aDay(1), ...aDay(2), 'ACTIVE at 5 %']
    )
    const held = reported.filter(({ kind, text }) => kind === 'happened' && HELD.test(text))
    const days = held.map(({ at }) => at.slice(0, 10))
    assert.deepEqual(days, ['2026-01-07', '2026-01-08', '2026-01-09', '2026-01-10'])
  })
})
