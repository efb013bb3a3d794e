import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Stage } from '#foundation/jobs/tests/support/stage'
import type { Scope } from '#foundation/core/scope'
import { SetAutomation } from '#planning/actions/set_automation'
import { SetCadence } from '#planning/actions/set_cadence'
import { SetPause } from '#planning/actions/set_pause'
import { SetReminder } from '#planning/actions/set_reminder'
import { UpdateFreezes } from '#planning/actions/update_freezes'
import { AUTOMATION_OF } from '#planning/vocabulary'
import { CompleteRelease } from '#releases/actions/complete_release'
import { KickOffRelease } from '#releases/actions/kick_off_release'
import { SkipRelease } from '#releases/actions/skip_release'
import { UpdateRelease } from '#releases/actions/update_release'
import { findRelease } from '#releases/queries/find_release'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { isLong } from '#tests/support/effort'
import { setStage, workAll } from '../support.js'
import { AUTOMATED, Model, type Prediction } from './model.js'
import { DAY, iso, PHASES, type Deed, type Happening, type SimulatedApp } from './world_of_model.js'

/*
 * Two years of five apps: the jobs of the service, on a clock that jumps from one due thing to the
 * next, must have the same result as a person who looks at the clock every quarter of an hour.
 * Leap day, ten clock changes and outages lie in between.
 */

const START = Date.parse('2026-06-01T00:00:00Z')
const isShared = db.connection().dialect.name === 'postgres'
/**
 * Statements take longer on PostgreSQL and have the same results, so the usual run there takes
 * eight months.
 */
const DAYS = isShared ? 150 : isLong ? 731 : 240
const SEED = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9))

const WATCHED = [
  'release.created',
  'release.kickedOff',
  'release.kickoffReminder',
  'release.submitReminder',
  'release.releaseReminder',
  'automation.ran',
  'automation.failed',
  'app.trainLeftOut',
]

async function setApp(stage: Stage, app: SimulatedApp, pilots: readonly string[]) {
  const { world } = stage
  const required = { standard: { required: true } }
  const steps = (['kickoff', 'metadata'] as const).map((type) => ({ type, releaseTypes: required }))
  const id = await makeApp(world, { platform: app.platform, steps })
  await stage.write(async (scope) => {
    const { targets, absences, exceptions } = app
    await new SetCadence(scope).handle(id, {
      intervalWeeks: app.intervalWeeks,
      startDate: app.startDate,
      timezone: app.timezone,
      targets: [targets],
      skipFrozenDates: app.skipFrozenDates,
      draftWeeksAhead: app.draftWeeksAhead,
      exceptions,
      absences: absences.map(({ pilot, from, to }) => ({ userId: pilots[pilot], from, to })),
    })
    for (const phase of PHASES) {
      const leadTimeMinutes = app.leadTimeMinutes[phase]
      await new SetReminder(scope).handle(id, phase, { leadTimeMinutes })
    }
    if (app.isAutomated) await switchAll(scope, id, app, true)
  })
  return id
}

/** Switches automations one after the other, as each needs the one before it. */
async function switchAll(
  scope: Scope,
  id: string,
  { platform, runAfterFreeze }: Pick<SimulatedApp, 'platform' | 'runAfterFreeze'>,
  enabled: boolean
) {
  const phases = AUTOMATED[platform]
  const config = { runAfterFreeze }
  for (const phase of enabled ? phases : phases.toReversed()) {
    const automation = { type: AUTOMATION_OF[phase], enabled, config }
    await new SetAutomation(scope).handle(id, automation)
  }
}

async function carryOut(
  scope: Scope,
  appId: string,
  app: SimulatedApp,
  action: Deed
): Promise<unknown> {
  switch (action.what) {
    case 'freeze': {
      const freezes = action.freezes.map(({ startAt, endAt, ...each }) => ({
        ...each,
        startAt: iso(startAt),
        endAt: iso(endAt),
      }))
      return new UpdateFreezes(scope).handle(appId, { freezes })
    }
    case 'pause':
      return new SetPause(scope).handle(appId, { paused: true, resumeAt: iso(action.resumeAt) })
    case 'cadence':
      return new SetCadence(scope).handle(appId, { paused: action.paused })
    case 'switch':
      return switchAll(scope, appId, { ...app, runAfterFreeze: action.runAfterFreeze }, action.isOn)
  }
  const release = await findRelease(scope, appId, `${appId}:${action.version}`)
  switch (action.what) {
    case 'skip':
      return new SkipRelease(scope).handle(release)
    case 'complete':
      return new CompleteRelease(scope).handle(release)
    case 'kickoff':
      return new KickOffRelease(scope).handle(release)
    case 'move': {
      const { kickoff, submit, release: released } = action.targets
      return new UpdateRelease(scope).handle(release, {
        targetKickoffAt: iso(kickoff),
        targetSubmitAt: iso(submit),
        targetReleaseAt: iso(released),
      })
    }
  }
}

