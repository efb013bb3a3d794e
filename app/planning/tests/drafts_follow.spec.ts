import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { DateTime } from 'luxon'
import { earlier, later } from '#foundation/core/clock'
import { SetCadence } from '#planning/actions/set_cadence'
import type { SetCadenceInput } from '#planning/validators/planning_input'
import { DAY, makePlanned, pass, patchConfig, setStage, weekly, workAll } from './support.js'
import { isLong } from '#tests/support/effort'

/** Makes four drafts of a weekly train that begins in two days. */
async function fourDrafts() {
  const stage = await setStage()
  const train = await makePlanned()
  const cadence = weekly(stage.clock.now())
  const put = (input: object, query = '') =>
    train.admin.put(`${train.at('scheduleCadence')}${query}`, input)
  await put(cadence)
  await workAll(stage)
  const kickoffs = async () =>
    Object.fromEntries(
      (await draftsOf(train.app)).map(({ version, kickoff }) => [version, kickoff])
    )
  const day = (count: number) => later(`${cadence.startDate}T12:00:00.000Z`, count * DAY)
  return { ...train, stage, put, kickoffs, cadence, day }
}

interface DraftRow {
  version: string
  slot: string
  kickoff: string
}

/** Returns the releases of an app that its cadence drafted, the lowest version first. */
async function draftsOf(app: string): Promise<DraftRow[]> {
  const rows = await db
    .from('releases as r')
    .join('release_plans as p', 'p.release_id', 'r.id')
    .where('r.app_id', app)
    .whereNotNull('p.slot')
    .orderBy('r.version_minor')
    .select('r.version', 'p.slot', 'r.target_kickoff_at as kickoff')
  return rows.map((row) => ({ ...row, kickoff: new Date(row.kickoff).toISOString() }))
}

const dateOf = (instant: string) => instant.slice(0, 10)

