import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  boolean,
  dateTime,
  integer,
  oneOf,
  queryBoolean,
  describedAs,
  jsonSchema,
  text,
} from '#foundation/api/operation/input'
import { PHASES } from '../calendar/freezes.js'
import {
  AUTOMATIONS,
  LOCAL_TIME,
  MAX_ABSENCES,
  MAX_DAY_OFFSET,
  MAX_DRAFT_WEEKS,
  MAX_EXCEPTIONS,
  MAX_FREEZES,
  MAX_INTERVAL_WEEKS,
} from '../vocabulary.js'

const day = () => text(10).use(jsonSchema({ format: 'date' }))
const moment = () =>
  vine.object({ dayOffset: integer(0, MAX_DAY_OFFSET), time: text(5).regex(LOCAL_TIME) })

const targetSet = vine
  .object({
    releaseType: oneOf(['standard'] as const)
      .use(jsonSchema({ default: 'standard' }))
      .optional(),
    kickoff: moment(),
    submit: moment().nullable().optional(),
    release: moment().nullable().optional(),
  })
  .use(describedAs('The only set of target times.'))

const exception = vine.object({
  date: day(),
  skipped: boolean().optional(),
  movedTo: day().nullable().optional(),
  releasePilotId: text(320).nullable().optional(),
})

const absence = vine.object({
  userId: text(320).use(describedAs('Id or e-mail address of the absent user.')),
  from: day(),
  to: day(),
})

export const setCadenceValidator = vine.create({
  followsAppId: text(100).nullable().optional(),
  enabled: boolean().optional(),
  paused: boolean().optional(),
  intervalWeeks: integer(1, MAX_INTERVAL_WEEKS).optional(),
  startDate: day().optional(),
  timezone: text(64).optional(),
  targets: vine.array(targetSet).minLength(1).maxLength(1).optional(),
  skipFrozenDates: boolean().optional(),
  draftWeeksAhead: integer(1, MAX_DRAFT_WEEKS).optional(),
  exceptions: vine.array(exception).maxLength(MAX_EXCEPTIONS).optional(),
  absences: vine.array(absence).maxLength(MAX_ABSENCES).optional(),
})
export type SetCadenceInput = Infer<typeof setCadenceValidator>

const freeze = vine
  .object({
    name: text(100).use(describedAs('Purpose of the freeze.')),
    startAt: dateTime().use(describedAs('Start of the freeze.')),
    endAt: dateTime().use(describedAs('End of the freeze, exclusive.')),
    phases: vine
      .array(oneOf(PHASES))
      .minLength(1)
      .maxLength(PHASES.length)
      .distinct()
      .use(describedAs('Phases whose automations do not run.')),
  })
  .use(jsonSchema({ $id: 'LifecycleFreezeSetInput', description: 'A freeze to set.' }))

export const updateFreezesValidator = vine.create({
  freezes: vine
    .array(freeze)
    .maxLength(MAX_FREEZES)
    .use(describedAs('All freezes; empty for none.')),
})
export type UpdateFreezesInput = Infer<typeof updateFreezesValidator>

/** Returns a validator of a window, given the descriptions of its two ends. */
export const windowValidator = (from: string, to: string) =>
  vine.create({
    from: dateTime().use(describedAs(from)).optional(),
    to: dateTime().use(describedAs(to)).optional(),
  })
export interface WindowQuery {
  from?: string
  to?: string
}

export const dryRunValidator = vine.create({
  dryRun: queryBoolean()
    .use(describedAs('If true, returns the result but writes nothing.'))
    .optional(),
})

const release = () =>
  text(240).use(describedAs('Id of a release, to set it for that release only.')).optional()

export const ofReleaseValidator = vine.create({
  releaseId: text(240)
    .use(describedAs('Id of a release, for the state of that release.'))
    .optional(),
})
export interface OfReleaseQuery {
  releaseId?: string
}

export const setAutomationValidator = vine.create({
  type: oneOf(AUTOMATIONS),
  enabled: boolean().optional().requiredIfMissing('config'),
  releaseId: release(),
  config: vine
    .object({
      runAfterFreeze: boolean()
        .use(describedAs('Whether a run held back by a freeze happens when it ends.'))
        .optional(),
    })
    .use(describedAs('Settings of the automation, for the app as a whole.'))
    .optional(),
})
export type SetAutomationInput = Infer<typeof setAutomationValidator>

export const setPauseValidator = vine.create({
  paused: boolean(),
  reason: text(500).nullable().optional(),
  resumeAt: dateTime().nullable().optional(),
  releaseId: release(),
})
export type SetPauseInput = Infer<typeof setPauseValidator>