/** Returns when the worker of planning and releases is due next; null for never. */
async function nextEvaluation(): Promise<number | null> {
  const row = await db
    .from('jobs')
    .where((own) => own.whereLike('kind', 'planning.%').orWhereLike('kind', 'release.%'))
    .min('visible_at as at')
    .first()
  return row?.at ? Date.parse(row.at) : null
}

/** Plays the whole time, from one due thing to the next. */
async function run(
  stage: Stage,
  ids: readonly string[],
  { apps, deeds: actions, outages }: Prediction
) {
  const end = START + DAYS * DAY
  const waiting = [...actions]
  for (;;) {
    const look = await nextEvaluation()
    const action = waiting.at(0)
    const isDeed = action !== undefined && (look === null || action.at < look)
    const due = isDeed ? action.at : look
    if (due === null || due >= end) return
    const outage = outages.find(({ from, to }) => from <= due && due < to)
    const at = outage ? outage.to : due
    if (at >= end) return
    // Work that became due in an outage is done at its end, before any action.
    if (at > stage.clock.milliseconds()) stage.clock.travelTo(iso(at))
    if (isDeed) {
      waiting.shift()
      await stage.write((scope) => carryOut(scope, ids[action.app], apps[action.app], action))
    }
    await workAll(stage)
  }
}

/** Returns the recorded events, in the words of the model. */
async function recorded(ids: readonly string[], pilots: readonly string[]): Promise<Happening[]> {
  const rows = await db
    .from('events')
    .leftJoin('releases', 'releases.id', 'events.release_id')
    .whereIn('events.app_id', [...ids])
    .whereIn('events.type', WATCHED)
    .select(
      'events.type',
      'events.app_id',
      'events.occurred_at',
      'events.data',
      'events.payload',
      'releases.version'
    )
  return rows.map((row) => {
    const data = JSON.parse(row.data)
    const payload = row.payload === null ? null : JSON.parse(row.payload)
    const more: Record<string, () => string> = {
      'release.created': () => {
        const { releasePilotId, targetKickoffAt, targetSubmitAt, targetReleaseAt } = payload.release
        const pilot = pilots.indexOf(releasePilotId)
        return `${pilot} ${targetKickoffAt} ${targetSubmitAt} ${targetReleaseAt}`
      },
      'release.kickedOff': () => '',
      'automation.ran': () => `${data.result} ${data.reason} ${data.targetAt}`,
      'automation.failed': () => `${data.result} ${data.reason} ${data.targetAt}`,
      'app.trainLeftOut': () => `${data.date} ${data.reason}`,
    }
    const reminder = () => `${data.targetAt}${payload.frozen ? ' frozen' : ''}`
    return {
      at: row.occurred_at,
      app: ids.indexOf(row.app_id),
      type: row.type,
      version: row.version,
      more: (more[row.type] ?? reminder)(),
    }
  })
}

const lines = (happenings: readonly Happening[]) =>
  happenings.map((each) => Object.values(each).join(' | ')).sort()

test.group('Two years of five apps', () => {
  test(`follow the rules to the minute (seed ${SEED})`, async ({ assert }) => {
    const prediction = new Model(SEED, START, START + DAYS * DAY, 5).predict()
    const stage = await setStage()
    stage.clock.travelTo(iso(START))
    const { world } = stage
    const pilots: string[] = []
    for (const name of ['ann', 'bob', 'cem']) {
      const id = await makeUser(world, `${name}@acme.example`, ['Release Pilots'])
      await db
        .from('group_members')
        .where('user_id', id)
        .update({ created_at: iso(START + pilots.push(id)) })
    }
    const ids: string[] = []
    for (const app of prediction.apps) ids.push(await setApp(stage, app, pilots))
    await run(stage, ids, prediction)

    const [found, expected] = [lines(await recorded(ids, pilots)), lines(prediction.happenings)]
    const missing = expected.filter((line) => !found.includes(line))
    const surplus = found.filter((line) => !expected.includes(line))
    assert.deepEqual({ missing, surplus }, { missing: [], surplus: [] })
    assert.lengthOf(found, expected.length)
    assert.isAbove(found.length, isShared ? 5 : 60)
  }).timeout(120_000)
})
