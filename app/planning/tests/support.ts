import db from '@adonisjs/lucid/services/db'
import { MINUTE, Stage } from '#foundation/jobs/tests/support/stage'
import { later } from '#foundation/core/clock'
import { releases } from '#releases/module'
import { versionControl } from '#version_control/module'
import { makeCode } from '#releases/tests/helpers/code_world'
import { makeTrain, type Train } from '#releases/tests/helpers/release_world'
import type { Api } from '#tests/support/api'
import { planning } from '#planning/module'

export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Sets a stage on which planning is carried out. */
/** The work that carries out plans of releases, also in the code. */
export const PLANNED_WORK = [...planning.work!, ...releases.work!, ...versionControl.work!]

export const setStage = () => Stage.set(...PLANNED_WORK)

/** Returns a weekly cadence whose first train begins some days from now, at noon in UTC. */
export const weekly = (now: string, days = 2) => ({
  startDate: later(now, days * DAY).slice(0, 10),
  targets: [
    {
      kickoff: { dayOffset: 0, time: '12:00' },
      submit: { dayOffset: 3, time: '12:00' },
      release: { dayOffset: 7, time: '12:00' },
    },
  ],
})

/** Makes an app in a new organization, with paths for planning. */
export async function makePlanned(
  versions: readonly string[] = [],
  options: Parameters<typeof makeTrain>[1] = {}
) {
  return plannedOf(await makeTrain(versions, options))
}

/** Makes the same with code in a repository. */
export async function makePlannedCode(...[cleanup, options]: Parameters<typeof makeCode>) {
  const code = await makeCode(cleanup, options)
  code.repository.commit()
  return { ...code, ...plannedOf(code) }
}

function plannedOf(train: Train) {
  const { admin, app } = train
  const at = (path: string) => `/app/${app}/${path}`
  return {
    ...train,
    at,
    freeze: (list: object[]) => admin.put(at('lifecycleFreezes'), { freezes: list }),
    automate: (type: string, enabled = true, more: object = {}) =>
      admin.put(at('automations'), { type, enabled, ...more }),
    pause: (body: object) => admin.put(at('automations/pause'), body),
    schedule: async (query = '') =>
      (await admin.get(at(`releaseSchedule${query}`))).body as {
        releaseId: string | null
        version: string
        predicted: boolean
        trainDate: string | null
        targetKickoffAt: string
        pilot: { email: string; predicted: boolean } | null
        frozenBy: string[]
      }[],
    target: (version: string, targets: object) => admin.put(train.path(version), targets),
  }
}

export type Planned = Awaited<ReturnType<typeof makePlanned>>

/** Changes an app by its configuration file. */
export const patchConfig = (who: Api, app: string, raw: string) =>
  who.send<any>('PATCH', `/app/${app}/app/config`, {
    raw,
    headers: { 'content-type': 'application/yaml' },
  })

/** Moves time on in steps, and carries out all due work after each. */
export async function pass(stage: Stage, milliseconds: number, step = milliseconds): Promise<void> {
  const end = later(stage.clock.now(), milliseconds)
  while (stage.clock.now() < end) {
    stage.clock.advance(step)
    await workAll(stage)
  }
}

/** Carries out all due work. */
export async function workAll(stage: Stage): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    if ((await stage.worker.turn()) === 0) return
  }
  throw new Error('There is always something due')
}

/** Returns the timeline entries of automations for a release, oldest first. */
export async function ran({ timeline }: Pick<Train, 'timeline'>, version: string) {
  return (await timeline(version))
    .filter(({ type }) => type.startsWith('automation.'))
    .map(({ type, actor, data }) => ({ type, actor: actor.name, ...data }))
    .reverse()
}

/** Returns kinds and times of the jobs in the queue. */
export const planned = async (stage: Stage) =>
  (await stage.jobs())
    .filter(({ kind }) => kind.startsWith('planning.'))
    .map(({ kind, due_at: at }) => [kind, at])

export const releasesOf = (app: string) =>
  db.from('releases').where('app_id', app).orderBy('target_kickoff_at').select('version')