test.group('PUT /app/{appId}/scheduleCadence, drafts', () => {
  test('follow another zone, weekday and time; the answer and the dry run list them', async ({
    assert,
  }) => {
    const { put, kickoffs, day, cadence } = await fourDrafts()
    const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0']
    const targets = [{ kickoff: { dayOffset: 1, time: '06:30' } }]
    const changes: [input: SetCadenceInput, kickoffOf: (week: number) => string][] = [
      [{ timezone: 'Asia/Kathmandu' }, (week) => earlier(day(7 * week), 5.75 * 3_600_000)],
      [{ timezone: 'UTC', startDate: dateOf(day(3)) }, (week) => later(day(7 * week + 3), 0)],
      [{ targets }, (week) => earlier(day(7 * week + 4), 5.5 * 3_600_000)],
      [{ targets: cadence.targets, startDate: dateOf(day(0)) }, (week) => day(7 * week)],
    ]
    for (const [input, kickoffOf] of changes) {
      const before = await kickoffs()
      const dry = await put(input, '?dryRun=true')
      assert.deepEqual(await kickoffs(), before)
      const { status, body, text } = await put(input)
      assert.equal(status, 200, text)
      assert.deepEqual(body, dry.body)
      const moved = versions.map((version, week) => ({
        releaseId: body.drafts.moved[week]?.releaseId,
        version,
        targetKickoffAt: kickoffOf(week),
        previousTargetKickoffAt: before[version],
      }))
      assert.deepEqual(body.drafts, { moved, removed: [], kept: [] })
      assert.deepEqual(
        await kickoffs(),
        Object.fromEntries(versions.map((version, week) => [version, kickoffOf(week)]))
      )
    }
  })

  test('are removed where the cadence has no date for them, and stay where somebody edited them', async ({
    assert,
  }) => {
    const { put, kickoffs, day, target, at, admin, stage } = await fourDrafts()
    await target('1.1.0', { targetKickoffAt: later(day(7), 3_600_000) })
    const { body } = await put({ intervalWeeks: 2 })
    assert.containSubset(body.drafts, {
      moved: [],
      kept: [{ version: '1.1.0', targetKickoffAt: later(day(7), 3_600_000) }],
      removed: [{ version: '1.3.0', targetKickoffAt: day(21) }],
    })
    assert.deepEqual(await kickoffs(), {
      '1.0.0': day(0),
      '1.1.0': later(day(7), 3_600_000),
      '1.2.0': day(14),
    })
    await workAll(stage)
    const next = (await admin.get(at('releaseSchedule'))).body.filter(
      ({ predicted }: { predicted: boolean }) => predicted
    )
    assert.equal(next[0].targetKickoffAt, day(28))
    // With a train every second week, the drafts move together, and the missing ones are drafted.
    await put({ intervalWeeks: 1 })
    await workAll(stage)
    assert.deepEqual(Object.values(await kickoffs()).sort(), [
      ...[day(0), later(day(7), 3_600_000), day(14), day(21)],
    ])
  })

  test('count as edited after any edit by a person, and not after its consequences', async ({
    assert,
  }) => {
    const edits: [
      what: string,
      edit: (given: Awaited<ReturnType<typeof fourDrafts>>) => unknown,
    ][] = [
      ['name', ({ target }) => target('1.2.0', { releaseName: 'Winter' })],
      ['pilot', ({ target }) => target('1.2.0', { releasePilotId: null })],
      [
        'item',
        ({ admin, app }) =>
          admin.post(`/app/${app}/checklistItem`, {
            ...{ title: 'Once', releaseId: `${app}:1.2.0`, stepType: 'submission' },
          }),
      ],
      [
        'automation',
        async ({ admin, at, app }) => {
          await admin.put(at('automations'), { type: 'kickoffOnTargetDate', enabled: true })
          const releaseId = `${app}:1.2.0`
          await admin.put(at('automations'), {
            ...{ type: 'kickoffOnTargetDate', enabled: false, releaseId },
          })
        },
      ],
      [
        'pause',
        ({ admin, at, app }) =>
          admin.put(at('automations/pause'), { releaseId: `${app}:1.2.0`, paused: true }),
      ],
    ]
    for (const [what, edit] of edits) {
      const given = await fourDrafts()
      await given.admin.put(given.at('lifecycleFreezes'), {
        freezes: [
          {
            name: 'Holidays',
            startAt: given.day(0),
            endAt: given.day(1),
            phases: ['kickoff'],
          },
        ],
      })
      await edit(given)
      const { body, text } = await given.put({ timezone: 'Asia/Tokyo' })
      if (what === 'item') console.log(text)
      const kept = body.drafts.kept.map(({ version }: { version: string }) => version)
      assert.deepEqual(kept, what === 'pilot' ? [] : ['1.2.0'], what)
      assert.lengthOf(body.drafts.moved, what === 'pilot' ? 4 : 3, what)
    }
  })

  test('follow a cadence in a configuration file, whose plan and answer name them', async ({
    assert,
  }) => {
    const { admin, app, target, day, kickoffs, cadence } = await fourDrafts()
    await target('1.0.0', { releaseName: 'Winter' })
    const file = `x-scheduleCadence:
  startDate: ${cadence.startDate}
  intervalWeeks: 2
  timezone: Asia/Kathmandu
  targets: { kickoff: { dayOffset: 0, time: '12:00' } }
`
    const dry = await admin.send<any>('PATCH', `/app/${app}/app/config?dryRun=true`, {
      raw: file,
      headers: { 'content-type': 'application/yaml' },
    })
    assert.equal(dry.status, 200, dry.text)
    const releases = dry.body.filter(({ releaseId }: { releaseId?: string }) => releaseId)
    assert.deepEqual(
      releases.map(({ op, releaseId }: { op: string; releaseId: string }) => [op, releaseId]),
      [
        ['change', `${app}:1.1.0`],
        ['remove', `${app}:1.2.0`],
        ['remove', `${app}:1.3.0`],
        ['change', `${app}:1.0.0`],
      ]
    )
    assert.equal((await kickoffs())['1.1.0'], day(7))
    const { status, body, text } = await patchConfig(admin, app, file)
    assert.equal(status, 200, text)
    assert.deepEqual(await kickoffs(), {
      '1.0.0': day(0),
      '1.1.0': earlier(day(14), 5.75 * 3_600_000),
    })
    const said = body.warnings.map(({ message }: { message: string }) => message).join('\n')
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) assert.include(said, version)
  })
})

/*
 * The model: dates of a cadence computed by luxon, and the invariants of drafts whatever was edited
 * meanwhile, by whom, and however far the trains have come.
 */

interface Model {
  timezone: string
  startDate: string
  intervalWeeks: number
  time: string
}

/** Kickoffs of a cadence that are to come within a year. */
function kickoffsOf({ timezone, startDate, intervalWeeks, time }: Model, now: string): Set<string> {
  const [hour, minute] = time.split(':').map(Number)
  const found = new Set<string>()
  let day = DateTime.fromISO(startDate, { zone: timezone })
  const end = DateTime.fromISO(now).plus({ years: 1 })
  for (; day < end; day = day.plus({ weeks: intervalWeeks })) {
    const kickoff = day.set({ hour, minute })
    if (kickoff > DateTime.fromISO(now)) found.add(kickoff.toUTC().toISO()!)
  }
  return found
}

const edit = fc.oneof(
  fc.record({ timezone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'Pacific/Pago_Pago') }),
  fc.record({ shift: fc.integer({ min: -6, max: 20 }) }),
  fc.record({ intervalWeeks: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ time: fc.constantFrom('06:30', '12:00', '18:45') }),
  fc.record({ hand: fc.nat(3) }),
  fc.record({ gone: fc.nat(3) }),
  fc.record({ days: fc.integer({ min: 1, max: 9 }) })
)
type Edit = { [Key in 'timezone' | 'time']?: string } & {
  [Key in 'shift' | 'intervalWeeks' | 'hand' | 'gone' | 'days']?: number
}

test.group('Drafts of a cadence that is edited, over edits and progress', () => {
  test('have its dates unless a person edited them, each date once, in the order of versions', async ({
    assert,
  }) => {
    const numRuns = isLong ? 60 : 6
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 8 }), async (edits) => {
        const { app, admin, stage, cadence, world, put } = await fourDrafts()
        await put({ targets: [{ kickoff: cadence.targets[0].kickoff }] })
        const model: Model = { ...cadence, timezone: 'UTC', intervalWeeks: 1, time: '12:00' }
        const byHand = new Set<string>()
        /** Days whose drafts were deleted since the last change of the dates. */
        const gone = new Set<string>()
        for (const each of edits as Edit[]) {
          const now = stage.clock.now()
          const before = await draftsOf(app)
          const open = before.filter(({ kickoff }) => kickoff > now)
          if (each.days !== undefined) {
            await pass(stage, each.days * DAY, DAY)
            continue
          }
          if (each.hand !== undefined || each.gone !== undefined) {
            const chosen = open[(each.hand ?? each.gone)!]
            if (!chosen) continue
            const path = `/app/${app}/release/${app}:${chosen.version}`
            if (each.gone !== undefined) {
              gone.add(chosen.slot)
              // A later draft may have its version.
              byHand.delete(chosen.version)
              await admin.delete(path)
            } else {
              byHand.add(chosen.version)
              await admin.put(path, { releaseName: 'Edited' })
            }
            continue
          }
          const wasModel = JSON.stringify(model)
          if (each.shift || each.intervalWeeks) gone.clear()
          if (each.shift !== undefined) {
            const from = DateTime.fromISO(model.startDate)
            model.startDate = from.plus({ days: each.shift }).toISODate()!
          } else Object.assign(model, each)
          const { time, ...given } = model
          const targets: SetCadenceInput['targets'] = [{ kickoff: { dayOffset: 0, time } }]
          const changes = await stage.write(
            (scope) =>
              new SetCadence(scope).handle(app, {
                timezone: given.timezone,
                startDate: given.startDate,
                intervalWeeks: given.intervalWeeks,
                targets,
              }),
            world
          )
          const after = await draftsOf(app)
          if (JSON.stringify(model) === wasModel) {
            assert.deepEqual(after, before)
            continue
          }
          const known = new Map(after.map((draft) => [draft.version, draft]))
          const removed = new Set(changes.removed.map(({ version }) => version))
          const moved = new Set(changes.moved.map(({ version }) => version))
          const kept = new Set(changes.kept.map(({ version }) => version))
          const dates = kickoffsOf(model, now)
          for (const { version, kickoff } of before) {
            const draft = known.get(version)
            const said = `${version} of ${JSON.stringify(model)} at ${now}`
            assert.equal(draft === undefined, removed.has(version), said)
            if (byHand.has(version)) assert.equal(draft?.kickoff, kickoff, said)
            if (draft) assert.equal(draft.kickoff !== kickoff, moved.has(version), said)
            const follows = draft && kickoff > now && !kept.has(version)
            if (follows) assert.isTrue(dates.has(draft.kickoff), `${said}: ${draft.kickoff}`)
          }
          for (const version of byHand) assert.isFalse(removed.has(version))
          const following = after.filter(
            ({ version, kickoff }) => kickoff > now && !kept.has(version)
          )
          const times = following.map(({ kickoff }) => kickoff)
          assert.deepEqual(times, [...new Set(times)].sort())
          await workAll(stage)
          const drafted = await draftsOf(app)
          assert.isEmpty(drafted.map(({ slot }) => slot).filter((slot) => gone.has(slot)))
          const slots = drafted.map(({ slot }) => slot)
          assert.lengthOf(new Set(slots), slots.length)
        }
      }),
      { numRuns }
    )
  }).timeout(400_000)
})
